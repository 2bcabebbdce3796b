import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

const checkSchema = lazySchema((z, { text }) =>
  z.object({
    id: text,
    specified: text,
    source: text,
    basis: text,
    writes: z.boolean(),
  }),
)

const checkResultSchema = lazySchema(async (z, { text }) =>
  (await checkSchema())
    .omit({ writes: true })
    .extend({ observed: text, verdict: text, durationMs: z.number() }),
)

export const conformanceSchema = lazySchema(async (z, { count }) =>
  z.union([
    z.object({
      checks: z.array(await checkResultSchema()),
      passed: count,
      failed: count,
      differing: count,
      notShown: count,
    }),
    z.object({ checks: z.array(await checkSchema()) }).describe('With --list'),
  ]),
)

export const resultsView: View<RecordOf<typeof checkResultSchema>> = {
  columns: [
    { name: 'id', header: 'CHECK' },
    { name: 'specified', flexible: true },
    { name: 'observed', flexible: true },
    'verdict',
  ],
  extra: ['source', 'basis', { name: 'ms', path: 'durationMs' }],
  leastImportant: ['specified', 'observed'],
  schema: checkResultSchema,
  empty: 'No checks',
}

export const checksView: View<RecordOf<typeof checkSchema>> = {
  columns: [
    { name: 'id', header: 'CHECK' },
    { name: 'specified', flexible: true },
    'source',
    'basis',
    'writes',
  ],
  schema: checkSchema,
  empty: 'No such checks',
}
