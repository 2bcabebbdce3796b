import type { Section } from '../../../output/formats/details.ts'
import { toFields } from '../../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../../output/view.ts'

const exportSchema = lazySchema((z, { count, instant, text }) =>
  z.object({
    rmaExport: z.literal(1),
    file: text,
    format: text,
    bytes: count,
    sha256: text,
    records: count,
    complete: z.boolean(),
    until: instant,
    totalRecords: count.nullable(),
    counted: count,
    duplicatesRemoved: count,
    goneMeanwhile: count,
    differences: z.array(
      z.object({ from: instant, to: instant, totalRecords: count.nullable(), counted: count }),
    ),
    platform: text,
    shop: text.nullable(),
    merchant: z.object({ shops: z.array(text), owner: text.optional() }),
    filters: z.record(text, text),
    startedAt: instant,
    finishedAt: instant,
  }),
)

export type ExportRow = RecordOf<typeof exportSchema>

export const exportView: View<ExportRow> = {
  columns: [
    'file',
    'records',
    { name: 'complete', value: (e) => (e.complete ? 'yes' : 'not proven') },
    { name: 'until', kind: 'date' },
    'bytes',
  ],
  extra: [
    'total-records',
    'counted',
    { name: 'duplicates', header: 'DUPLICATES REMOVED', path: 'duplicatesRemoved' },
    { name: 'gone', header: 'GONE MEANWHILE', path: 'goneMeanwhile' },
    { name: 'sha256', header: 'SHA-256' },
  ],
  schema: exportSchema,
  empty: 'Nothing was exported',
}

export function exportDetails(row: ExportRow): Section[] {
  const { file, records, complete, totalRecords, until, duplicatesRemoved, goneMeanwhile } = row
  const all = totalRecords === null ? 'the platform does not count' : `the platform counts ${totalRecords}`
  return [
    {
      fields: toFields(
        {
          File: file,
          Returns: `${records}, ${complete ? 'complete' : 'not proven complete'}`,
          Compared: `${row.counted} here, ${all}`,
          'Created until': until,
          'Came twice': duplicatesRemoved === 0 ? undefined : `${duplicatesRemoved}, dropped`,
          'Gone meanwhile': goneMeanwhile === 0 ? undefined : `${goneMeanwhile}, left out`,
        },
        { 'Created until': { kind: 'date' } },
      ),
    },
  ]
}
