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
  MINUTE_MS,
  minutesOf,
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

/** When a return counts as stuck, unless something happens: at the earliest, in ms; undefined: nothing is waited for. */
export function stuckFrom(facts: ReturnFacts): number | undefined {
  const instants = stopsOf(facts).flatMap(({ waiting: { since }, limitMs }) => {
    const sinceMs = instantOf(since)
    return sinceMs === undefined ? [] : [sinceMs + (limitMs ?? PATIENCE_MS)]
  })
  return instants.length === 0 ? undefined : Math.min(...instants)
}

/** Minutes between scans of a transport that has ended, which tell how long others may take; else none. */
export function scanGapsOf(transport: Transportation): number[] {
  if (!isTransportOver(transport.status)) return []
  const scans = scansOf(transport)
  return scans.slice(1).map(({ at }, before) => minutesOf(at - (scans[before]?.at ?? at)))
}

/** Whether something should be known about the refunds of a return in this state. */
export const REFUNDED_STATUSES = ['CHECKED', 'CLOSED']

/** Finds what does not move on, once it has learnt how long a parcel may go unscanned. */
export class StuckFinder {
  readonly #now: number
  readonly #gaps = new Map<string, DurationHistogram>()
  readonly #found: StuckReturn[] = []

  /** `now` in ms since the epoch, by the platform's clock. */
  constructor(now: number) {
    this.#now = now
  }

  /** Gaps of a carrier service (`scanGapsOf`). */
  learn(
    carrier: string | null | undefined,
    service: string | null | undefined,
    gapMinutes: Iterable<number>,
  ): void {
    const key = serviceKey(carrier, service)
    const gaps = this.#gaps.get(key) ?? new DurationHistogram(EXACT_MINUTES)
    this.#gaps.set(key, gaps)
    for (const minutes of gapMinutes) gaps.add(minutes)
  }

  /** After all was learnt. */
  add(facts: ReturnFacts): void {
    for (const stop of stopsOf(facts)) {
      if (stop.limitMs === undefined) this.#judgeScans(stop)
      else this.#report(stop, stop.limitMs)
    }
  }

  /** All that is stuck, the oldest first. */
  found(): StuckReturn[] {
    return this.#found.sort((a, b) => b.hours - a.hours || (a.name < b.name ? -1 : 1))
  }

  limitOf(carrier: string | null | undefined, service: string | null | undefined): ScanLimit {
    const gaps = this.#gaps.get(serviceKey(carrier, service))
    const samples = gaps?.count ?? 0
    const p95 = samples < FEW_SAMPLES ? undefined : gaps?.percentile(95)
    const p95Ms = p95 === undefined ? undefined : p95 * MINUTE_MS
    return {
      limitMs: p95Ms === undefined ? LIMIT_WITH_FEW_MS : Math.max(PATIENCE_MS, 2 * p95Ms),
      p95Ms,
      samples,
    }
  }

  #judgeScans(stop: Stop): void {
    const { carrier, carrierService } = stop.waiting
    const { limitMs, p95Ms, samples } = this.limitOf(carrier, carrierService)
    const service = [carrier, carrierService].filter(Boolean).join(' ')
    const gaps = `${samples} gaps between scans of ${service}`
    const basis =
      p95Ms === undefined
        ? `${gaps} are too few to tell, ${FEW_SAMPLES} would do`
        : `95 % of ${gaps} are within ${spanText(p95Ms)}; the limit is twice that, at least ${spanText(PATIENCE_MS)}`
    this.#report(stop, limitMs, { basis, samples })
  }

  #report(
    { waiting, rule, what, next }: Stop,
    limitMs: number,
    learnt?: { basis: string; samples: number },
  ): void {
    const ageMs = this.#now - (instantOf(waiting.since) ?? Number.POSITIVE_INFINITY)
    if (!(ageMs > limitMs)) return
    const limit = limitMs === 0 ? '' : `; the limit is ${spanText(limitMs)}`
    this.#found.push({
      ...waiting,
      since: String(waiting.since),
      rule,
      why: `${what} for ${spanText(ageMs)}${limit}${learnt === undefined ? '' : ` (${learnt.basis})`}`,
      hours: Math.floor(ageMs / HOUR_MS),
      ...(learnt && { samples: learnt.samples }),
      next:
        next === 'reply' ? ['returns', 'explain', waiting.name, '--reply'] : ['returns', next, waiting.name],
    })
  }
}

