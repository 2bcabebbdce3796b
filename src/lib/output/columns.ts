import { AppError, nearHints } from '../errors.ts'
import { numberText, stringifyJson } from '../wire/json.ts'
import { type CellKind, Money } from './formats/cell.ts'
import { type Column, fieldNames, pathsInsteadOf, type View } from './view.ts'

type ShownColumn<T> = Column<T> & Required<Pick<Column<T>, 'header' | 'value'>>

export function columnsOf<T>({ columns, extra = [] }: View<T>, all?: 'all'): ShownColumn<T>[] {
  return [...columns, ...(all ? extra : [])].map((given) =>
    shownColumn(typeof given === 'string' ? { name: given } : given),
  )
}

function shownColumn<T>(column: Column<T>): ShownColumn<T> {
  const { name, header = name.toUpperCase().replaceAll('-', ' ') } = column
  const { path = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) } = column
  if (column.value) return { ...column, header, value: column.value }
  const { kind = DATES.test(path) ? 'date' : undefined } = column
  return { ...column, header, kind, value: (record) => moneyIn(kind, valueAt(record, path), record) }
}

const DATES = /(?:At|Date|^date|\.date)$/

/** Returns the names that completion offers: all columns, and fields without a column. */
export async function columnNames(view: View<never>): Promise<string[]> {
  const names = columnsOf(view, 'all').map(({ name }) => name)
  const taken = new Set(names.map((name) => name.replaceAll('-', '').toLowerCase()))
  return [...names, ...(await fieldNames(view.schema)).filter((field) => !taken.has(field.toLowerCase()))]
}

/**
 * Finds columns by name or dotted path.
 * @param records their keys may begin a path if the view has no schema
 * @throws AppError `usage`
 */
export async function chooseColumns<T>(
  view: View<T>,
  names: readonly string[],
  records: readonly T[] = [],
): Promise<readonly ShownColumn<T>[]> {
  const columns = columnsOf(view, 'all')
  return Promise.all(
    names.map(async (name) => {
      const column = columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (column) return column
      const [first = ''] = name.split('.')
      const isKnown = records.length === 0 || records.some((record) => memberOf(record, first) !== undefined)
      const fields = view.schema ? await pathsInsteadOf(view.schema, name) : isKnown ? undefined : []
      if (fields) throw unknownColumn(name, columns, fields)
      return shownColumn({ name, header: name, path: name, flexible: !IDENTIFIER.test(name) })
    }),
  )
}

const IDENTIFIER = /(?:^|\.)(?:id|name|sku|code|url|\w*(?:Id|Name|Code|Reference|Url|Number))$/

/** Returns for each column its rank of being left out, lowest first; undefined for never. */
export function columnRanks<T>(view: View<T>): (number | undefined)[] {
  const [columns, { leastImportant = [] }] = [columnsOf(view), view]
  return columns.map(({ name, identifies }, index) => {
    if (index === 0 || identifies) return undefined
    const listed = leastImportant.indexOf(name)
    return listed === -1 ? leastImportant.length + columns.length - index : listed
  })
}

function unknownColumn(name: string, columns: readonly { name: string }[], paths: readonly string[]) {
  const names = columns.map((column) => column.name)
  return new AppError('usage', `"${name}" is not a column.`, {
    details: [
      { message: `Columns: ${names.join(', ')}` },
      ...(paths.length > 0 ? [{ message: `Fields, also with a dotted path: ${paths.join(', ')}` }] : []),
    ],
    hints: nearHints(name, [...names, ...paths], (near) => `--columns ${near}`),
  })
}

/** Joins the values of lists in the path: `returnLineItems.sku` is `A1, B2`. */
function valueAt(record: unknown, path: string): unknown {
  let values = [record]
  let isSpread = false
  for (const key of path.split('.')) {
    values = values.flatMap((value) => {
      if (!Array.isArray(value) || /^\d+$/.test(key)) return [memberOf(value, key)]
      isSpread = true
      return value.map((item) => memberOf(item, key))
    })
  }
  if (!isSpread) return values[0]
  return values
    .filter((value) => value !== null && value !== undefined)
    .map((value) => (typeof value === 'object' ? stringifyJson(value) : numberText(value)))
    .join(', ')
}

/** Gives amounts the currency of their record. */
function moneyIn(kind: CellKind | undefined, value: unknown, record: unknown): unknown {
  return kind === 'money' ? new Money(value, memberOf(record, 'currency')) : value
}

function memberOf(value: unknown, key: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return isOwn ? Reflect.get(value, key) : undefined
}

/** Marks columns of numbers, which are right-aligned. */
export function withNumberKinds<T>(
  columns: readonly ShownColumn<T>[],
  sample: readonly T[],
): ShownColumn<T>[] {
  return columns.map((column) => {
    if (column.kind) return column
    const values = sample.map(column.value).filter((value) => value !== null && value !== undefined)
    const isNumber = values.length > 0 && values.every((value) => typeof value === 'number')
    return isNumber ? { ...column, kind: 'number' as const } : column
  })
}
