import type { Return } from '../../wire/returns.ts'
import { fieldWords, type SearchField, searchFields } from './fields.ts'
import { isUnspaced, mayBeMisspelt, reversed, squash } from './fold.ts'

/** Before a word that stands reversed, so that it is found by its end. */
export const END_MARK = '<'
/** Terms of a return; longer texts are indexed in part. */
const MAX_TERMS = 400
const NONE: readonly string[] = []

/** Index terms of a return, or of a value. */
export interface SearchTerms {
  /** Apart by spaces; one may come twice. */
  terms: string
  /** Terms that people misspell; duplicates are possible. */
  words: readonly string[]
}

export function termsOf(record: Return): SearchTerms {
  const terms: string[] = []
  const words: string[] = []
  let length = 0
  for (const field of searchFields(record)) {
    if (length >= MAX_TERMS && new Set(terms.join(' ').split(' ')).size >= MAX_TERMS) break
    const own = comesAgain(field) ? knownTerms(field) : termsOfField(field)
    if (own.terms === '') continue
    terms.push(own.terms)
    for (const word of own.words) words.push(word)
    length += own.count
  }
  return { terms: terms.join(' '), words }
}

interface FieldTerms extends SearchTerms {
  count: number
}

function termsOfField(field: SearchField): FieldTerms {
  const { kind, value } = field
  if (kind === 'code') return codeTerms(squash(value))
  const terms: string[] = []
  const words: string[] = []
  for (const word of fieldWords(field)) {
    if (word === '') continue
    terms.push(...fieldTerms(field, word))
    if (isText(field) && mayBeMisspelt(word)) words.push(word)
  }
  return { terms: terms.join(' '), words, count: terms.length }
}

function codeTerms(word: string): FieldTerms {
  return word === ''
    ? { terms: '', words: NONE, count: 0 }
    : { terms: `${word} ${END_MARK}${reversed(word)}`, words: NONE, count: 2 }
}

/** Keys are values; codes have other terms than texts. */
const knownCodes = new Map<string, FieldTerms>()
const knownNames = new Map<string, FieldTerms>()
const knownTexts = new Map<string, FieldTerms>()
const MAX_KNOWN = 5000

/** Caches the terms of products, reasons and cities. */
function knownTerms(field: SearchField): FieldTerms {
  const known = field.kind === 'code' ? knownCodes : field.kind === 'name' ? knownNames : knownTexts
  let terms = known.get(field.value)
  if (terms === undefined) {
    terms = termsOfField(field)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(field.value, terms)
  }
  return terms
}

function comesAgain({ path, kind }: SearchField): boolean {
  return kind === 'name' || kind === 'text' || path.startsWith('returnLineItems.')
}

function fieldTerms(field: SearchField, word: string): string[] {
  if (isText(field)) return isUnspaced(word) ? [word, ...pairsOf(word)] : [word]
  return [END_MARK + reversed(word)]
}

function isText({ kind }: SearchField): boolean {
  return kind !== 'code' && kind !== 'phone'
}

/** Returns all pairs of neighbours in a word without spaces. */
export function pairsOf(word: string): string[] {
  const letters = [...word]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}
