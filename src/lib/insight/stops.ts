import { objectsIn } from '../wire/raw.ts'
import { isReturnOver } from '../wire/return-states.ts'
import type { Return } from '../wire/returns.ts'
import type { Transportation } from '../wire/transportations.ts'
import {
  awaitsParcel,
  DAY_MS,
  HOUR_MS,
  isUnderWay,
  lastTransport,
  nameOf,
  type ReturnFacts,
  scansOf,
  transportsOf,
} from './case.ts'

/** Half of the time after which an unused label usually expires. */
const UNUSED_LABEL_MS = 14 * DAY_MS
/** Three days, for the warehouse and for whoever pays. */
export const PATIENCE_MS = 72 * HOUR_MS
/** Whether something should be known about the refunds of a return in this state. */
export const REFUNDED_STATUSES = ['CHECKED', 'CLOSED']

export type StuckRule = 'label-unused' | 'no-scan' | 'not-checked' | 'not-refunded' | 'over-with-parcel'

/** A return that waits, and since when, as the service wrote it. */
export interface Waiting {
  name: string
  id: string | undefined
  shop: string | undefined
  status: string | undefined
  carrier: string | undefined
  carrierService: string | undefined
  since: string | null | undefined
}

/** Something that a return waits for. */
export interface Stop {
  rule: StuckRule
  what: string
  next: 'reply' | 'explain' | 'get' | 'refunds' | 'transportations'
  waiting: Waiting
  /** Limit; by default learnt for the carrier service, and at least `PATIENCE_MS`. */
  limitMs: number | undefined
}

export function stopsOf(facts: ReturnFacts): Stop[] {
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

/** A label without a scan is all that says that it was made: the service dates none. */
function hasLabel(transport: Transportation): boolean {
  const { carrierLabel, carrierReference, shippingLabels } = transport
  return Boolean(carrierLabel || carrierReference) || objectsIn(shippingLabels).length > 0
}

function arrivalOf(transports: readonly Transportation[]): string | undefined {
  return transports.flatMap(scansOf).findLast(({ status }) => status === 'SHIPPING_COMPLETED')?.date
}
