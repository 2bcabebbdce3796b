import { sql } from 'kysely'
import type { ReturnTimes, ReturnTraits } from '../insight/stats.ts'
import { filteredMeasures } from './measures.ts'
import type { MirrorFilter } from './record.ts'
import { isPostgres } from './search/text-index.ts'
import type { MirrorDb } from './tables.ts'
import { numbersOf } from './words.ts'

/** What statistics count of a return. */
export interface CountedReturn {
  traits: ReturnTraits
  times: ReturnTimes
}

const [NUMBERS_END, LINE_END] = [';', ',']
const [DIGIT_0, DIGIT_9, MINUS, SPACE] = ['0', '9', '-', ' '].map((one) => one.charCodeAt(0)) as Codes
type Codes = [number, number, number, number]

/**
 * A line of numbers for each return: those of its words, the minute of its creation, minutes to its refunds and of its
 * arrivals (`1 2 3 4 5 6;29384756;2880;1440 980`). Texts would take the database and the counting several times as long.
 */
export async function statsLines(db: MirrorDb, returns: readonly CountedReturn[]): Promise<string[]> {
  const words = returns.map(({ traits }) => wordsOf(traits))
  const numbers = await numbersOf(db, words.flat())
  return returns.map(({ times }, index) => {
    const { createdMinute, refundMinutes, arrivalMinutes } = times
    const own = (words[index] ?? []).map((word) => numbers.get(word))
    const created = createdMinute === undefined ? [] : [createdMinute]
    return [own, created, refundMinutes, arrivalMinutes].map((list) => list.join(' ')).join(NUMBERS_END)
  })
}

/** As JSON: any database takes it, whatever was sent. */
function wordsOf({ status, shop, country, carrier, method, reasons }: ReturnTraits): string[] {
  return [status, shop, country, carrier, method, reasons].map((one) => JSON.stringify(one))
}

/** Those that pass, a block of their creation at a time. A block can be gone through once, before the next one. */
export async function* readStats(
  db: MirrorDb,
  filter: MirrorFilter,
): AsyncGenerator<Iterable<CountedReturn>, void, undefined> {
  const words: Words = []
  for await (const { number, text } of rowsOf(db, filter)) {
    if (number === null) yield readLines(text, words)
    else words[number] = JSON.parse(text)
  }
}

/** By their numbers; reasons are many words each. */
type Words = (string | ReturnTraits['reasons'])[]

/** Words and blocks by one statement: between two, a sync could add a word, or move a return to another block. */
async function* rowsOf(db: MirrorDb, filter: MirrorFilter) {
  const lines = sql<string>`string_agg(stats_line, ${sql.lit(LINE_END)})`
  const blocks = filteredMeasures(db, filter).groupBy('created_block')
  const query = db
    .selectFrom('measure_words')
    .select(['number', 'word as text'])
    .unionAll(blocks.select([sql<number>`null`.as('number'), lines.as('text')]))
  // SQLite goes through the words first, and then through blocks one by one; PostgreSQL promises no order.
  yield* isPostgres(db) ? await query.orderBy(sql`1 nulls last`).execute() : query.stream()
}

function* readLines(text: string, words: Words): Generator<CountedReturn, void, undefined> {
  const reader = new NumberReader(text)
  while (!reader.isAtEnd) {
    const [status = 0, shop = 0, country = 0, carrier = 0, method = 0, reasons = 0] = reader.next()
    const traits = {
      status: words[status] as string,
      shop: words[shop] as string,
      country: words[country] as string,
      carrier: words[carrier] as string,
      method: words[method] as string,
      reasons: words[reasons] as ReturnTraits['reasons'],
    }
    const [createdMinute] = reader.next()
    yield { traits, times: { createdMinute, refundMinutes: reader.next(), arrivalMinutes: reader.next() } }
  }
}

/** Lists of whole numbers, without the strings in between that splitting a text makes. */
class NumberReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** The numbers, apart by spaces, up to another character or the end. */
  next(): number[] {
    const numbers: number[] = []
    for (let [value, sign, isNumber] = [0, 1, false]; ; ) {
      const code = this.#text.charCodeAt(this.#at)
      this.#at += 1
      if (code >= DIGIT_0 && code <= DIGIT_9) {
        value = 10 * value + code - DIGIT_0
        isNumber = true
      } else if (code === MINUS) {
        sign = -1
      } else {
        if (isNumber) numbers.push(sign * value)
        if (code !== SPACE) return numbers
        ;[value, sign, isNumber] = [0, 1, false]
      }
    }
  }
}
