import { sql } from 'kysely'
import { parseJson } from '../../wire/json.ts'
import { normalIdentifiers, parseLooseLabelId } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { filteredReturns, type MirrorFilter, selectIdentified } from '../store/read.ts'
import { isServer, type MirrorDb } from '../store/tables.ts'
import { fieldWords, type SearchField, searchFields } from './fields.ts'
import { foldText, isUnspaced, phoneDigits, wordsIn } from './fold.ts'
import { type QueryWord, type Reading, readQuery } from './query.ts'
import { forgivesTypo, isOneTypo, oneTypoFrom } from './spelling.ts'
import { type Closeness, type KnownWords, readingTerms } from './terms.ts'
import { matchReturns } from './text-index.ts'

interface SearchQuery {
  text: string
  filter?: MirrorFilter
  limit: number
}

interface Rank {
  score: number
  matched: SearchField[]
  missing: string[]
}

const CANDIDATES = 100
/** Number of words looked for. Further words only rank what was found. */
const MAX_WORDS = 12
const IDENTIFIER_SCORE = 110

export async function searchReturns(db: MirrorDb, query: SearchQuery) {
  const whole = readQuery(query.text)
  if (whole.length === 0) return []
  const readings: Reading[] = whole.map((reading) => reading.slice(0, MAX_WORDS))
  const filter = query.filter ?? {}
  const named = await byIdentifier(db, query.text, readings, filter)
  const found = new Set(named)
  const look = async (closeness: Closeness, known: KnownWords, wanted = readings) => {
    for (const reading of wanted) {
      const terms = readingTerms(reading, closeness, known)
      for (const id of await matchReturns(db, terms, Math.max(query.limit, CANDIDATES), filter)) found.add(id)
    }
  }
  await look('exact', NOTHING_KNOWN)
  if (found.size < query.limit) {
    const known = { ...NOTHING_KNOWN, common: await commonWords(db, readings) }
    await look('part', known)
    if (found.size < query.limit) known.variants = await spellings(db, readings)
    if (known.variants.size > 0) await look('typo', known)
    if (found.size === 0 && known.common.size > 0)
      await look('typo', { ...known, common: NOTHING_KNOWN.common })
    if (found.size === 0) await look('typo', known, readings.flatMap(withFewer))
  }
  return rankAll(db, [...found], { ...query, named, readings: whole })
}

const NOTHING_KNOWN: KnownWords = { common: new Set(), variants: new Map() }

/** Leaves out each word in turn, and all words without a digit. */
function withFewer(reading: Reading): Reading[] {
  const others = reading.map((_, left) => reading.filter((_word, index) => index !== left))
  return [...others, reading.filter(({ text }) => hasDigit(text))].filter(
    ({ length }) => length > 0 && length < reading.length,
  )
}

function hasDigit(word: string) {
  return /\d/.test(word)
}

async function byIdentifier(db: MirrorDb, text: string, readings: readonly Reading[], filter: MirrorFilter) {
  const single = readings.flatMap((reading) => (reading.length === 1 ? (reading[0]?.text ?? []) : []))
  const values = normalIdentifiers([text, parseLooseLabelId(text)?.name ?? '', ...single])
  const rows = await filteredReturns(db, filter)
    .select('id')
    .where('id', 'in', selectIdentified(db, values))
    .orderBy('sort_key', 'desc')
    .limit(CANDIDATES)
    .execute()
  return rows.map(({ id }) => id)
}

async function rankAll(
  db: MirrorDb,
  ids: readonly string[],
  { text, limit, named, readings }: SearchQuery & { named: readonly string[]; readings: readonly Reading[] },
) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('returns')
    .select(['id', 'document'])
    .where(sql<boolean>`id ${isOneOf(db, ids)}`)
    .orderBy('sort_key', 'desc')
    .orderBy('id')
    .execute()
  const ranked = rows.map(({ id, document }) => {
    // Ranking needs no exact numbers.
    const rank = rankReturn(readings, JSON.parse(document))
    // A code of another transport is in no field of the record.
    const isOther = named.includes(id) && rank.score < IDENTIFIER_SCORE
    return { document, ...(isOther ? identifierRank(text) : rank) }
  })
  return ranked
    .sort(byRank)
    .slice(0, limit)
    .map(({ document, ...rank }) => ({ ...rank, record: parseJson(document) as Return }))
}

