import type { Return } from '../../wire/returns.ts'
import { fieldWords, type SearchField, searchFields } from './fields.ts'
import { foldText, isUnspaced, phoneDigits, wordsIn } from './fold.ts'
import type { QueryWord, Reading } from './query.ts'
import { forgivesTypo, isOneTypo } from './spelling.ts'

export interface Rank {
  score: number
  matched: SearchField[]
  missing: string[]
}

const EXACT = 100
const END = 90
const BEGINNING = 80
const TYPO = 50
const WHOLE_NAME = 2
const MIN_PART = 3
const MIN_END = 4
const MIN_PHONE = 7

export function rankReturn(readings: readonly Reading[], record: Return): Rank {
  const fields = searchFields(record).map((field) => ({ field, words: fieldWords(field) }))
  return readings
    .map((reading) => rankReading(reading, fields))
    .reduce((best, rank) => (isBetter(rank, best) ? rank : best))
}

interface FieldWords {
  field: SearchField
  words: readonly string[]
}

function isBetter(one: Rank, other: Rank): boolean {
  if (one.missing.length !== other.missing.length) return one.missing.length < other.missing.length
  return one.score > other.score
}

/** The mean of its words, so that readings of more and fewer words compare. */
function rankReading(reading: Reading, fields: readonly FieldWords[]): Rank {
  const found = new Map<SearchField, number>()
  const missing: string[] = []
  let score = 0
  for (const word of reading) {
    const best = bestField(word, fields)
    if (best === undefined) {
      missing.push(word.text)
      continue
    }
    score += best.score
    found.set(best.field, Math.max(best.score, found.get(best.field) ?? 0))
  }
  const matched = [...found].sort(([, one], [, other]) => other - one).map(([field]) => field)
  const bonus = matched.some((field) => isWhole(field, reading)) ? WHOLE_NAME : 0
  return { score: score / reading.length + bonus, matched, missing }
}

function bestField(word: QueryWord, fields: readonly FieldWords[]) {
  let best: { field: SearchField; score: number } | undefined
  for (const { field, words } of fields) {
    const quality = matchWord(word, field, words)
    const score = quality + field.weight
    if (quality > 0 && (best === undefined || score > best.score)) best = { field, score }
  }
  return best
}

function isWhole({ kind, value }: SearchField, reading: Reading): boolean {
  const said = new Set(reading.flatMap(({ text, parts }) => [text, ...parts]))
  return kind === 'name' && wordsIn(foldText(value)).every((word) => said.has(word))
}

function matchWord({ text, parts }: QueryWord, field: SearchField, words: readonly string[]): number {
  const one = Math.max(...words.map((word) => compare(text, word, field.kind)), 0)
  if (one === EXACT || parts.length === 0) return one
  const each = parts.map((part) => Math.max(...words.map((word) => compare(part, word, field.kind)), 0))
  return Math.max(one, Math.min(...each))
}

function compare(wanted: string, word: string, kind: SearchField['kind']): number {
  if (kind === 'phone') return comparePhone(phoneDigits(wanted), wanted, word)
  if (wanted === word) return EXACT
  if (kind === 'code') {
    if (/\d/.test(wanted) && wanted.length >= MIN_END && word.endsWith(wanted)) return END
    return wanted.length >= MIN_PART && word.startsWith(wanted) ? BEGINNING : 0
  }
  if (isUnspaced(wanted)) return word.includes(wanted) ? BEGINNING : 0
  if (wanted.length >= MIN_PART && word.startsWith(wanted)) return BEGINNING
  return forgivesTypo(wanted) && isOneTypo(wanted, word) ? TYPO : 0
}

function comparePhone(digits: string, wanted: string, word: string): number {
  if (!/^\d+$/.test(wanted) || digits === '') return 0
  if (digits === word) return EXACT
  if (word.endsWith(digits)) return digits.length >= MIN_PHONE ? EXACT : digits.length >= MIN_END ? END : 0
  return word.length >= MIN_PHONE && digits.endsWith(word) ? EXACT : 0
}