type Waiting = Pick<StuckReturn, 'name' | 'id' | 'shop' | 'status' | 'carrier' | 'carrierService'> & {
  since: string | null | undefined
}

/** Something that a return waits for. */
interface Stop {
  rule: StuckRule
  what: string
  next: 'reply' | 'explain' | 'get' | 'refunds' | 'transportations'
  waiting: Waiting
  /** Undefined: what is learnt of the carrier service, at least `PATIENCE_MS`. */
  limitMs: number | undefined
}

function stopsOf(facts: ReturnFacts): Stop[] {
  const transport = lastTransport(facts)
  return [parcelStop(facts, transport), checkStop(facts, transport), refundStop(facts, transport)].filter(
    (stop) => stop !== undefined,
  )
}

function parcelStop(
  { record, transportations }: ReturnFacts,
  transport: Transportation | undefined,
): Stop | undefined {
  if (transport === undefined) return undefined
  const scans = scansOf(transport)
  if (isReturnOver(record.status)) {
    if (!isUnderWay(transport.status)) return undefined
    return {
      rule: 'over-with-parcel',
      what: `${record.status} with a parcel on its way`,
      next: 'transportations',
      waiting: waiting(record, transport, scans.at(-1)?.date ?? record.updatedAt),
      limitMs: 0,
    }
  }
  if (!awaitsParcel(record.status)) return undefined
  if (transport.status === 'REQUESTED') {
    if (scans.length > 0 || !hasLabel(transport)) return undefined
    return {
      rule: 'label-unused',
      what: 'label never used',
      next: 'reply',
      waiting: waiting(record, transport, transport.createdAt),
      limitMs: UNUSED_LABEL_MS,
    }
  }
  if (!isUnderWay(transport.status) && transport.status !== 'PICK_UP_IN_PROGRESS') return undefined
  const lastNews = scans.at(-1)?.date ?? (transportations ? transport.createdAt : record.updatedAt)
  return {
    rule: 'no-scan',
    what: 'no scan',
    next: 'explain',
    waiting: waiting(record, transport, lastNews),
    limitMs: undefined,
  }
}

function checkStop(facts: ReturnFacts, transport: Transportation | undefined): Stop | undefined {
  const { record } = facts
  const isReceived = record.status === 'RECEIVED'
  if (!isReceived && record.status !== 'RECEPTION_COMPLETED') return undefined
  const arrival = isReceived ? undefined : arrivalOf(transportsOf(facts))
  return {
    rule: 'not-checked',
    what: isReceived ? 'received and not checked' : 'arrived and not received',
    next: 'get',
    waiting: waiting(record, transport, arrival ?? record.updatedAt),
    limitMs: PATIENCE_MS,
  }
}

function refundStop(
  { record, refunds }: ReturnFacts,
  transport: Transportation | undefined,
): Stop | undefined {
  if (refunds === undefined || !REFUNDED_STATUSES.includes(String(record.status))) return undefined
  const listed = objectsIn(refunds)
  const open = listed.filter(({ status }) => status !== 'EXECUTED')
  const isMissing = listed.length === 0 && Number(String(record.totalRefund ?? 0)) > 0
  if (open.length === 0 && !isMissing) return undefined
  const failed = open.some(({ status }) => status === 'FAILED') ? ', the refund failed' : ''
  return {
    rule: 'not-refunded',
    what: `checked and not refunded${failed}`,
    next: 'refunds',
    waiting: waiting(record, transport, record.updatedAt),
    limitMs: PATIENCE_MS,
  }
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
