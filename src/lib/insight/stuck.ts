import { isReturnOver, isTransportOver } from '../wire/enumerations.ts'
import { joinParts, objectsIn } from '../wire/raw.ts'
import { parseServiceDate } from '../wire/time.ts'
import type { Transportation } from '../wire/transportations.ts'
import {
  awaitsParcel,
  DAY_MS,
  HOUR_MS,
  isExecuted,
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

/** Half of the time after which an unused label usually expires. */
const UNUSED_LABEL_MS = 14 * DAY_MS
/** Time that the check and the refund may take. */
const PATIENCE_MS = 72 * HOUR_MS
export const REFUNDED_STATUSES = ['CHECKED', 'CLOSED']
const FEW_SAMPLES = 50
const LIMIT_WITH_FEW_MS = 7 * DAY_MS

export type StuckRule = 'label-unused' | 'no-scan' | 'not-checked' | 'not-refunded' | 'over-with-parcel'

interface StuckReturn {
  name: string
  id: string | undefined
  shop: string | undefined
  status: string | undefined
  carrier: string | undefined
  carrierService: string | undefined
  rule: StuckRule
  why: string
  since: string
  hours: number
  samples?: number
  /** Words of the next command, without the program's name. */
  next: readonly string[]
}

/** Step that a return waits for, stuck after the limit. */
interface Candidate {
  rule: StuckRule
  what: string
  next: string
  since: string | null | undefined
  /** Limit; by default learnt for the carrier service, and at least `PATIENCE_MS`. */
  limitMs?: number
}

/** Earliest time in epoch milliseconds at which a return counts as stuck; undefined if it waits for nothing. */
export function stuckFrom(facts: ReturnFacts): number | undefined {
  const instants = candidatesOf(facts).flatMap(({ since, limitMs = PATIENCE_MS }) => {
    const sinceMs = parseServiceDate(since)
    return sinceMs === undefined ? [] : [sinceMs + limitMs]
  })
  return instants.length === 0 ? undefined : Math.min(...instants)
}

/** Returns the minutes between scans of an ended transport, from which limits are learnt; else none. */
export function scanGapsOf(transport: Transportation): number[] {
  if (!isTransportOver(transport.status)) return []
  const scans = scansOf(transport)
  return scans.slice(1).map(({ at }, before) => minutesOf(at - (scans[before]?.at ?? at)))
}

export class StuckFinder {
  readonly #gaps = new Map<string, DurationHistogram>()
  readonly #limits = new Map<string, ReturnType<typeof limitFrom>>()
  readonly #found: StuckReturn[] = []

  constructor(private readonly now: number) {}

  learn(carrier: unknown, service: unknown, gapMinutes: Iterable<number>) {
    const key = serviceText(carrier, service)
    const gaps = this.#gaps.get(key) ?? new DurationHistogram()
    this.#gaps.set(key, gaps)
    for (const minutes of gapMinutes) gaps.add(minutes)
  }

  /** Call `add` after all calls of `learn`. */
  add(facts: ReturnFacts) {
    const { record } = facts
    const transport = lastTransport(facts)
    const { carrierCode: carrier, carrierServiceCode: carrierService } = transport ?? {}
    const name = nameOf(record)
    for (const { rule, what, next, since, limitMs: fixedMs } of candidatesOf(facts)) {
      const learnt = fixedMs === undefined ? this.#limitOf(serviceText(carrier, carrierService)) : undefined
      const limitMs = fixedMs ?? learnt?.limitMs ?? 0
      const ageMs = this.now - (parseServiceDate(since) ?? Number.POSITIVE_INFINITY)
      if (!(ageMs > limitMs)) continue
      const limit = limitMs === 0 ? '' : `; the limit is ${spanText(limitMs)}`
      const basis = learnt === undefined ? '' : ` (${learnt.basis})`
      this.#found.push({
        name,
        id: record.id ?? undefined,
        shop: record.shopCode,
        status: record.status ?? undefined,
        carrier: carrier ?? undefined,
        carrierService: carrierService ?? undefined,
        rule,
        why: `${what} for ${spanText(ageMs)}${limit}${basis}`,
        since: String(since),
        hours: Math.floor(ageMs / HOUR_MS),
        ...(learnt && { samples: learnt.samples }),
        next: next === 'reply' ? ['returns', 'explain', name, '--reply'] : ['returns', next, name],
      })
    }
  }

  found(): readonly StuckReturn[] {
    return this.#found.sort((a, b) => b.hours - a.hours || (a.name < b.name ? -1 : 1))
  }

  #limitOf(service: string) {
    const limit = this.#limits.get(service) ?? limitFrom(service, this.#gaps.get(service))
    this.#limits.set(service, limit)
    return limit
  }
}

