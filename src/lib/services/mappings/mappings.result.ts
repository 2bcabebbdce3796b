import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

export const mappingRecordSchema = lazySchema((z, { text }) =>
  z.looseObject({
    name: text,
    path: text.nullable().describe('Null for a ready-made one'),
    version: z.unknown().optional(),
    source: text.optional(),
    sheet: z.unknown().optional(),
    columns: z.record(text, text),
    statuses: z.record(text, text),
    date: z.looseObject({ format: text.optional(), zone: text, timeColumn: text.optional() }).optional(),
    constants: z.unknown().optional(),
    leaveOut: z.unknown().optional(),
    looseNames: z.unknown().optional(),
    commonWords: z.unknown().optional(),
    detect: z.unknown().optional(),
  }),
)

type MappingRow = RecordOf<typeof mappingRecordSchema>

function datesText({ columns, date }: MappingRow) {
  if (date?.format === undefined) return undefined
  const { format, zone, timeColumn } = date
  const joined =
    timeColumn === undefined ? '' : `, ${columns.trackingDate ?? 'date'} and ${timeColumn} joined`
  return `${format} (${zone})${joined}`
}

export const mappingView = {
  columns: [
    { name: 'name', identifies: true },
    {
      name: 'columns',
      value: (m) =>
        Object.entries(m.columns)
          .map(([field, column]) => `${field}=${column}`)
          .join(', ') || 'told from each file',
      flexible: true,
    },
    { name: 'statuses', value: (m) => Object.keys(m.statuses).length },
    { name: 'date', header: 'DATES', value: datesText },
    { name: 'path', header: 'FILE', value: (m) => m.path ?? 'ready-made', flexible: true },
  ],
  leastImportant: ['columns', 'date', 'statuses'],
  schema: mappingRecordSchema,
  empty: 'No mappings; rma mappings init FILE makes one',
} satisfies View<MappingRow>

export const oneMappingView: View<MappingRow> = {
  ...mappingView,
  columns: [...mappingView.columns, { name: 'source', flexible: true }],
}
