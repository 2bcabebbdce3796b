import { AppError, nearest } from '../../errors.ts'
import type { RowFile } from './row.ts'
import { assertSingle } from './table.ts'

export type FieldKind = 'identifier' | 'text' | 'date'

export interface FieldSpec {
  /** Name in the request: `trackingNumber`. */
  name: string
  /** An identifier is never rounded, shortened or written as a number would be. */
  kind: FieldKind
  required?: boolean
  /** Further names of the column. */
  aliases?: readonly string[]
}

/** Positions of fields in rows with certain columns. */
export interface Binding {
  bound: readonly { field: FieldSpec; at: number; column: string }[]
  /** Required fields that no column feeds. */
  missing: readonly FieldSpec[]
  /** Fields that several columns would feed. */
  doubled: readonly { field: FieldSpec; columns: readonly string[] }[]
}

/** Which column feeds which field; for NDJSON and JSON decided anew for each set of keys. */
export interface ColumnMapping {
  readonly fields: readonly FieldSpec[]
  /** All columns in the order of first sight; complete when all rows have been read. */
  readonly columns: readonly string[]
  /** Columns that feed no field, without `_row` and the like; complete after all rows were read. */
  ignored(): readonly string[]
  /** Columns of `--map` that no row had; complete when all rows have been read. */
  unseen(): readonly string[]
  bind(columns: readonly string[]): Binding
}

/** Columns beginning so are the tool's own: `_row`, `_code`, `_message` of failed rows. */
const OWN_PREFIX = '_'

/**
 * Columns are called as the fields are, in any of `trackingNumber`, `tracking-number`, `tracking_number`, in any case;
 * what `map` says (field → column) comes first.
 *
 * @throws AppError `usage` if `map` names what there is not, a required field has no column, or a field has two
 */
export function mapColumns(
  fields: readonly FieldSpec[],
  source: Pick<RowFile, 'name' | 'header'>,
  map: ReadonlyMap<string, string>,
): ColumnMapping {
  const chosen = chosenColumns(fields, map)
  const mapping = new Mapping(fields, chosen, source.header ?? [])
  if (source.header) assertComplete(source.name, source.header, mapping)
  return mapping
}

class Mapping implements ColumnMapping {
  readonly columns: string[]
  readonly #seen: Set<string>
  readonly #used = new Set<string>()
  readonly #bindings = new WeakMap<readonly string[], Binding>()
  /** Every name that a column of the field may have, made plain. */
  readonly #names = new Map<string, FieldSpec>()

  constructor(
    readonly fields: readonly FieldSpec[],
    private readonly chosen: ReadonlyMap<FieldSpec, string>,
    header: readonly string[],
  ) {
    // Several columns of a table may have no name.
    this.columns = [...header]
    this.#seen = new Set(header)
    for (const field of fields) {
      if (chosen.has(field)) continue
      for (const name of [field.name, ...(field.aliases ?? [])]) this.#names.set(plain(name), field)
    }
  }

  ignored(): string[] {
    const isIgnored = (column: string) => column !== '' && !column.startsWith(OWN_PREFIX)
    return [...new Set(this.columns)].filter((column) => isIgnored(column) && !this.#used.has(column))
  }

  unseen(): string[] {
    return [...this.chosen.values()].filter((column) => !this.columns.some((one) => isSame(one, column)))
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
    const places = new Map<FieldSpec, number[]>()
    for (const [field, column] of this.chosen) {
      const exact = columns.indexOf(column)
      const at = exact === -1 ? columns.findIndex((one) => isSame(one, column)) : exact
      if (at !== -1) places.set(field, [at])
    }
    for (const [at, column] of columns.entries()) {
      const field = column.startsWith(OWN_PREFIX) ? undefined : this.#names.get(plain(column))
      if (field) places.set(field, [...(places.get(field) ?? []), at])
    }
    const bound: Binding['bound'][number][] = []
    const doubled: Binding['doubled'][number][] = []
    for (const [field, found] of places) {
      const names = found.map((at) => columns[at] ?? '')
      if (found.length > 1) doubled.push({ field, columns: names })
      else bound.push({ field, at: found[0] ?? 0, column: names[0] ?? '' })
    }
    return { bound, doubled, missing: this.fields.filter((one) => one.required && !places.has(one)) }
  }
}

function plain(name: string): string {
  return name.trim().toLowerCase().replace(/[-_ ]/g, '')
}

function isSame(one: string, other: string): boolean {
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
    if (chosen.has(field)) throw new AppError('usage', `--map names a column for ${field.name} twice.`)
    chosen.set(field, column)
  }
  return chosen
}

function assertComplete(source: string, header: readonly string[], mapping: Mapping): void {
  const { bound, doubled, missing } = mapping.bind(header)
  const [unseen] = mapping.unseen()
  if (unseen !== undefined) throw unknown(`--map: ${source} has no column "${unseen}"`, unseen, header)
  // `_row` and the like say which rows these are.
  const own = header.filter((column) => column.startsWith(OWN_PREFIX))
  const read = [...bound.map(({ column }) => column), ...doubled.flatMap(({ columns }) => columns)]
  assertSingle(source, header, [...read, ...own])
  const [twice] = doubled
  if (twice) {
    const names = twice.columns.map((one) => `"${one}"`).join(' and ')
    throw new AppError('usage', `${source}: the columns ${names} are both for ${twice.field.name}.`, {
      hints: [`say which one: --map ${twice.field.name}=COLUMN`],
    })
  }
  const [lacking] = missing
  if (lacking === undefined) return
  const free = mapping.ignored()
  const near = nearest(lacking.name, free)
  throw new AppError('usage', `${source} has no column ${lacking.name}; it has: ${listed(header)}.`, {
    hints: [`name the column so, or say which one it is: --map ${lacking.name}=${near ?? 'COLUMN'}`],
  })
}

function unknown(message: string, word: string, known: readonly string[]): AppError {
  const near = nearest(word, known)
  return new AppError('usage', `${message}; there are: ${listed(known)}.`, {
    hints: near === undefined ? [] : [`did you mean "${near}"?`],
  })
}

function listed(names: readonly string[]): string {
  return names.filter((one) => one !== '').join(', ')
}
