import type { Return } from '../../wire/returns.ts'
import { fieldWords, type SearchField, searchFields } from './fields.ts'
import { isUnspaced, mayBeMisspelt, reversed } from './fold.ts'

/** Before a word that stands reversed, so that it is found by its end. */
export const END_MARK = '<'
/** Of a return whose texts are longer, the rest is not found. */
const MAX_TERMS = 400

/** What a return is listed under in a text index. */
export interface SearchTerms {
  terms: string[]
  /** Those of `terms` that people misspell. */
  words: string[]
}

export function termsOf(record: Return): SearchTerms {
  const terms = new Set<string>()
  const words = new Set<string>()
  for (const field of searchFields(record)) {
    if (terms.size >= MAX_TERMS) break
    for (const word of fieldWords(field).filter((one) => one !== '')) {
      for (const term of fieldTerms(field, word)) terms.add(term)
      if (isText(field) && mayBeMisspelt(word)) words.add(word)
    }
  }
  return { terms: [...terms], words: [...words] }
}

function fieldTerms(field: SearchField, word: string): string[] {
  if (isText(field)) return isUnspaced(word) ? [word, ...pairsOf(word)] : [word]
  const end = END_MARK + reversed(word)
  return field.kind === 'phone' ? [end] : [word, end]
}

function isText({ kind }: SearchField): boolean {
  return kind !== 'code' && kind !== 'phone'
}

/** Of a word without spaces in it: every two neighbours. */
export function pairsOf(word: string): string[] {
  const letters = [...word]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}
