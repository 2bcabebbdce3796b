import { sql } from 'kysely'
import type { ReturnTimes, ReturnTraits } from '../insight/stats.ts'
import { filteredMeasures, TRAIT_COLUMNS } from './measures.ts'
import type { MirrorFilter } from './record.ts'
import { isPostgres } from './search/text-index.ts'
import type { MirrorDb } from './tables.ts'

/** Returns that only time tells apart. */
export interface Cohort {
  traits: ReturnTraits
  /** Can be gone through once. */
  returns: Iterable<ReturnTimes>
}

/**
 * Grouped by the database, of each return only its times. There may be hundreds of thousands of groups, whose rows would
 * take longer than the rest: they come as one text for each status.
 */
export async function* readCohorts(
  db: MirrorDb,
  filter: MirrorFilter,
): AsyncGenerator<Cohort, void, undefined> {
  const times = sql<string>`string_agg(coalesce(cast(created_minute as text), '') || ';' || refund_minutes || ';'
    || arrival_minutes, ',')`
  const json = isPostgres(db) ? sql`json_build_array` : sql`json_array`
  const traits = sql<string>`cast(${json}(shop_code, country, carrier, service_type) as text)`
  // JSON escapes what separates the parts.
  const part = sql`${traits} || ${sql.lit('\t')} || reasons || ${sql.lit('\t')} || times`
  const traitsIn = parsedOnce<readonly [shop: string, country: string, carrier: string, method: string]>()
  const reasonsIn = parsedOnce<ReturnTraits['reasons']>()
  const cohorts = filteredMeasures(db, filter)
    .select([...TRAIT_COLUMNS, times.as('times')])
    .groupBy(TRAIT_COLUMNS)
    .as('cohorts')
  // One statement: between two, a sync could move a return from one status to the next.
  const statuses = await db
    .selectFrom(cohorts)
    .select(['status', sql<string>`string_agg(${part}, ${sql.lit('\n')})`.as('parts')])
    .groupBy('status')
    .execute()
  for (const { status, parts } of statuses) {
    for (const text of parts.split('\n')) {
      const [first = '', second = '', times = ''] = text.split('\t')
      const [shop, country, carrier, method] = traitsIn(first)
      const traits = { status, shop, country, carrier, method, reasons: reasonsIn(second) }
      yield { traits, returns: readTimes(times) }
    }
  }
}

/** Many texts are the same few. */
function parsedOnce<T>(): (json: string) => T {
  const known = new Map<string, T>()
  return (json) => {
    const before = known.get(json)
    if (before !== undefined) return before
    const parsed = JSON.parse(json) as T
    // A copy: a piece would keep the text that it was cut from.
    known.set(Buffer.from(json).toString(), parsed)
    return parsed
  }
}

/** `minute;minutes minutes;minutes,…` */
function* readTimes(text: string): Generator<ReturnTimes, void, undefined> {
  const reader = new NumberReader(text)
  while (!reader.isAtEnd) {
    const [createdMinute] = reader.next()
    yield { createdMinute, refundMinutes: reader.next(), arrivalMinutes: reader.next() }
  }
}

const [DIGIT_0, DIGIT_9, MINUS, SPACE] = ['0', '9', '-', ' '].map((one) => one.charCodeAt(0)) as Codes
type Codes = [number, number, number, number]

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

  /** The numbers, apart by spaces, up to another letter or the end. */
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
