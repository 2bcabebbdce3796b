import { AppError, nearest } from '../errors.ts'
import { numberText, stringifyJson } from '../wire/json.ts'
import type { CellKind } from './formats/cell.ts'

/** A column of tables and CSV. */
export interface Column<T> {
  /** What `--columns` calls it, and its header in CSV. */
  name: string
  /** Its header in tables. */
  header: string
  value(record: T): unknown
  kind?: CellKind
  /** Made narrower first when the terminal is too small. */
  flexible?: boolean
}

/** How records of a resource are shown. */
export interface View<T> {
  /** Shown in tables by default. */
  columns: readonly Column<T>[]
  /** Shown in CSV, which has room, and elsewhere when asked for. */
  extra?: readonly Column<T>[]
  /** Keys of the record that a dotted path may begin with; undefined when they are not known beforehand. */
  paths?: readonly string[]
  /** Said, for people, when there is nothing to show. */
  empty: string
}

/**
 * The columns that were asked for by name or dotted path.
 *
 * @param records where the view knows no paths, records whose keys may begin one; undefined before they are known
 * @throws AppError `usage` for a name that is neither a column nor a path
 */
export function chooseColumns<T>(
  view: View<T>,
  names: readonly string[],
  records?: readonly T[],
): readonly Column<T>[] {
  const columns = [...view.columns, ...(view.extra ?? [])]
  return names.map((name) => {
    const column = columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (column) return column
    const first = name.split('.')[0] ?? ''
    if (!isKnownKey(first, view, records)) throw unknownColumn(name, columns, view.paths ?? [])
    return { name, header: name, value: (record) => valueAt(record, name), flexible: true, ...kindOf(name) }
  })
}

function isKnownKey<T>(key: string, { paths }: View<T>, records: readonly T[] | undefined): boolean {
  if (paths) return paths.includes(key)
  // Of no records nothing can be said.
  return (
    records === undefined ||
    records.length === 0 ||
    records.some((record) => isObject(record) && Object.hasOwn(record, key))
  )
}

function unknownColumn(name: string, columns: readonly Column<never>[], paths: readonly string[]): AppError {
  const names = columns.map((column) => column.name)
  const near = nearest(name, [...names, ...paths])
  return new AppError('usage', `"${name}" is not a column.`, {
    details: [
      { message: `Columns: ${names.join(', ')}` },
      ...(paths.length > 0 ? [{ message: `Fields, also with a dotted path: ${paths.join(', ')}` }] : []),
    ],
    hints: near === undefined ? [] : [`--columns ${near}`],
  })
}

/** Dates are told by their names, as the service's are. */
function kindOf(path: string): { kind?: CellKind } {
  return /(?:At|Date|^date|\.date)$/.test(path) ? { kind: 'date' } : {}
}

/**
 * The value at a dotted path (`customer.email`, `returnLineItems.0.sku`). A name applied to a list is applied to each
 * of its items, and the values found are joined: `returnLineItems.sku` is `A1, B2`.
 */
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

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
