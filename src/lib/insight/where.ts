import { at as valueAt } from '../wire/raw.ts'
import { isReturnOver } from '../wire/return-states.ts'
import { formatServiceDate, parseWallTime } from '../wire/time.ts'
import type { Transportation } from '../wire/transportations.ts'
import { wordsOf } from '../wire/words.ts'
import {
  DAY_MS,
  HOUR_MS,
  instantOf,
  isPickUp,
  isUnderWay,
  lastTransport,
  type ReturnFacts,
  scansOf,
  spanText,
} from './case.ts'

/** The moment and the zone that sentences are about. */
export interface Viewpoint {
  /** Ms since the epoch, by the platform's clock. */
  now: number
  /** IANA name. */
  zone: string
}

/** Event that a parcel waits for, and the time by which it should have happened. */
export interface Wait {
  /** `the next scan` */
  for: string
  /** Ms since the epoch. */
  by: number
}

/** After which something should have happened: a label is used, a parcel is scanned again, an arrival is looked at. */
const LABEL_USED_MS = 14 * DAY_MS
const NEXT_STEP_MS = 72 * HOUR_MS
/** Length of `2026-03-01 11:00`. */
const TO_THE_MINUTE = 16

/** Says where the parcel is, who said so and when, and what should have happened by now. */
export function whereSentences(facts: ReturnFacts, view: Viewpoint): string {
  const { record } = facts
  const transport = lastTransport(facts)
  const wait = waitOf(facts)
  return [
    sentence(placeText(facts, transport, view)),
    ...(wait ? [sentence(waitText(wait, view))] : []),
    ...(isReturnOver(record.status) && transport && isUnderWay(transport.status)
      ? [sentence(`The return itself is ${wordsOf('returnStatus', record.status)}`)]
      : []),
  ].join(' ')
}

/** Returns undefined if nothing is to come, or nothing is known. */
export function waitOf(facts: ReturnFacts): Wait | undefined {
  const { record } = facts
  const transport = lastTransport(facts)
  if (!transport || (isReturnOver(record.status) && !isUnderWay(transport.status))) return undefined
  const { status } = transport
  const scan = scansOf(transport).at(-1)
  const wait = (what: string, from: number | undefined, forMs: number): Wait | undefined =>
    from === undefined ? undefined : { for: what, by: from + forMs }
  if (status === 'REQUESTED' || status === 'PICK_UP_IN_PROGRESS') {
    const { pickupDate } = transport
    // A day, or a date with its time (spec §2.4).
    const pickup = instantOf(pickupDate) ?? parseWallTime(`${pickupDate}T00:00`)
    if (pickup !== undefined) return wait('the pick-up', pickup, DAY_MS)
    if (isPickUp(transport)) return wait('the pick-up', instantOf(transport.createdAt), LABEL_USED_MS)
    return wait('the customer to hand it in', instantOf(transport.createdAt), LABEL_USED_MS)
  }
  if (isUnderWay(status)) return wait('the next scan', scan?.at, NEXT_STEP_MS)
  if (status !== 'SHIPPING_COMPLETED') return undefined
  if (record.status === 'RECEIVED') return wait('the check', instantOf(record.updatedAt), NEXT_STEP_MS)
  const isNotReceived = record.status === 'RECEPTION_IN_PROGRESS' || record.status === 'RECEPTION_COMPLETED'
  return isNotReceived ? wait('its reception', scan?.at, NEXT_STEP_MS) : undefined
}

function placeText({ record }: ReturnFacts, transport: Transportation | undefined, view: Viewpoint): string {
  const ofReturn = wordsOf('returnStatus', record.status)
  if (!transport) {
    return isReturnOver(record.status) || record.status === 'NEEDS_VALIDATION'
      ? `No parcel is on its way: the return is ${ofReturn}`
      : 'No transport is arranged yet'
  }
  const scan = scansOf(transport).at(-1)
  const by = transport.carrierCode ? ` by ${transport.carrierCode}` : ''
  const said = scan?.description ? `: “${scan.description}”` : ''
  const last = scan && `last scan ${whenText(scan.at, view)}${by}${said}`
  const isToBeFetched = transport.status === 'REQUESTED' && isPickUp(transport)
  const place = isToBeFetched ? 'Not picked up yet' : wordsOf('transportStatus', transport.status)
  if (record.status === 'RECEIVED' || record.status === 'CHECKED' || record.status === 'CLOSED') {
    return ['At the shop', ofReturn, last].filter(Boolean).join(', ')
  }
  return [
    place,
    last ?? (valueAt(transport, 'trackingEvents') === undefined ? undefined : `no scan yet${by}`),
  ]
    .filter(Boolean)
    .join(', ')
}

function waitText({ for: what, by }: Wait, view: Viewpoint): string {
  const date = formatServiceDate(by, view.zone).slice(0, TO_THE_MINUTE)
  const late = view.now - by
  return late > 0 ? `Overdue: ${what}, expected by ${date}` : `Waits for ${what}, expected by ${date}`
}

/** `2026-03-01 11:00 (26 h ago)` */
export function whenText(at: number, { now, zone }: Viewpoint): string {
  const date = formatServiceDate(at, zone).slice(0, TO_THE_MINUTE)
  return now < at ? date : `${date} (${spanText(now - at)} ago)`
}

/** With a capital and a full stop. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
