import { numberText } from '../wire/json.ts'
import { at, objectsIn } from '../wire/raw.ts'
import { offsetAt, parseServiceDate } from '../wire/time.ts'
import {
  DAY_MS,
  isExecuted,
  isUnderWay,
  lastTransport,
  minutesOf,
  type ReturnFacts,
  scansOf,
  transportsOf,
} from './case.ts'
import { DurationHistogram } from './duration-histogram.ts'

const TRAITS = ['status', 'method', 'carrier', 'country', 'shop'] as const
export const STATS_DIMENSIONS = [
  'status',
  'reason',
  'method',
  'carrier',
  'country',
  'shop',
  'day',
  'week',
] as const
export type StatsDimension = (typeof STATS_DIMENSIONS)[number]

type StatsFacts = ReturnType<typeof statsFactsOf>

/** Codes that the platform did not send are empty. */
export function statsFactsOf(facts: ReturnFacts) {
  const { record, refunds } = facts
  const transport = lastTransport(facts)
  const createdMs = parseServiceDate(record.createdAt)
  const reasons = objectsIn(record.returnLineItems).map(
    ({ returnReason }) =>
      [numberText(at(returnReason, 'code')), numberText(at(returnReason, 'reason')) || null] as const,
  )
  return {
    status: numberText(record.status),
    method: numberText(transport?.serviceType),
    carrier: numberText(transport?.carrierCode),
    country: numberText(at(at(record.customer, 'address'), 'countryCode')),
    shop: numberText(record.shopCode),
    reasons: [...new Map(reasons)],
    createdMs,
    refundMinutes: objectsIn(refunds).flatMap((refund) => {
      const executedMs = isExecuted(refund) ? parseServiceDate(refund.executedAt) : undefined
      return executedMs === undefined || createdMs === undefined ? [] : [minutesOf(executedMs - createdMs)]
    }),
    arrivalMinutes: transportsOf(facts).flatMap((one) => {
      const scans = scansOf(one)
      const handedIn = scans.find(({ status }) => isUnderWay(status))
      const arrived = scans.findLast(({ status }) => status === 'SHIPPING_COMPLETED')
      return handedIn && arrived ? [minutesOf(arrived.at - handedIn.at)] : []
    }),
  }
}

export class StatsCounter {
  readonly #all = new GroupCounter()
  readonly #groups = new Map(STATS_DIMENSIONS.map((by) => [by, new Map<string | number, GroupCounter>()]))

  constructor(private readonly zone: string) {}

  add(facts: StatsFacts) {
    const { reasons, createdMs } = facts
    this.#all.add(facts)
    for (const by of TRAITS) this.#group(by, facts[by]).add(facts)
    for (const [code, words] of reasons) {
      const group = this.#group('reason', code)
      group.add(facts)
      if (words !== null) group.name(words, createdMs ?? Number.NEGATIVE_INFINITY)
    }
    if (createdMs === undefined) return
    this.#group('day', Math.floor((createdMs + offsetAt(createdMs, this.zone)) / DAY_MS)).add(facts)
  }

  /** All returns first, then each dimension: days and weeks by date, others by size. */
  groups(dimensions: readonly StatsDimension[] = STATS_DIMENSIONS) {
    const total = this.#all.returns
    for (const [day, group] of this.#groups.get('day') ?? []) {
      // Day 0 (1970-01-01) was a Thursday, the fourth day of its week.
      this.#group('week', Math.floor((Number(day) + 3) / 7)).addAll(group)
    }
    const found = dimensions.flatMap((by) => {
      const groups = [...(this.#groups.get(by) ?? [])].map(([key, group]) =>
        group.described(by, typeof key === 'string' ? key : timeKey(by, key), total),
      )
      const isTime = by === 'day' || by === 'week'
      return groups.sort((a, b) => (isTime ? 0 : b.returns - a.returns) || (a.key < b.key ? -1 : 1))
    })
    this.#groups.get('week')?.clear()
    return [this.#all.described('all', 'all', total), ...found]
  }

  #group(by: StatsDimension, key: string | number) {
    const groups = this.#groups.get(by)
    const group = groups?.get(key) ?? new GroupCounter()
    groups?.set(key, group)
    return group
  }
}

class GroupCounter {
  returns = 0
  readonly #refunds = new DurationHistogram()
  readonly #arrivals = new DurationHistogram()
  #words: { text: string; createdMs: number } | undefined

  addAll(other: GroupCounter) {
    this.returns += other.returns
    this.#refunds.addAll(other.#refunds)
    this.#arrivals.addAll(other.#arrivals)
  }

  add({ refundMinutes, arrivalMinutes }: StatsFacts) {
    this.returns += 1
    for (const minutes of refundMinutes) this.#refunds.add(minutes)
    for (const minutes of arrivalMinutes) this.#arrivals.add(minutes)
  }

  /** Takes the label of the newest return. The alphabet breaks ties. */
  name(text: string, createdMs: number) {
    const known = this.#words
    const isNewer = known === undefined || createdMs > known.createdMs
    if (isNewer || (createdMs === known.createdMs && text < known.text)) this.#words = { text, createdMs }
  }

  described(by: StatsDimension | 'all', key: string, total: number) {
    const [requestToRefund, dropOffToArrival] = [percentilesOf(this.#refunds), percentilesOf(this.#arrivals)]
    return {
      by,
      /** Code, day `2026-03-01` or ISO week `2026-W09`; empty if nothing was sent. */
      key,
      ...(this.#words && { label: this.#words.text }),
      returns: this.returns,
      /** Share of all returns in per cent, to the tenth. A return with two reasons counts for both. */
      share: total === 0 ? 0 : Math.round((1000 * this.returns) / total) / 10,
      ...(requestToRefund && { requestToRefund }),
      ...(dropOffToArrival && { dropOffToArrival }),
    }
  }
}

function percentilesOf(times: DurationHistogram) {
  if (times.count === 0) return undefined
  const hours = (percent: number) => Math.round((10 * (times.percentile(percent) ?? 0)) / 60) / 10
  return { count: times.count, p50: hours(50), p90: hours(90), p95: hours(95) }
}

/** Returns `2026-03-01` for a day since 1970, `2026-W09` for a week, which is of the year of its Thursday (ISO 8601). */
function timeKey(by: StatsDimension, number: number) {
  if (by === 'day') return new Date(number * DAY_MS).toISOString().slice(0, 10)
  const thursday = new Date(number * 7 * DAY_MS)
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
