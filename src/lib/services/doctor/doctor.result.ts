import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

const examinedSchema = lazySchema((z, { text }) =>
  z.object({
    id: text,
    verdict: z.enum(['ok', 'found', 'skip']),
    observed: text,
    remedies: z.array(text),
    durationMs: z.number(),
  }),
)

export const doctorSchema = lazySchema(async (z, { count }) =>
  z.object({ checks: z.array(await examinedSchema()), ok: count, found: count, skipped: count }),
)

export type ExaminedRow = RecordOf<typeof examinedSchema>

export const examinedView: View<ExaminedRow> = {
  columns: [{ name: 'id', header: 'CHECK' }, 'verdict', { name: 'observed', flexible: true }],
  extra: [
    { name: 'remedies', header: 'TRY', value: (row) => row.remedies.join('; '), flexible: true },
    { name: 'ms', path: 'durationMs' },
  ],
  wraps: true,
  schema: examinedSchema,
  empty: 'No checks',
}
