import { objectsIn } from '../wire/raw.ts'
import { isReturnOver } from '../wire/return-states.ts'
import type { Return } from '../wire/returns.ts'
import { isTransportOver } from '../wire/transport-states.ts'
import type { Transportation } from '../wire/transportations.ts'
import {
  awaitsParcel,
  DAY_MS,
  HOUR_MS,
  instantOf,
  isUnderWay,
  lastTransport,
  nameOf,
  type ReturnFacts,
  scansOf,
  spanText,
  transportsOf,
} from './case.ts'
import { DurationHistogram } from './duration-histogram.ts'

export type StuckRule = 'label-unused' | 'no-scan' | 'not-checked' | 'not-refunded' | 'over-with-parcel'

export interface StuckReturn {
  name: string
  id: string | undefined
  shop: string | undefined
  status: string | undefined
  carrier: string | undefined
  carrierService: string | undefined
  rule: StuckRule
  /** The rule with its numbers: what was waited for, how long it may take, how that is known. */
  why: string
  /** When it stopped, as the service wrote it. */
  since: string
  hours: number
  /** Of `no-scan`: gaps between scans that the limit was taken from. */
  samples?: number
  /** Words of the command that leads on, without the program's name. */
  next: readonly string[]
}

/** Half of the time after which an unused label usually expires. */
const UNUSED_LABEL_MS = 14 * DAY_MS
/** Three days, for the warehouse and for whoever pays. */
const PATIENCE_MS = 72 * HOUR_MS
/** 68 hours; twice as much is beyond all that a limit has to be exact for. */
const EXACT_MINUTES = 4096
const FEW_SAMPLES = 50
const LIMIT_WITH_FEW_MS = 7 * DAY_MS

/** How long a parcel of a carrier service may go without a scan. */
export interface ScanLimit {
  limitMs: number
  /** 95th percentile of the gaps; undefined with too few of them. */
  p95Ms: number | undefined
  samples: number
}

/**
 * Finds what does not move on. It is told of each return once, and judges at the end: how long a parcel may go unscanned
 * is learnt from the transports that have ended.
 */
export class StuckFinder {
  readonly #now: number
  readonly #gaps = new Map<string, DurationHistogram>()
  readonly #found: StuckReturn[] = []
  readonly #unscanned: Waiting[] = []
  #unread = 0

  /** `now` in ms since the epoch, by the platform's clock. */
  constructor(now: number) {
    this.#now = now
  }

  /** Returns of which nothing is known about refunds, and something should be. */
  get unread(): number {
    return this.#unread
  }

