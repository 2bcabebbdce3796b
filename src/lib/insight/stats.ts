import { at, objectsIn } from '../wire/raw.ts'
import { instantToWallTime, parseWallTime } from '../wire/time.ts'
import {
  DAY_MS,
  HOUR_MS,
  instantOf,
  isUnderWay,
  lastTransport,
  type ReturnFacts,
  scansOf,
  transportsOf,
} from './case.ts'
import { DurationHistogram } from './duration-histogram.ts'

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

/** Of durations, in hours, to the tenth. */
export interface Percentiles {
  count: number
  p50: number
  p90: number
  p95: number
}

/** Returns that have something in common. */
export interface StatsGroup {
  by: StatsDimension | 'all'
  /** As sent; a day `2026-03-01`, an ISO week `2026-W09`; empty where nothing was sent. */
  key: string
  /** The reason in the shop's words. */
  label?: string
  returns: number
  /** Of all returns, in per cent, to the tenth. A return with two reasons counts for both. */
  share: number
  /** From the request to each executed refund. */
  requestToRefund?: Percentiles
  /** From the first scan of a parcel to its arrival. */
  dropOffToArrival?: Percentiles
}

/** What is counted of a return. Times are ms. */
export interface StatsRow {
  status: string
  shop: string
  country: string
  carrier: string
  /** Service type, such as `drop-off`. */
  method: string
  /** Code to words. */
  reasons: ReadonlyMap<string, string | undefined>
  createdAt: number | undefined
  refundTimes: readonly number[]
  arrivalTimes: readonly number[]
}

export function statsRowOf(facts: ReturnFacts): StatsRow {
  const { record } = facts
  const transport = lastTransport(facts)
  const createdAt = instantOf(record.createdAt)
  const lines = objectsIn(record.returnLineItems)
  return {
    status: textOf(record.status),
    shop: textOf(record.shopCode),
    country: textOf(at(at(record.customer, 'address'), 'countryCode')),
    carrier: textOf(transport?.carrierCode),
    method: textOf(transport?.serviceType),
    reasons: new Map(
      lines.map(({ returnReason }) => [textOf(at(returnReason, 'code')), returnReason?.reason ?? undefined]),
    ),
    createdAt,
    refundTimes: createdAt === undefined ? [] : refundTimesOf(facts, createdAt),
    arrivalTimes: transportsOf(facts).flatMap((one) => {
      const scans = scansOf(one)
      const handedIn = scans.find(({ status }) => isUnderWay(status))
      const arrived = scans.findLast(({ status }) => status === 'SHIPPING_COMPLETED')
      return handedIn && arrived ? [arrived.at - handedIn.at] : []
    }),
  }
}

function refundTimesOf({ refunds }: ReturnFacts, createdAt: number): number[] {
  return objectsIn(refunds).flatMap(({ status, executedAt }) => {
    const executed = status === 'EXECUTED' ? instantOf(executedAt) : undefined
    return executed === undefined ? [] : [executed - createdAt]
  })
}

/** Counts returns, one at a time, in memory that grows with the groups and not with the returns. */
export class StatsCounter {
  readonly #all = new GroupCounter(undefined)
  readonly #times = new DurationHistogram(EXACT_MINUTES)
  readonly #groups = new Map<StatsDimension, Map<string, GroupCounter>>(
    STATS_DIMENSIONS.map((by) => [by, new Map()]),
  )
  readonly #calendar: Calendar

  /** Days and weeks are those of this IANA zone. */
  constructor(zone: string) {
    this.#calendar = new Calendar(zone)
  }

  add(row: StatsRow): void {
    const refunds = row.refundTimes.map((time) => this.#times.bucketOf(time))
    const arrivals = row.arrivalTimes.map((time) => this.#times.bucketOf(time))
    const count = (by: StatsDimension, key: string, label?: string) =>
      this.#group(by, key, label).add(refunds, arrivals)
    this.#all.add(refunds, arrivals)
    count('status', row.status)
    count('method', row.method)
    count('carrier', row.carrier)
    count('country', row.country)
    count('shop', row.shop)
    for (const [code, label] of row.reasons) count('reason', code, label)
    if (row.createdAt === undefined) return
    const { day, week } = this.#calendar.dateOf(row.createdAt)
    count('day', day)
    count('week', week)
  }

  /** All returns first, then each dimension: times in their order, the rest by size. */
  groups(dimensions: readonly StatsDimension[] = STATS_DIMENSIONS): StatsGroup[] {
    const total = this.#all.returns
    const found = dimensions.flatMap((by) => {
      const groups = [...(this.#groups.get(by) ?? [])].map(([key, group]) => group.told(by, key, total))
      const isTime = by === 'day' || by === 'week'
      return groups.sort((a, b) => (isTime ? 0 : b.returns - a.returns) || (a.key < b.key ? -1 : 1))
    })
    return [this.#all.told('all', 'all', total), ...found]
  }

  #group(by: StatsDimension, key: string, label: string | undefined): GroupCounter {
    const groups = this.#groups.get(by)
    let group = groups?.get(key)
    if (group === undefined) {
      group = new GroupCounter(label)
      groups?.set(key, group)
    }
    return group
  }
}

/** Exact to the minute up to four hours, to 1 % above. */
const EXACT_MINUTES = 256

class GroupCounter {
  returns = 0
  readonly #refunds = new DurationHistogram(EXACT_MINUTES)
  readonly #arrivals = new DurationHistogram(EXACT_MINUTES)

  constructor(private readonly label: string | undefined) {}

  /** Durations as buckets of a histogram of this bound. */
  add(refunds: readonly number[], arrivals: readonly number[]): void {
    this.returns += 1
    for (const bucket of refunds) this.#refunds.addBucket(bucket)
    for (const bucket of arrivals) this.#arrivals.addBucket(bucket)
  }

  told(by: StatsGroup['by'], key: string, total: number): StatsGroup {
    const [requestToRefund, dropOffToArrival] = [percentilesOf(this.#refunds), percentilesOf(this.#arrivals)]
    return {
      by,
      key,
      ...(this.label === undefined ? {} : { label: this.label }),
      returns: this.returns,
      share: total === 0 ? 0 : Math.round((1000 * this.returns) / total) / 10,
      ...(requestToRefund && { requestToRefund }),
      ...(dropOffToArrival && { dropOffToArrival }),
    }
  }
}

function percentilesOf(times: DurationHistogram): Percentiles | undefined {
  if (times.count === 0) return undefined
  const hours = (percent: number) => Math.round((10 * (times.percentile(percent) ?? 0)) / HOUR_MS) / 10
  return { count: times.count, p50: hours(50), p90: hours(90), p95: hours(95) }
}

/** No zone changes its offset within one. */
const SLOT_MS = DAY_MS / 96

class Calendar {
  readonly #zone: string
  readonly #dates = new Map<number, { day: string; week: string }>()

  constructor(zone: string) {
    this.#zone = zone
  }

  dateOf(epochMs: number): { day: string; week: string } {
    const slot = Math.floor(epochMs / SLOT_MS)
    let date = this.#dates.get(slot)
    if (date === undefined) {
      const day = instantToWallTime(slot * SLOT_MS, this.#zone).slice(0, 10)
      date = { day, week: isoWeek(day) }
      this.#dates.set(slot, date)
    }
    return date
  }
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

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}
