import { AppError, nearest } from '../errors.ts'
import { numberText, stringifyJson } from '../wire/json.ts'
import type { WordsKind } from '../wire/words.ts'
import type { CellKind } from './formats/cell.ts'

export interface Column<T> {
  /** Name for `--columns`, and header in CSV. */
  name: string
  header: string
  value(record: T): unknown
  kind?: CellKind
  /** What a code is about; on a terminal it is said in words. */
  words?: WordsKind
  /** May be cut on a small terminal. */
  flexible?: boolean
  /** Names a thing that people look for: never cut, and never left out. The first column always does. */
  identifies?: boolean
}

export interface View<T> {
  /** Default columns of tables. */
  columns: readonly Column<T>[]
  /** Further columns of CSV; elsewhere when asked for. */
  extra?: readonly Column<T>[]
  /** What a small terminal does without first; then the columns go from the right. */
  leastImportant?: readonly string[]
  /** What may be cut takes more lines instead: for short lists whose longest texts name things. */
  wraps?: boolean
  /** First keys of dotted paths; undefined where only the records tell. */
  paths?: readonly string[]
  /** Said when there is nothing to show. */
  empty: string
}

/**
 * `records`, where the view knows no paths, tell which keys may begin one; undefined before they are known.
 * @throws AppError `usage` for a name that is neither column nor path
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
    const flexible = !NAMES_A_THING.test(name)
    return { name, header: name, value: (record) => valueAt(record, name), flexible, ...kindOf(name) }
  })
}

/** Paths of ids, names, codes and addresses. */
const NAMES_A_THING = /(?:^|\.)(?:id|name|sku|code|url|\w*(?:Id|Name|Code|Reference|Url|Number))$/

/**
 * How soon each of a view's columns is left out for lack of room: the lowest first, undefined never.
 */
export function columnRanks<T>({ columns, leastImportant = [] }: View<T>): (number | undefined)[] {
  return columns.map(({ name, identifies }, index) => {
    if (index === 0 || identifies) return undefined
    const listed = leastImportant.indexOf(name)
    return listed === -1 ? leastImportant.length + columns.length - index : listed
  })
}

function isKnownKey<T>(key: string, { paths }: View<T>, records: readonly T[] | undefined): boolean {
  if (paths) return paths.includes(key)
  // Without records, any path may be right.
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

/** Dates are recognised by their names. */
function kindOf(path: string): { kind?: CellKind } {
  return /(?:At|Date|^date|\.date)$/.test(path) ? { kind: 'date' } : {}
}

/** A name applied to a list joins the values of its items: `returnLineItems.sku` is `A1, B2`. */
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

/** What a dotted path finds may be numbers, which nothing but the records tells. */
export function withKinds<T>(columns: readonly Column<T>[], sample: readonly T[]): readonly Column<T>[] {
  return columns.map((column) => {
    const isNumber = !column.kind && sample.every((record) => typeof column.value(record) === 'number')
    return isNumber ? { ...column, kind: 'number' as const } : column
  })
}
