import { barText, lineChart } from '../../../output/formats/chart.ts'
import type { Section } from '../../../output/formats/details.ts'
import { type Column, lazySchema, type RecordOf, type View } from '../../../output/view.ts'
import { grouped } from '../../../wire/raw.ts'
import type { WordsKind } from '../../../wire/words.ts'

const statsLineSchema = lazySchema((z, { count, text }) => {
  const hours = z.object({ count, p50: z.number(), p90: z.number(), p95: z.number() }).describe('In hours')
  return z.object({
    by: text,
    key: text,
    label: text.optional(),
    returns: count,
    share: z.number().describe('In per cent'),
    requestToRefund: hours.optional(),
    dropOffToArrival: hours.optional(),
  })
})

export const statsSchema = lazySchema(async (z, { count }) =>
  z.looseObject({ stats: z.array(await statsLineSchema()), unread: count }),
)

export type StatsLine = RecordOf<typeof statsLineSchema>
type HoursLine = NonNullable<StatsLine['requestToRefund']>

export const TIMES = [
  { field: 'requestToRefund', name: 'refund', header: 'REFUND', title: 'From request to refund' },
  { field: 'dropOffToArrival', name: 'arrival', header: 'ARRIVAL', title: 'From drop-off to arrival' },
] as const

const timeColumns = TIMES.flatMap(({ field, name, header }) =>
  (['p50', 'p90', 'p95'] as const).map(
    (percent): Column<StatsLine> => ({
      name: `${name}-${percent}`,
      header: `${header} ${percent.toUpperCase()} H`,
      value: (row) => row[field]?.[percent],
    }),
  ),
)

export const statsView: View<StatsLine> = {
  columns: [
    'by',
    { name: 'key', identifies: true },
    'returns',
    { name: 'share', header: 'SHARE %' },
    ...timeColumns,
  ],
  extra: [
    'label',
    ...TIMES.map(
      ({ field, name, header }): Column<StatsLine> => ({
        name: `${name}-count`,
        header: `${header} COUNT`,
        value: (row) => row[field]?.count,
      }),
    ),
  ],
  leastImportant: ['arrival-p90', 'refund-p90', 'arrival-p95', 'refund-p95', 'arrival-p50', 'refund-p50'],
  schema: statsLineSchema,
  empty: 'No returns match',
}

const BAR_COLUMNS = 8
const CHART_ROWS = 7
const SHOWN = 12
const WORDS: Readonly<Record<string, WordsKind>> = { status: 'returnStatus' }

export function statsSections(lines: readonly StatsLine[]): Section[] {
  const [all, ...groups] = lines
  if (!all) return []
  return [
    {
      fields: [
        { label: 'Returns', value: all.returns },
        ...TIMES.map(({ field, title }) => ({ label: title, value: hoursText(all[field]) })),
        { label: 'In the tables', value: IN_TABLES },
      ],
    },
    ...[...grouped(groups, ({ by }) => by)].map(([by, rows]) =>
      isTime(by) ? timeSection(by, rows) : barSection(by, rows),
    ),
  ]
}

export function isTime(by: string): boolean {
  return by === 'day' || by === 'week'
}

function timeSection(by: string, rows: readonly StatsLine[]): Section {
  const [from = '', to = ''] = [rows[0]?.key, rows.at(-1)?.key]
  return {
    title: `Returns by ${by}`,
    drawing: (columns) =>
      lineChart({ values: rows.map(({ returns }) => returns), from, to, columns, rows: CHART_ROWS }),
  }
}

function barSection(by: string, rows: readonly StatsLine[]): Section {
  const shown = rows.slice(0, SHOWN)
  const more = rows.length - shown.length
  const greatest = Math.max(...rows.map(({ returns }) => returns))
  const words = WORDS[by]
  return {
    title: `By ${by}${more === 0 ? '' : `, the ${SHOWN} largest of ${rows.length}; --columns shows all`}`,
    columns: [
      { header: by.toUpperCase(), ...(words && { words }) },
      { header: 'RETURNS', kind: 'number' },
      { header: 'SHARE', kind: 'number' },
      { header: '', rank: 0 },
      { header: 'TO REFUND', kind: 'number' },
      { header: 'TO ARRIVE', kind: 'number' },
    ],
    rows: shown.map((row) => [
      row.label ?? (row.key || 'none'),
      row.returns,
      `${row.share.toFixed(1)} %`,
      barText(row.returns, greatest, BAR_COLUMNS),
      rangeText(row.requestToRefund),
      rangeText(row.dropOffToArrival),
    ]),
  }
}

export const IN_TABLES = 'half within the first time, 95 % within the second'

export function rangeText(times: HoursLine | undefined): string {
  return times ? `${spanOf(times.p50)}–${spanOf(times.p95)}` : ''
}

export function hoursText(times: HoursLine | undefined): string {
  if (!times) return 'not known of any'
  const { p50, p90, p95, count } = times
  return `half within ${spanOf(p50)}, 90 % ${spanOf(p90)}, 95 % ${spanOf(p95)} (of ${count})`
}

function spanOf(hours: number | undefined) {
  if (hours === undefined) return ''
  return hours < 48 ? `${Math.round(hours)} h` : `${(hours / 24).toFixed(1)} d`
}