  add(facts: ReturnFacts): void {
    const transports = transportsOf(facts)
    for (const transport of transports) this.#learn(transport)
    const { record } = facts
    const transport = lastTransport(facts)
    if (transport) this.#judgeParcel(facts, transport)
    if (record.status === 'RECEPTION_COMPLETED' || record.status === 'RECEIVED') {
      const arrival = record.status === 'RECEIVED' ? undefined : arrivalOf(transports)
      this.#report(waiting(record, transport, arrival ?? record.updatedAt), PATIENCE_MS, {
        rule: 'not-checked',
        what: record.status === 'RECEIVED' ? 'received and not checked' : 'arrived and not received',
        next: 'get',
      })
    }
    if (record.status === 'CHECKED' || record.status === 'CLOSED') this.#judgeRefunds(facts, transport)
  }

  /** All that is stuck, the oldest first. */
  found(): StuckReturn[] {
    for (const facts of this.#unscanned.splice(0)) this.#judgeScans(facts)
    return this.#found.sort((a, b) => b.hours - a.hours || (a.name < b.name ? -1 : 1))
  }

  limitOf(carrier: string | null | undefined, service: string | null | undefined): ScanLimit {
    const gaps = this.#gaps.get(serviceKey(carrier, service))
    const samples = gaps?.count ?? 0
    const p95Ms = samples < FEW_SAMPLES ? undefined : gaps?.percentile(95)
    return {
      limitMs: p95Ms === undefined ? LIMIT_WITH_FEW_MS : Math.max(PATIENCE_MS, 2 * p95Ms),
      p95Ms,
      samples,
    }
  }

  #learn(transport: Transportation): void {
    if (!isTransportOver(transport.status)) return
    const scans = scansOf(transport)
    if (scans.length < 2) return
    const key = serviceKey(transport.carrierCode, transport.carrierServiceCode)
    const gaps = this.#gaps.get(key) ?? new DurationHistogram(EXACT_MINUTES)
    this.#gaps.set(key, gaps)
    scans.reduce((before, scan) => {
      gaps.add(scan.at - before.at)
      return scan
    })
  }

  #judgeParcel({ record, transportations }: ReturnFacts, transport: Transportation): void {
    const scans = scansOf(transport)
    if (isReturnOver(record.status)) {
      if (!isUnderWay(transport.status)) return
      const since = scans.at(-1)?.date ?? record.updatedAt
      const what = `${record.status} with a parcel on its way`
      this.#report(waiting(record, transport, since), 0, {
        rule: 'over-with-parcel',
        what,
        next: 'transportations',
      })
      return
    }
    if (!awaitsParcel(record.status)) return
    if (transport.status === 'REQUESTED') {
      if (scans.length > 0 || !hasLabel(transport)) return
      this.#report(waiting(record, transport, transport.createdAt), UNUSED_LABEL_MS, {
        rule: 'label-unused',
        what: 'label never used',
        next: 'reply',
      })
    } else if (isUnderWay(transport.status) || transport.status === 'PICK_UP_IN_PROGRESS') {
      const lastNews = scans.at(-1)?.date ?? (transportations ? transport.createdAt : record.updatedAt)
      const facts = waiting(record, transport, lastNews)
      // No limit is shorter.
      if (this.#ageOf(facts) > PATIENCE_MS) this.#unscanned.push(facts)
    }
  }

  #judgeScans(facts: Waiting): void {
    const { carrier, carrierService } = facts
    const { limitMs, p95Ms, samples } = this.limitOf(carrier, carrierService)
    const service = [carrier, carrierService].filter(Boolean).join(' ')
    const gaps = `${samples} gaps between scans of ${service}`
    const basis =
      p95Ms === undefined
        ? `${gaps} are too few to tell, ${FEW_SAMPLES} would do`
        : `95 % of ${gaps} are within ${spanText(p95Ms)}; the limit is twice that, at least ${spanText(PATIENCE_MS)}`
    const stop = { rule: 'no-scan', what: 'no scan', next: 'explain', basis, samples } as const
    this.#report(facts, limitMs, stop)
  }

  #judgeRefunds({ record, refunds }: ReturnFacts, transport: Transportation | undefined): void {
    if (refunds === undefined) {
      this.#unread += 1
      return
    }
    const listed = objectsIn(refunds)
    const open = listed.filter(({ status }) => status !== 'EXECUTED')
    const isMissing = listed.length === 0 && Number(String(record.totalRefund ?? 0)) > 0
    if (open.length === 0 && !isMissing) return
    const failed = open.some(({ status }) => status === 'FAILED') ? ', the refund failed' : ''
    this.#report(waiting(record, transport, record.updatedAt), PATIENCE_MS, {
      rule: 'not-refunded',
      what: `checked and not refunded${failed}`,
      next: 'refunds',
    })
  }

  #ageOf({ since }: Waiting): number {
    return this.#now - (instantOf(since) ?? Number.POSITIVE_INFINITY)
  }

  #report(facts: Waiting, limitMs: number, stop: Stop): void {
    const ageMs = this.#ageOf(facts)
    if (!(ageMs > limitMs)) return
    const { rule, what, next, basis, samples } = stop
    const limit = limitMs === 0 ? '' : `; the limit is ${spanText(limitMs)}`
    this.#found.push({
      ...facts,
      since: String(facts.since),
      rule,
      why: `${what} for ${spanText(ageMs)}${limit}${basis === undefined ? '' : ` (${basis})`}`,
      hours: Math.floor(ageMs / HOUR_MS),
      ...(samples === undefined ? {} : { samples }),
      next: next === 'reply' ? ['returns', 'explain', facts.name, '--reply'] : ['returns', next, facts.name],
    })
  }
}

/** What of a return is kept until the end. */
type Waiting = Pick<StuckReturn, 'name' | 'id' | 'shop' | 'status' | 'carrier' | 'carrierService'> & {
  since: string | null | undefined
}

interface Stop {
  rule: StuckRule
  what: string
  next: 'reply' | 'explain' | 'get' | 'refunds' | 'transportations'
  basis?: string
  samples?: number
}

function waiting(
  record: Return,
  transport: Transportation | undefined,
  since: string | null | undefined,
): Waiting {
  return {
    name: nameOf(record),
    id: record.id ?? undefined,
    shop: record.shopCode,
    status: record.status ?? undefined,
    carrier: transport?.carrierCode ?? undefined,
    carrierService: transport?.carrierServiceCode ?? undefined,
    since,
  }
}

function serviceKey(carrier: string | null | undefined, service: string | null | undefined): string {
  return `${carrier ?? ''}\n${service ?? ''}`
}

/** A label without a scan is all that says that it was made: the service dates none. */
function hasLabel(transport: Transportation): boolean {
  const { carrierLabel, carrierReference, shippingLabels } = transport
  return Boolean(carrierLabel || carrierReference) || objectsIn(shippingLabels).length > 0
}

function arrivalOf(transports: readonly Transportation[]): string | undefined {
  return transports.flatMap(scansOf).findLast(({ status }) => status === 'SHIPPING_COMPLETED')?.date
}
