import type { Return } from '../../wire/returns.ts'
import { fieldWords, type SearchField, searchFields } from './fields.ts'
import { isUnspaced, phoneDigits, reversed } from './fold.ts'
import type { QueryWord, Reading } from './query.ts'
import { mayBeMisspelt } from './spelling.ts'

/** Prefix of reversed words, which are found by their ends. */
export const END_MARK = '<'
/** Number of terms after which line items are left out. */
const MAX_TERMS = 400
/** Number of terms after which no more are indexed: PostgreSQL takes 1 MiB for a return. */
const MOST_TERMS = 2000

/** Returns the index terms of a return, separated by spaces, and its words that people misspell. */
export function termsOf(record: Return) {
  const terms = new Set<string>()
  const words: string[] = []
  for (const field of searchFields(record)) {
    if (terms.size >= MAX_TERMS && field.path.startsWith('returnLineItems')) continue
    for (const word of fieldWords(field)) {
      if (terms.size >= MOST_TERMS) break
      for (const term of fieldTerms(field, word)) terms.add(term)
      if (isText(field) && mayBeMisspelt(word)) words.push(word)
    }
  }
  return { terms: [...terms].join(' '), words }
}

function fieldTerms(field: SearchField, word: string) {
  if (word === '') return []
  if (isText(field)) return isUnspaced(word) ? [word, ...pairsOf(word)] : [word]
  return [...(field.kind === 'code' ? [word] : []), END_MARK + reversed(word)]
}

function isText({ kind }: SearchField) {
  return kind !== 'code' && kind !== 'phone'
}

function pairsOf(word: string) {
  const letters = [...word]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Condition on a return's terms: one term, or a term with this beginning; all of these; any of them. */
export type TermExpression =
  | { term: string; isPrefix?: boolean }
  | { all: readonly TermExpression[] }
  | { any: readonly TermExpression[] }

/** Allowed match of a word: whole, a part of a longer word, or with one typo. */
export type Closeness = 'exact' | 'part' | 'typo'

export interface KnownWords {
  /** Frequent words, which match whole, not as beginnings of others. */
  common: ReadonlySet<string>
  variants: ReadonlyMap<string, readonly string[]>
}

/** Minimum letters of a beginning. Shorter ones match too many words. */
const MIN_PREFIX = 3
const MIN_END = 4
const MIN_EXACT_END = 5
const MIN_PHONE = 7

export function readingTerms(reading: Reading, closeness: Closeness, known: KnownWords): TermExpression {
  return { all: reading.map((word) => wordTerms(word, closeness, known)) }
}

function wordTerms(
  { text, parts }: QueryWord,
  closeness: Closeness,
  { common, variants }: KnownWords,
): TermExpression {
  const any = (word: string): TermExpression[] => [
    { term: word },
    ...endTerms(word, closeness === 'exact' ? MIN_EXACT_END : MIN_END),
    ...(closeness === 'exact' || common.has(word) ? [] : partTerms(word)),
    ...(closeness === 'typo' ? (variants.get(word) ?? []).map((term) => ({ term })) : []),
  ]
  const all = parts.map((part) => ({ any: any(part) }))
  return { any: [...any(text), ...(all.length > 0 ? [{ all }] : [])] }
}

function partTerms(word: string): TermExpression[] {
  if (isUnspaced(word)) {
    const pairs = pairsOf(word)
    return [
      { term: word, isPrefix: true },
      ...(pairs.length > 1 ? [{ all: pairs.map((term) => ({ term })) }] : []),
    ]
  }
  return word.length >= MIN_PREFIX ? [{ term: word, isPrefix: true }] : []
}

/** Returns terms for the end of a code, and for a phone with and without country. */
function endTerms(word: string, least: number): TermExpression[] {
  if (!/\d/.test(word)) return []
  const ends = /^\d+$/.test(word) ? [...new Set([word, phoneDigits(word)])] : [word]
  const back = reversed(phoneDigits(word))
  const withoutCountry = /^\d{9,}$/.test(word)
    ? Array.from({ length: Math.max(0, back.length - MIN_PHONE) }, (_, more) =>
        back.slice(0, MIN_PHONE + more),
      )
    : []
  return [
    ...ends
      .filter((end) => end.length >= least)
      .map((end) => ({ term: END_MARK + reversed(end), isPrefix: true })),
    ...withoutCountry.map((end) => ({ term: END_MARK + end })),
  ]
}
