import { sql } from 'kysely'
import type { ReturnFacts } from '../insight/case.ts'
import {
  type CountedTrait,
  type ReturnTimes,
  type StatsCounter,
  type StatsTrait,
  timesOf,
  traitsOf,
} from '../insight/stats.ts'
import { filteredMeasures } from './read.ts'
import type { MirrorFilter } from './record.ts'
import { isPostgres } from './search/text-index.ts'
import type { MirrorDb } from './tables.ts'

/** What statistics count of a return. */
export interface CountedReturn {
  /** JSON of `StatsTrait`s. */
  traits: readonly string[]
  times: ReturnTimes
}

export function countedReturn(facts: ReturnFacts): CountedReturn {
  return { traits: traitsOf(facts).map(traitText), times: timesOf(facts) }
}

/** Of words of traits, which come again and again. */
const quoted = new Map<string, string>()

/** As `JSON.stringify` writes it. */
function traitText([by, key, words]: StatsTrait): string {
  if (words === undefined) return `["${by}",${quote(key)}]`
  return `["${by}",${quote(key)},${words === null ? 'null' : quote(words)}]`
}

function quote(text: string): string {
  const known = quoted.get(text)
  if (known !== undefined) return known
  if (quoted.size >= MAX_KNOWN_TRAITS) quoted.clear()
  const json = JSON.stringify(text)
  quoted.set(text, json)
  return json
}

const MAX_KNOWN_TRAITS = 20_000

/** Numbers of traits that are there for certain, by their JSON; bounded. */
export type KnownTraits = Map<string, number>

const [LIST_END, LINE_END] = [';', ',']
const [DIGIT_0, DIGIT_9, MINUS, SPACE] = ['0', '9', '-', ' '].map((one) => one.charCodeAt(0)) as Codes
type Codes = [number, number, number, number]
const NONE: readonly number[] = []

/**
 * A line of numbers for each return: of its traits, the minute of its creation, the minutes to its refunds and of its
 * arrivals (`1 2 3 4 5 6;29384756;2880;1440 980`). With texts the database and the counting take several times as long.
 * To be called inside a transaction.
 */
export async function statsLines(
  db: MirrorDb,
  returns: readonly CountedReturn[],
  known: KnownTraits = new Map(),
): Promise<string[]> {
  await learnNumbers(db, returns, known)
  return returns.map(({ traits, times }) => {
    const { createdMinute = '', refundMinutes, arrivalMinutes } = times
    const own = traits.map((trait) => known.get(trait)).join(' ')
    return [own, createdMinute, refundMinutes.join(' '), arrivalMinutes.join(' ')].join(LIST_END)
  })
}

/** Those that have none get one. */
async function learnNumbers(
  db: MirrorDb,
  returns: readonly CountedReturn[],
  known: KnownTraits,
): Promise<void> {
  if (known.size >= MAX_KNOWN_TRAITS) known.clear()
  const wanted = new Set<string>()
  for (const { traits } of returns) for (const trait of traits) if (!known.has(trait)) wanted.add(trait)
  const learn = async (traits: readonly string[]) => {
    for (const [trait, number] of await readNumbers(db, traits)) known.set(trait, number)
  }
  await learn([...wanted])
  const missing = [...wanted].filter((trait) => !known.has(trait))
  if (missing.length === 0) return
  // Another process may be as far.
  await db
    .insertInto('stats_traits')
    .values(missing.map((trait) => ({ trait })))
    .onConflict((conflict) => conflict.column('trait').doNothing())
    .execute()
  await learn(missing)
}

async function readNumbers(db: MirrorDb, traits: readonly string[]): Promise<Map<string, number>> {
  if (traits.length === 0) return new Map()
  const rows = await db
    .selectFrom('stats_traits')
    .select(['number', 'trait'])
    .where('trait', 'in', traits)
    .execute()
  return new Map(rows.map(({ number, trait }) => [trait, number]))
}

/** For words that stood in removed returns alone. To be called inside a transaction. */
export async function dropUnusedTraits(db: MirrorDb): Promise<void> {
  const unused = new Set<number>()
  for await (const { number, text } of rowsOf(db, {})) {
    if (number !== null) unused.add(number)
    else for (const used of traitsIn(text)) unused.delete(used)
  }
  if (unused.size > 0)
    await db
      .deleteFrom('stats_traits')
      .where('number', 'in', [...unused])
      .execute()
}

function* traitsIn(lines: string): Generator<number, void, undefined> {
  for (const line of lines.split(LINE_END)) yield* line.split(LIST_END, 1).join('').split(' ').map(Number)
}

/** Counts those that pass. */
export async function countStats(db: MirrorDb, filter: MirrorFilter, counter: StatsCounter): Promise<void> {
  const traits: CountedTrait[] = []
  for await (const { number, text } of rowsOf(db, filter)) {
    if (number === null) countLines(text, traits, counter)
    else traits[number] = counter.trait(JSON.parse(text))
  }
}

/**
 * Traits, and lines of a block of creation at a time. By one statement: between two, a sync could add a trait, or move
 * a return to another block.
 */
async function* rowsOf(db: MirrorDb, filter: MirrorFilter) {
  const lines = sql<string>`string_agg(stats_line, ${sql.lit(LINE_END)})`
  const blocks = filteredMeasures(db, filter).groupBy('created_block')
  const query = db
    .selectFrom('stats_traits')
    .select([sql<number | null>`number`.as('number'), 'trait as text'])
    .unionAll(blocks.select([sql<number | null>`null`.as('number'), lines.as('text')]))
  // SQLite goes through the traits first, and then through blocks one by one; PostgreSQL promises no order.
  yield* isPostgres(db) ? await query.orderBy(sql`1 nulls last`).execute() : query.stream()
}

function countLines(lines: string, known: readonly CountedTrait[], counter: StatsCounter): void {
  const reader = new LineReader(lines)
  while (!reader.isAtEnd) {
    const traits = reader.list().map((number) => known[number] as CountedTrait)
    const [createdMinute] = reader.list()
    counter.add(traits, { createdMinute, refundMinutes: reader.list(), arrivalMinutes: reader.list() })
  }
}

/** Without the strings in between that splitting a text makes. */
class LineReader {
  readonly #text: string
  #at = 0
  /** What stood behind the last number. */
  #separator = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Whole numbers, apart by spaces, up to another character or the end. */
  list(): readonly number[] {
    const code = this.#text.charCodeAt(this.#at)
    if (code !== MINUS && !isDigit(code)) {
      this.#at += 1
      return NONE
    }
    const numbers = [this.#number()]
    while (this.#separator === SPACE) numbers.push(this.#number())
    return numbers
  }

  #number(): number {
    const text = this.#text
    let at = this.#at
    let code = text.charCodeAt(at)
    const isNegative = code === MINUS
    if (isNegative) {
      at += 1
      code = text.charCodeAt(at)
    }
    let value = 0
    while (isDigit(code)) {
      value = 10 * value + code - DIGIT_0
      at += 1
      code = text.charCodeAt(at)
    }
    this.#at = at + 1
    this.#separator = code
    return isNegative ? -value : value
  }
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9
}
