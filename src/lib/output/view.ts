import type * as z from 'zod'
import type { WordsKind } from '../wire/words.ts'
import type { CellKind } from './formats/cell.ts'

export interface Column<T> {
  /** Name for `--columns` and header in CSV. */
  name: string
  header?: string
  /** Field, or fields joined by dots. Default: the column's name, in camel case. */
  path?: string
  /** Replaces the path. */
  value?(record: T): unknown
  /** Returns what the view's own table shows, if that differs. */
  shown?(record: T): unknown
  /** Default: `date` for a field whose name ends in `At` or `Date`. */
  kind?: CellKind
  /** Kind of code that terminals show in words. */
  words?: WordsKind
  /** True if the column may be narrowed on a small terminal: words are cut, cells with numbers or codes wrap. */
  flexible?: boolean
  /** True if people search by the column, which is then never cut or left out. The first column always is so. */
  identifies?: boolean
}

export interface View<T> {
  /** A plain name means a column of that field. */
  columns: readonly (Column<T> | string)[]
  /** Columns of CSV and `--columns` only. */
  extra?: readonly (Column<T> | string)[]
  /** Columns that a small terminal leaves out first, in this order. */
  leastImportant?: readonly string[]
  /** True if cells wrap instead of being cut. */
  wraps?: boolean
  schema?: LazySchema
  empty: string
}

/** Schema made on demand, so that commands print results without loading zod. */
export type LazySchema<S extends z.ZodType = z.ZodType> = () => Promise<S>

export type RecordOf<L extends LazySchema> = z.infer<Awaited<ReturnType<L>>>

const makeFields = (zod: typeof z) => ({
  count: zod.int().nonnegative(),
  instant: zod.string().describe('ISO 8601'),
  text: zod.string(),
})

export function lazySchema<S extends z.ZodType>(
  make: (zod: typeof z, fields: ReturnType<typeof makeFields>) => S | Promise<S>,
): LazySchema<S> {
  let made: Promise<S> | undefined
  return () => {
    made ??= import('zod').then((zod) => make(zod, makeFields(zod)))
    return made
  }
}

export function listOf(item: LazySchema, key?: string): LazySchema {
  return lazySchema(async (zod) => {
    const list = zod.array(await item())
    return key === undefined ? list : zod.object({ [key]: list })
  })
}

/** Returns the keys of the objects in a schema, in a list of them, or in a union. */
export async function fieldNames(schema: LazySchema | undefined): Promise<string[]> {
  return schema === undefined ? [] : keysOf(partsOf(await schema()))
}

/**
 * Follows a dotted path through the objects of a schema.
 * @returns the valid paths where this one fails, or undefined if it may lead to a value
 */
export async function pathsInsteadOf(schema: LazySchema, path: string): Promise<string[] | undefined> {
  let parts = partsOf(await schema())
  let parents = ''
  // `returnLineItems.0.sku` is a path through a list.
  for (const key of path.replace(/\.\d+(?![^.])/g, '').split('.')) {
    if (parts.some(({ type }) => type === 'unknown' || type === 'record')) return undefined
    const keys = keysOf(parts)
    if (!keys.includes(key)) return keys.map((known) => `${parents}${known}`)
    parents += `${key}.`
    parts = parts.flatMap((def) => (def.type === 'object' && def.shape[key] ? partsOf(def.shape[key]) : []))
  }
  return undefined
}

function keysOf(parts: readonly Definition[]) {
  return [...new Set(parts.flatMap((def) => (def.type === 'object' ? Object.keys(def.shape) : [])))]
}

type Definition = z.core.$ZodTypes['_zod']['def']

/** Returns the definitions of a schema that are neither a list, a union, nor optional. */
function partsOf(schema: z.core.$ZodType): Definition[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return partsOf(def.element)
  if (def.type === 'union') return def.options.flatMap(partsOf)
  return 'innerType' in def ? partsOf(def.innerType) : [def]
}