function serviceText(carrier: unknown, service: unknown) {
  return joinParts([carrier, service], ' ')
}

function limitFrom(service: string, known: DurationHistogram | undefined) {
  const samples = known?.count ?? 0
  const p95Ms = (known?.percentile(95) ?? 0) * MINUTE_MS
  const gaps = `${samples} gaps between scans of ${service}`
  if (samples < FEW_SAMPLES) {
    const basis = `${gaps} are too few to tell, ${FEW_SAMPLES} would do`
    return { limitMs: LIMIT_WITH_FEW_MS, samples, basis }
  }
  const basis = `95 % of ${gaps} are within ${spanText(p95Ms)}; the limit is twice that, at least ${spanText(PATIENCE_MS)}`
  return { limitMs: Math.max(PATIENCE_MS, 2 * p95Ms), samples, basis }
}

function candidatesOf(facts: ReturnFacts): Candidate[] {
  return [parcelCandidate(facts), checkCandidate(facts), refundCandidate(facts)].filter(
    (candidate) => candidate !== undefined,
  )
}

function parcelCandidate(facts: ReturnFacts): Candidate | undefined {
  const { record, transportations } = facts
  const transport = lastTransport(facts)
  if (transport === undefined) return undefined
  const { status } = transport
  const lastScan = scansOf(transport).at(-1)?.date
  if (isReturnOver(record.status)) {
    if (!isUnderWay(status)) return undefined
    const what = `${record.status} with a parcel on its way`
    const since = lastScan ?? record.updatedAt
    return { rule: 'over-with-parcel', what, next: 'transportations', since, limitMs: 0 }
  }
  if (!awaitsParcel(record.status)) return undefined
  if (status === 'REQUESTED') {
    if (lastScan !== undefined || !hasLabel(transport)) return undefined
    const since = transport.createdAt
    return { rule: 'label-unused', what: 'label never used', next: 'reply', since, limitMs: UNUSED_LABEL_MS }
  }
  if (!isUnderWay(status) && status !== 'PICK_UP_IN_PROGRESS') return undefined
  const since = lastScan ?? (transportations ? transport.createdAt : record.updatedAt)
  return { rule: 'no-scan', what: 'no scan', next: 'explain', since }
}

function checkCandidate(facts: ReturnFacts): Candidate | undefined {
  const { status, updatedAt } = facts.record
  const isReceived = status === 'RECEIVED'
  if (!isReceived && status !== 'RECEPTION_COMPLETED') return undefined
  const arrival = transportsOf(facts)
    .flatMap(scansOf)
    .findLast((scan) => scan.status === 'SHIPPING_COMPLETED')
  return {
    rule: 'not-checked',
    what: isReceived ? 'received and not checked' : 'arrived and not received',
    next: 'get',
    since: isReceived ? updatedAt : (arrival?.date ?? updatedAt),
    limitMs: PATIENCE_MS,
  }
}

function refundCandidate({ record, refunds }: ReturnFacts): Candidate | undefined {
  if (refunds === undefined || !REFUNDED_STATUSES.includes(String(record.status))) return undefined
  const listed = objectsIn(refunds)
  const open = listed.filter((refund) => !isExecuted(refund))
  const isMissing = listed.length === 0 && Number(String(record.totalRefund ?? 0)) > 0
  if (open.length === 0 && !isMissing) return undefined
  const failed = open.some(({ status }) => status === 'FAILED') ? ', the refund failed' : ''
  const what = `checked and not refunded${failed}`
  return { rule: 'not-refunded', what, next: 'refunds', since: record.updatedAt, limitMs: PATIENCE_MS }
}

/** True if a label was made, which the service does not date. */
function hasLabel(transport: Transportation) {
  const { carrierLabel, carrierReference, shippingLabels } = transport
  return Boolean(carrierLabel || carrierReference) || objectsIn(shippingLabels).length > 0
}
