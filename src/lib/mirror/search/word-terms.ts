import type { TermExpression } from './expression.ts'
import { isUnspaced, phoneDigits, reversed } from './fold.ts'
import type { QueryWord, Reading } from './query.ts'
import { END_MARK, pairsOf } from './terms.ts'

/** How far a word may be from what was sent: not at all, by what is left out of it, or by a typo. */
export type Closeness = 'exact' | 'part' | 'typo'

/** Words of the mirror that matter to a query. */
export interface KnownWords {
  /** Meant as they stand, and not as the beginnings of others. */
  common: ReadonlySet<string>
  /** The words that may be meant by a misspelt one. */
  variants: ReadonlyMap<string, readonly string[]>
}

/** Shorter beginnings are those of too many words. */
const MIN_PREFIX = 3
/** Trailing digits that identify a number. */
const MIN_END = 4
/** Like `MIN_END`, for exact matches. */
const SURE_END = 5
/** A phone number within a country has no fewer. */
const MIN_PHONE = 7

/** Returns the condition on terms under which a return contains all words of a reading. */
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
    ...endTerms(word, closeness === 'exact' ? SURE_END : MIN_END),
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

/** A code by its end, and a phone number with and without its country. */
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
