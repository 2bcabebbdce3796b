import { numberText } from '../wire/json.ts'
import { at, objectsIn } from '../wire/raw.ts'
import { offsetAt, parseWallTime } from '../wire/time.ts'
import {
  DAY_MS,
  instantOf,
  isUnderWay,
  lastTransport,
  MINUTE_MS,
  minutesOf,
  type ReturnFacts,
  scansOf,
  transportsOf,
} from './case.ts'
import { DurationHistogram, histogramBucket } from './duration-histogram.ts'

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

/** Percentiles of durations in hours, to the tenth. */
export interface Percentiles {
  count: number
  p50: number
  p90: number
  p95: number
}

/** Returns that have something in common. */
export interface StatsGroup {
  by: StatsDimension | 'all'
  /** Code, day `2026-03-01` or ISO week `2026-W09`; empty if nothing was sent. */
  key: string
  /** The reason in the shop's words. */
  label?: string
  returns: number
  /** Share of all returns in per cent, to the tenth. A return with two reasons counts for both. */
  share: number
  /** Time from the request to each executed refund. */
  requestToRefund?: Percentiles
  /** Time from the first scan of a parcel to its arrival. */
  dropOffToArrival?: Percentiles
}

/** Property that returns share. The key is empty if nothing was sent; reasons have the shop's words. */
export type StatsTrait = readonly [
  by: Exclude<StatsDimension, 'day' | 'week'>,
  key: string,
  words?: string | null,
]

/** Six hours. */
const QUARTER_MINUTES = 360

/** When a return was requested, and what it took. */
export interface ReturnTimes {
  /** Whole minutes since the epoch; undefined: nobody knows. */
  createdMinute: number | undefined
  /** Minutes from the request to each executed refund. */
  refundMinutes: readonly number[]
  /** Minutes from the first scan of each parcel to its arrival. */
  arrivalMinutes: readonly number[]
}

/** One of each kind, and each reason's code once. */
export function traitsOf(facts: ReturnFacts): StatsTrait[] {
  const { record } = facts
  const transport = lastTransport(facts)
  const reasons = new Map<string, string | null>()
  for (const { returnReason } of objectsIn(record.returnLineItems)) {
    reasons.set(numberText(at(returnReason, 'code')), numberText(at(returnReason, 'reason')) || null)
  }
  return [
    ['status', numberText(record.status)],
    ['method', numberText(transport?.serviceType)],
    ['carrier', numberText(transport?.carrierCode)],
    ['country', numberText(at(at(record.customer, 'address'), 'countryCode'))],
    ['shop', numberText(record.shopCode)],
    ...[...reasons].map(([code, words]) => ['reason', code, words] as const),
  ]
}

export function timesOf(facts: ReturnFacts): ReturnTimes {
  const createdAt = instantOf(facts.record.createdAt)
  return {
    createdMinute: createdAt === undefined ? undefined : Math.floor(createdAt / MINUTE_MS),
    refundMinutes: createdAt === undefined ? [] : refundMinutesOf(facts, createdAt),
    arrivalMinutes: transportsOf(facts).flatMap((one) => {
      const scans = scansOf(one)
      const handedIn = scans.find(({ status }) => isUnderWay(status))
      const arrived = scans.findLast(({ status }) => status === 'SHIPPING_COMPLETED')
      return handedIn && arrived ? [minutesOf(arrived.at - handedIn.at)] : []
    }),
  }
}

function refundMinutesOf({ refunds }: ReturnFacts, createdAt: number): number[] {
  return objectsIn(refunds).flatMap(({ status, executedAt }) => {
    const executed = status === 'EXECUTED' ? instantOf(executedAt) : undefined
    return executed === undefined ? [] : [minutesOf(executed - createdAt)]
  })
}

