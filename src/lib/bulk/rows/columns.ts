import { nearest, nearHints, quotedWord, usageError } from '../../errors.ts'
import type { RowFile } from './row.ts'

export interface FieldSpec {
  /** Name in the request: `trackingNumber`. */
  name: string
  /** Identifiers are never rounded or reformatted as numbers. */
  kind: 'identifier' | 'text' | 'date'
  required?: boolean
}

/** Columns with this prefix are the tool's own: `_row`, `_code`, `_message` of failed rows. */
const OWN_PREFIX = '_'

/**
 * Maps columns to fields of the same name, written `trackingNumber`, `tracking-number` or `tracking_number`, in any
 * case. `map` (field → column) takes precedence.
 *
 * @param map undefined for a command without `--map`
 * @throws AppError `usage` if `map` names an unknown field or column, a required field has no column, or a field has two
 */
export function mapColumns(
  fields: readonly FieldSpec[],
  source: Pick<RowFile, 'name' | 'header'>,
  map?: ReadonlyMap<string, string>,
): ColumnMapping {
  const mapping = new ColumnMapping(fields, chosenColumns(fields, map ?? new Map()), source.header ?? [])
  if (source.header) assertComplete(source.name, source.header, mapping, map !== undefined)
  return mapping
}

interface Binding {
  bound: { field: FieldSpec; at: number; column: string }[]
  missing: FieldSpec[]
  /** Fields that several columns would feed. */
  doubled: { field: FieldSpec; columns: readonly string[] }[]
}

/** Maps columns to fields. NDJSON and JSON are mapped anew for each set of keys. */
export class ColumnMapping {
  /** All columns in the order of first sight; complete when all rows have been read. */
  readonly columns: string[]
  readonly #seen: Set<string>
  readonly #used = new Set<string>()
  readonly #bindings = new WeakMap<readonly string[], Binding>()

  constructor(
    private readonly fields: readonly FieldSpec[],
    private readonly chosen: ReadonlyMap<FieldSpec, string>,
    header: readonly string[],
  ) {
    this.columns = [...header]
    this.#seen = new Set(header)
  }

  /** Columns that feed no field, except the tool's own; complete when all rows have been read. */
  ignored(): string[] {
    const isIgnored = (column: string) => column !== '' && !column.startsWith(OWN_PREFIX)
    return [...new Set(this.columns)].filter((column) => isIgnored(column) && !this.#used.has(column))
  }

  /** Columns of `--map` that no row had; complete when all rows have been read. */
  unseen(): string[] {
    return [...this.chosen.values()].filter(
      (column) => !this.columns.some((one) => isSameColumn(one, column)),
    )
  }

  bind(columns: readonly string[]): Binding {
    const known = this.#bindings.get(columns)
    if (known) return known
    const binding = this.#bindingOf(columns)
    this.#bindings.set(columns, binding)
    for (const column of columns) {
      if (this.#seen.has(column)) continue
      this.#seen.add(column)
      this.columns.push(column)
    }
    for (const { column } of binding.bound) this.#used.add(column)
    return binding
  }

  #bindingOf(columns: readonly string[]): Binding {
    const { bound, missing, doubled }: Binding = { bound: [], missing: [], doubled: [] }
    for (const field of this.fields) {
      const [at, ...others] = this.#indexesOf(field, columns)
      if (others.length > 0) {
        doubled.push({ field, columns: [at ?? 0, ...others].map((index) => columns[index] ?? '') })
      } else if (at !== undefined) bound.push({ field, at, column: columns[at] ?? '' })
      else if (field.required) missing.push(field)
    }
    return { bound, doubled, missing }
  }

  #indexesOf(field: FieldSpec, columns: readonly string[]) {
    const column = this.chosen.get(field)
    const exact = column === undefined ? -1 : columns.indexOf(column)
    if (exact !== -1) return [exact]
    const indexes = columns.flatMap((one, at) => {
      if (column !== undefined) return isSameColumn(one, column) ? [at] : []
      return !one.startsWith(OWN_PREFIX) && plain(one) === plain(field.name) ? [at] : []
    })
    return column === undefined ? indexes : indexes.slice(0, 1)
  }
}

function plain(name: string) {
  return name.trim().toLowerCase().replace(/[-_ ]/g, '')
}

/** Ignores case and spaces around the names. */
export function isSameColumn(one: string, other: string) {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function chosenColumns(
  fields: readonly FieldSpec[],
  map: ReadonlyMap<string, string>,
): Map<FieldSpec, string> {
  const chosen = new Map<FieldSpec, string>()
  const names = fields.map(({ name }) => name)
  for (const [name, column] of map) {
    const field = fields.find((one) => plain(one.name) === plain(name))
    if (field === undefined) throw unknown(`--map: there is no field "${name}"`, name, names)
    if (chosen.has(field)) throw usageError(`--map names a column for ${field.name} twice.`)
    chosen.set(field, column)
  }
  return chosen
}

function assertComplete(source: string, header: readonly string[], mapping: ColumnMapping, hasMap: boolean) {
  const { bound, doubled, missing } = mapping.bind(header)
  const [unseen] = mapping.unseen()
  if (unseen !== undefined) throw unknown(`--map: ${source} has no column "${unseen}"`, unseen, header)
  const own = header.filter((column) => column.startsWith(OWN_PREFIX))
  const read = [...bound.map(({ column }) => column), ...doubled.flatMap(({ columns }) => columns)]
  assertSingle(source, header, [...read, ...own])
  const [twice] = doubled
  if (twice) {
    const names = twice.columns.map((one) => `"${one}"`).join(' and ')
    throw usageError(
      `${source}: the columns ${names} are both for ${twice.field.name}.`,
      hasMap ? `say which one: --map ${twice.field.name}=COLUMN` : 'leave out one of them',
    )
  }
  const [lacking] = missing
  if (lacking === undefined) return
  const free = mapping.ignored()
  const near = nearest(lacking.name, free)
  throw usageError(
    `${source} has no column ${lacking.name}; it has: ${listed(header)}.`,
    ...(hasMap ? [`let rma read a carrier's export: rma mappings init ${quotedWord(source)}`] : []),
    `name the column so${hasMap ? `, or say which one it is: --map ${lacking.name}=${near ?? 'COLUMN'}` : ''}`,
  )
}

/** @throws AppError `usage` if the header has two columns of a name in `read` */
export function assertSingle(source: string, header: readonly string[], read: readonly string[]) {
  const twice = read.find((column) => header.indexOf(column) !== header.lastIndexOf(column))
  if (twice === undefined) return
  throw usageError(`${source}: two columns are called "${twice}".`, 'rename one of them, or leave it out')
}

function unknown(message: string, word: string, known: readonly string[]) {
  const hints = nearHints(word, known, (near) => `did you mean "${near}"?`)
  return usageError(`${message}; there are: ${listed(known)}.`, ...hints)
}

function listed(names: readonly string[]) {
  return names.filter((one) => one !== '').join(', ')
}
