import { at } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import weights from './field-weights.json'
import { foldText, phoneDigits, squash, wordsIn } from './fold.ts'

export interface SearchField {
  /** `customer.email` */
  path: string
  kind: 'code' | 'email' | 'phone' | 'name' | 'text'
  value: string
  weight: number
}

/** Weights of hits: fields that identify a return come first, fields that many returns share last. */
const FIELDS = Object.entries(weights).flatMap(([kind, paths]) =>
  Object.entries(paths).map(([path, weight]) => ({ kind: kind as SearchField['kind'], path, weight })),
)

export function searchFields(record: Return): SearchField[] {
  const fields = new Map<string, SearchField>()
  for (const { path, kind, weight } of FIELDS) {
    for (const found of valuesAt(record, path.split('.'))) {
      const value = String(found)
      const key = `${kind} ${value}`
      if (value.trim() !== '' && !fields.has(key)) fields.set(key, { path, kind, value, weight })
    }
  }
  return [...fields.values()]
}

/** A record that departs from the specification may hold numbers where texts are expected. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, key === undefined ? [] : [key, ...rest]))
  if (key !== undefined) return valuesAt(at(value, key), rest)
  return typeof value === 'string' || typeof value === 'number' ? [value] : []
}

export function fieldWords({ kind, value }: SearchField): readonly string[] {
  if (kind === 'phone') return [phoneDigits(value)]
  if (kind === 'code') return [squash(value)]
  const folded = foldText(value)
  if (kind === 'email') return unique([...wordsIn(folded), squash(folded.split('@')[0] ?? '')])
  return textWords(folded, kind)
}

/** Returns `O’Connor` and `da Silva` as one word, too. */
function textWords(folded: string, kind: 'name' | 'text') {
  const chunks = folded.split(/\s+/).map(wordsIn)
  const words = chunks.flat()
  const whole = chunks.filter((parts) => parts.length > 1).map((parts) => parts.join(''))
  const pairs = kind === 'name' ? words.slice(1).map((word, index) => `${words[index]}${word}`) : []
  return unique([...words, ...whole, ...pairs])
}

function unique(words: readonly string[]) {
  return [...new Set(words)].filter((word) => word !== '')
}