/** Counts returns in memory that grows with the groups and not with the returns. */
export class StatsCounter {
  readonly #groups = new Map<StatsDimension, Map<string, GroupCounter>>(
    STATS_DIMENSIONS.map((by) => [by, new Map()]),
  )
  /** Keys are days since the epoch, in the zone. */
  readonly #days = new Map<number, GroupCounter>()
  /** The last one, and whose returns they are; undefined where a day begins in it. */
  #quarter = Number.NaN
  #quarterGroup: GroupCounter | undefined

  /** Days and weeks are those of this IANA zone. */
  constructor(private readonly zone: string) {}

  /** Counts one return. */
  add(traits: readonly StatsTrait[], { createdMinute, refundMinutes, arrivalMinutes }: ReturnTimes): void {
    const [refunds, arrivals] = [refundMinutes.map(bucketOf), arrivalMinutes.map(bucketOf)]
    for (const [by, key, words = null] of traits) {
      const group = this.#group(by, key)
      group.add(refunds, arrivals)
      if (words !== null) group.name(words, createdMinute ?? Number.NEGATIVE_INFINITY)
    }
    if (createdMinute !== undefined) this.#dayOf(createdMinute).add(refunds, arrivals)
  }

  /** All returns first, then each dimension: times in their order, the rest by size. */
  groups(dimensions: readonly StatsDimension[] = STATS_DIMENSIONS): StatsGroup[] {
    const all = new GroupCounter()
    // Every return has one.
    for (const group of this.#groups.get('status')?.values() ?? []) all.addAll(group)
    const total = all.returns
    const found = dimensions.flatMap((by) => {
      const counted = by === 'week' ? this.#weeks() : (this.#groups.get(by) ?? [])
      const groups = [...counted]
        .filter(([, { returns }]) => returns > 0)
        .map(([key, group]) => group.told(by, key, total))
      const isTime = by === 'day' || by === 'week'
      return groups.sort((a, b) => (isTime ? 0 : b.returns - a.returns) || (a.key < b.key ? -1 : 1))
    })
    return [all.told('all', 'all', total), ...found]
  }

  #weeks(): Map<string, GroupCounter> {
    const weeks = new Map<string, GroupCounter>()
    for (const [day, group] of this.#groups.get('day') ?? []) groupIn(weeks, isoWeek(day)).addAll(group)
    return weeks
  }

  /** A mirror gives returns by a quarter of a day; nearly all of one are of the same day. */
  #dayOf(minute: number): GroupCounter {
    const quarter = Math.floor(minute / QUARTER_MINUTES)
    if (quarter !== this.#quarter) {
      const first = quarter * QUARTER_MINUTES
      const [day, lastDay] = [this.#dayAt(first), this.#dayAt(first + QUARTER_MINUTES - 1)]
      this.#quarter = quarter
      this.#quarterGroup = day === lastDay ? this.#dayGroup(day) : undefined
    }
    return this.#quarterGroup ?? this.#dayGroup(this.#dayAt(minute))
  }

  /** Days since the epoch, in the zone. */
  #dayAt(minute: number): number {
    const epochMs = minute * MINUTE_MS
    return Math.floor((epochMs + offsetAt(epochMs, this.zone)) / DAY_MS)
  }

  #dayGroup(day: number): GroupCounter {
    const known = this.#days.get(day)
    if (known !== undefined) return known
    const group = this.#group('day', new Date(day * DAY_MS).toISOString().slice(0, 10))
    this.#days.set(day, group)
    return group
  }

  #group(by: StatsDimension, key: string): GroupCounter {
    return groupIn(this.#groups.get(by) ?? new Map(), key)
  }
}

function groupIn(groups: Map<string, GroupCounter>, key: string): GroupCounter {
  const known = groups.get(key)
  const group = known ?? new GroupCounter()
  if (known === undefined) groups.set(key, group)
  return group
}

/** Exact to the minute up to four hours, to 1 % above. */
const EXACT_MINUTES = 256

function bucketOf(minutes: number): number {
  return histogramBucket(minutes, EXACT_MINUTES)
}

class GroupCounter {
  returns = 0
  readonly #refunds = new DurationHistogram(EXACT_MINUTES)
  readonly #arrivals = new DurationHistogram(EXACT_MINUTES)
  #words: { text: string; minute: number } | undefined

  addAll(other: GroupCounter): void {
    this.returns += other.returns
    this.#refunds.addAll(other.#refunds)
    this.#arrivals.addAll(other.#arrivals)
  }

  /** A return: its buckets of histograms. */
  add(refunds: readonly number[], arrivals: readonly number[]): void {
    this.returns += 1
    for (const bucket of refunds) this.#refunds.addBucket(bucket)
    for (const bucket of arrivals) this.#arrivals.addBucket(bucket)
  }

  /** The words of the newest return count; of several as new, the first by the alphabet. */
  name(words: string, minute: number): void {
    const known = this.#words
    const isNewer = known === undefined || minute > known.minute
    if (isNewer || (minute === known.minute && words < known.text)) this.#words = { text: words, minute }
  }

  told(by: StatsGroup['by'], key: string, total: number): StatsGroup {
    const [requestToRefund, dropOffToArrival] = [percentilesOf(this.#refunds), percentilesOf(this.#arrivals)]
    return {
      by,
      key,
      ...(this.#words && { label: this.#words.text }),
      returns: this.returns,
      share: total === 0 ? 0 : Math.round((1000 * this.returns) / total) / 10,
      ...(requestToRefund && { requestToRefund }),
      ...(dropOffToArrival && { dropOffToArrival }),
    }
  }
}

function percentilesOf(times: DurationHistogram): Percentiles | undefined {
  if (times.count === 0) return undefined
  const hours = (percent: number) => Math.round((10 * (times.percentile(percent) ?? 0)) / 60) / 10
  return { count: times.count, p50: hours(50), p90: hours(90), p95: hours(95) }
}

/** `2026-03-01` → `2026-W09`: the week of the year that its Thursday is in (ISO 8601). */
function isoWeek(day: string): string {
  const midnight = parseWallTime(`${day}T00:00`) ?? Number.NaN
  const weekday = (new Date(midnight).getUTCDay() + 6) % 7
  const thursday = new Date(midnight + (3 - weekday) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}
