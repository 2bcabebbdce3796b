import { statusInWords } from '../wire/transport-words.ts'
import { formatsOf } from './date-format.ts'
import { readHeader } from './header-words.ts'
import { MAPPING_VERSION, type Mapping } from './mapping.ts'

/** Further down there is no header. */
const HEADER_ROWS = 40
const TOTALS = '^(grand )?(total|totals|summe|gesamt|gesamtsumme|totale|totaal|suma|somme|anzahl|count)\\b'
const RETURN_NAME = /^R#-\S/
const PLAIN_NAME = /^#?[A-Z]{1,4}-?\d{3,}(-\d+)?$/i

export interface Detected {
  mapping: Mapping
  /** What can't be told, each with the flag that tells it. */
  open: readonly string[]
}

/** Reads rows as they stand in a file, titles and totals included; undefined if none of them is a header. */
export function detectMapping(rows: readonly (readonly string[])[], zone: string): Detected | undefined {
  const heads = rows.slice(0, HEADER_ROWS).map(readHeader)
  const most = Math.max(...heads.map(({ columns }) => Object.keys(columns).length))
  const at = heads.findIndex(({ columns }) => Object.keys(columns).length === most)
  const head = heads[at]
  const header = rows[at]
  if (most < 2 || head === undefined || header === undefined) return undefined
  const below = rows.slice(at + 1)
  const columns = { ...head.columns }
  const valuesOf = (column: string | undefined) => {
    const index = column === undefined ? -1 : header.indexOf(column)
    return below.map((row) => row[index]?.trim() ?? '').filter((value) => value !== '')
  }
  byContent(columns, header, valuesOf)
  const totals = header
    .filter(
      (column) => column !== '' && valuesOf(column).some((value) => new RegExp(TOTALS, 'i').test(value)),
    )
    .map((column) => ({ column, pattern: TOTALS }))
  const id = columns.shipmentId
  const leaveOut = id === undefined ? totals : [...totals, { column: id, pattern: '^$' }]
  const isTotal = new RegExp(TOTALS, 'i')
  const kept = (column: string | undefined) => valuesOf(column).filter((value) => !isTotal.test(value))
  const open: string[] = []
  if (id === undefined) open.push('the column of the return: --map shipmentId=COLUMN')
  if (columns.trackingStatus === undefined) open.push('the column of the status: --map trackingStatus=COLUMN')
  const statuses = statusesOf(kept(columns.trackingStatus), open)
  const { timeColumn } = head
  const date = dateOf(kept(columns.trackingDate), kept(timeColumn), { timeColumn, zone }, open)
  const mapping: Mapping = {
    version: MAPPING_VERSION,
    columns,
    statuses,
    ...(date && { date }),
    constants: {},
    leaveOut,
    looseNames: !kept(id).some((name) => RETURN_NAME.test(name)),
  }
  return { mapping, open }
}

/** What no name tells: the return by the form of its name, the status by words that are known. */
function byContent(
  columns: Record<string, string>,
  header: readonly string[],
  valuesOf: (column: string) => string[],
): void {
  const find = (isOne: (value: string) => boolean) =>
    header.find((column) => {
      const values = valuesOf(column)
      const fitting = values.filter(isOne).length
      return column !== '' && fitting > 0 && fitting >= values.length * 0.6
    })
  const named = find((value) => RETURN_NAME.test(value))
  if (named !== undefined) columns.shipmentId = named
  else columns.shipmentId ??= find((value) => PLAIN_NAME.test(value)) ?? ''
  columns.trackingStatus ??= find((value) => statusInWords(value) !== undefined) ?? ''
  for (const [field, column] of Object.entries(columns)) if (column === '') delete columns[field]
}

function statusesOf(values: readonly string[], open: string[]): Record<string, string> {
  const statuses: Record<string, string> = {}
  for (const text of new Set(values)) {
    const status = statusInWords(text)
    if (status === undefined) open.push(`the status ${JSON.stringify(text)}: --status '${text}=STATUS'`)
    else statuses[text] = status
  }
  return statuses
}

function dateOf(
  dates: readonly string[],
  times: readonly string[],
  { timeColumn, zone }: { timeColumn: string | undefined; zone: string },
  open: string[],
): Mapping['date'] {
  const isApart = timeColumn !== undefined && dates.every((text) => !text.includes(':'))
  const texts = isApart ? dates.map((text, at) => `${text} ${times[at] ?? ''}`.trim()) : dates
  const [format, ...others] = formatsOf(texts)
  if (format === undefined) {
    if (texts.length > 0 && !texts.every((text) => /^\d{4}-\d\d-\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(text))) {
      open.push('the format of the dates: --date-format DD.MM.YYYY')
    }
    return undefined
  }
  const swapped = format.replace('DD/MM', 'MM/DD').replace('D/M/', 'M/D/')
  const isEither = swapped !== format && others.includes(swapped)
  const apart = isApart ? { timeColumn } : {}
  // A clock of twelve hours goes with the month first.
  if (isEither && format.endsWith('A')) return { format: swapped, zone, ...apart }
  if (isEither) {
    open.push(`whether dates are ${format} or ${swapped}: --date-format '${swapped}'`)
  }
  return { format, zone, ...apart }
}