function identifierRank(text: string): Rank {
  return {
    score: IDENTIFIER_SCORE,
    matched: [{ path: 'identifier', kind: 'code', value: text.trim(), weight: 0 }],
    missing: [],
  }
}

function byRank(one: Rank, other: Rank) {
  return (
    one.missing.length - other.missing.length ||
    one.missing.filter(hasDigit).length - other.missing.filter(hasDigit).length ||
    other.score - one.score
  )
}

const COMMON_FROM = 500
const MAX_VARIANTS = 50

function singleWords(readings: readonly Reading[]) {
  return new Set(readings.flat().flatMap(({ text, parts }) => [text, ...parts]))
}

/**
 * Returns the words that many returns contain. They are not searched as beginnings, since a text index collects all
 * matches of a beginning first.
 */
async function commonWords(db: MirrorDb, readings: readonly Reading[]) {
  const common = new Set<string>()
  for (const term of singleWords(readings)) {
    if ((await matchReturns(db, { term }, COMMON_FROM)).length === COMMON_FROM) common.add(term)
  }
  return common
}

/** Allows more values than the 32,766 parameters of SQLite. */
function isOneOf(db: MirrorDb, values: readonly string[]) {
  return isServer(db)
    ? sql`= any(${values}::text[])`
    : sql`in (select value from json_each(${JSON.stringify(values)}))`
}

async function spellings(db: MirrorDb, readings: readonly Reading[]) {
  const found = new Map<string, readonly string[]>()
  for (const word of singleWords(readings)) {
    if (!forgivesTypo(word)) continue
    const isWanted = isOneOf(db, [...oneTypoFrom(word)])
    const { rows } = await sql<{ word: string }>`
      select word from search_words where word ${isWanted} limit ${MAX_VARIANTS}`.execute(db)
    const variants = rows.map((row) => row.word)
    if (variants.length > 0) found.set(word, variants)
  }
  return found
}

const EXACT = 100
const END = 90
const BEGINNING = 80
const TYPO = 50
const WHOLE_NAME_BONUS = 2
const MIN_PART = 3
const MIN_END = 4
const MIN_PHONE = 7

function rankReturn(readings: readonly Reading[], record: Return): Rank {
  const fields = searchFields(record).map((field) => ({ field, words: fieldWords(field) }))
  return readings
    .map((reading) => rankReading(reading, fields))
    .reduce((best, rank) => (byRank(rank, best) < 0 ? rank : best))
}

interface FieldWords {
  field: SearchField
  words: readonly string[]
}

/** Scores by the mean of all words, so that readings of different length compare. */
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
  const bonus = matched.some((field) => hasWholeName(field, reading)) ? WHOLE_NAME_BONUS : 0
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

function hasWholeName({ kind, value }: SearchField, reading: Reading) {
  const words = singleWords([reading])
  return kind === 'name' && wordsIn(foldText(value)).every((word) => words.has(word))
}

function matchWord({ text, parts }: QueryWord, field: SearchField, words: readonly string[]) {
  const best = (wanted: string) => Math.max(...words.map((word) => compare(wanted, word, field.kind)), 0)
  const whole = best(text)
  return whole === EXACT || parts.length === 0 ? whole : Math.max(whole, Math.min(...parts.map(best)))
}

function compare(wanted: string, word: string, kind: SearchField['kind']) {
  if (kind === 'phone') return comparePhone(phoneDigits(wanted), wanted, word)
  if (wanted === word) return EXACT
  if (kind === 'code') {
    if (hasDigit(wanted) && wanted.length >= MIN_END && word.endsWith(wanted)) return END
    return wanted.length >= MIN_PART && word.startsWith(wanted) ? BEGINNING : 0
  }
  if (isUnspaced(wanted)) return word.includes(wanted) ? BEGINNING : 0
  if (wanted.length >= MIN_PART && word.startsWith(wanted)) return BEGINNING
  return forgivesTypo(wanted) && isOneTypo(wanted, word) ? TYPO : 0
}

function comparePhone(digits: string, wanted: string, word: string) {
  if (!/^\d+$/.test(wanted) || digits === '') return 0
  if (digits === word) return EXACT
  if (word.endsWith(digits)) return digits.length >= MIN_PHONE ? EXACT : digits.length >= MIN_END ? END : 0
  return word.length >= MIN_PHONE && digits.endsWith(word) ? EXACT : 0
}
