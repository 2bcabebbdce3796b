import { at } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import { foldText, phoneDigits, squash, wordsIn } from './fold.ts'

type FieldKind = 'code' | 'email' | 'phone' | 'name' | 'text'

/** One value of a return that it is found by. */
export interface SearchField {
  /** Dotted path of the record: `customer.email`. */
  path: string
  kind: FieldKind
  value: string
}

const KIND_BITS: Readonly<Record<FieldKind, number>> = { code: 1, email: 2, phone: 4, name: 8, text: 16 }

/** Weights of hits: fields that identify a return come first, fields that many returns share last. */
const FIELDS: readonly [path: string, kind: FieldKind, weight: number][] = [
  ['name', 'code', 13],
  ['ecommerceOrder.name', 'code', 12],
  ['merchantReturnName', 'code', 11],
  ['activeTransportation.carrierReference', 'code', 11],
  ['activeTransportation.clientReference', 'code', 10],
  ['customer.email', 'email', 8],
  ['origin.email', 'email', 7],
  ['customer.phone', 'phone', 10],
  ['origin.phone', 'phone', 9],
  ['customer.fullName', 'name', 9],
  ['origin.fullName', 'name', 8],
  ['returnLineItems.sku', 'code', 7],
  ['returnLineItems.barcode', 'code', 7],
  ['customer.address.postalCode', 'code', 6],
  ['origin.address.postalCode', 'code', 5],
  ['customer.address.city', 'name', 6],
  ['origin.address.city', 'name', 5],
  ['returnLineItems.returnReason.reason', 'text', 4],
  ['returnLineItems.returnReason.code', 'text', 4],
  ['returnLineItems.returnReason.additionalInfo', 'text', 3],
  ['returnLineItems.productName', 'text', 3],
]
const PATHS = FIELDS.map(([path, kind]) => ({ path, kind, keys: path.split('.') }))
const WEIGHTS: ReadonlyMap<string, number> = new Map(FIELDS.map(([path, , weight]) => [path, weight]))

export function weightOf({ path }: SearchField): number {
  return WEIGHTS.get(path) ?? 0
}

/** Each value once, where it weighs most. */
export function searchFields(record: Return): SearchField[] {
  const found: FoundFields = { fields: [], seen: new Map() }
  for (const place of PATHS) collectAt(record, place, 0, found)
  return found.fields
}

interface FoundFields {
  fields: SearchField[]
  /** `KIND_BITS` that a value was met as. */
  seen: Map<string, number>
}

function collectAt(value: unknown, place: (typeof PATHS)[number], depth: number, found: FoundFields): void {
  if (Array.isArray(value)) {
    for (const item of value) collectAt(item, place, depth, found)
    return
  }
  const key = place.keys[depth]
  if (key !== undefined) collectAt(at(value, key), place, depth + 1, found)
  else if (typeof value === 'string') meet(value, place, found)
  // A record that departs from the specification may hold numbers here.
  else if (typeof value === 'number') meet(String(value), place, found)
}

function meet(value: string, { path, kind }: (typeof PATHS)[number], { fields, seen }: FoundFields): void {
  const kinds = seen.get(value) ?? 0
  if ((kinds & KIND_BITS[kind]) !== 0 || value.trim() === '') return
  seen.set(value, kinds | KIND_BITS[kind])
  fields.push({ path, kind, value })
}

/** Reasons, products and cities come again and again. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 5000

/** The words of a field, as a search compares them. */
export function fieldWords({ kind, value }: SearchField): readonly string[] {
  if (kind === 'phone') return [phoneDigits(value)]
  if (kind === 'code') return [squash(value)]
  if (kind === 'email') return emailWords(foldText(value))
  const key = `${kind} ${value}`
  const words = known.get(key) ?? textWords(foldText(value), kind)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, words)
  return words
}

function emailWords(folded: string): string[] {
  return unique([...wordsIn(folded), squash(folded.split('@')[0] ?? '')])
}

/** `O’Connor` is looked for as one word, too, and so is `da Silva`. */
function textWords(folded: string, kind: 'name' | 'text'): string[] {
  const chunks = folded.split(/\s+/).map(wordsIn)
  const words = chunks.flat()
  const whole = chunks.filter((parts) => parts.length > 1).map((parts) => parts.join(''))
  const pairs = kind === 'name' ? words.slice(1).map((word, index) => `${words[index]}${word}`) : []
  return unique([...words, ...whole, ...pairs])
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word !== '')
}
