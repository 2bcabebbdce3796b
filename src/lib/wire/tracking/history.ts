import { isReplaced, leadsTo } from '../enumerations.ts'
import type { Return } from '../returns.ts'
import { parseServiceDate } from '../time.ts'
import type { TrackingRequest } from '../tracking.ts'
import type { Transportation } from '../transportations.ts'
import {
  type KnownEvent,
  type KnownReturn,
  type KnownTransport,
  SHOWN_FIELDS,
  type TrackingFacts,
} from './rule.ts'

export function trackingFactsOf(request: TrackingRequest): TrackingFacts {
  const { trackingStatus, trackingDate, trackingNumber, trackingUrl, carrierName } = request
  return {
    status: trackingStatus,
    date: instantOf(trackingDate),
    number: trackingNumber || undefined,
    url: trackingUrl || undefined,
    carrier: carrierName || undefined,
  }
}

/** Returns undefined if the platform shows no events. */
export function knownReturn(
  { createdAt, status }: Pick<Return, 'createdAt' | 'status'>,
  transports: readonly Transportation[],
): KnownReturn | undefined {
  if (transports.every(({ trackingEvents }) => !trackingEvents)) return undefined
  const created = instantOf(createdAt)
  return {
    createdAt: Number.isNaN(created) ? undefined : created,
    isAwaited: status === 'PENDING' || status === 'RECEPTION_IN_PROGRESS',
    transports: transports.map(knownTransport),
  }
}

function knownTransport(transport: Transportation): KnownTransport {
  const { status, serviceType, carrierReference, carrierTrackingUrl, carrierCode } = transport
  return {
    status: status ?? '',
    isDropOff: isDropOff(serviceType),
    number: carrierReference ?? undefined,
    url: carrierTrackingUrl ?? undefined,
    carrier: carrierCode ?? undefined,
    otherNumbers: trackingNumbersOf(transport),
    events: (transport.trackingEvents ?? []).map(
      (event): KnownEvent => ({
        status: event.status ?? '',
        date: instantOf(event.date),
        isApplied: event.applied !== false,
        number: event.trackingNumber,
        url: event.trackingUrl,
        carrier: event.carrierName,
      }),
    ),
  }
}

/** Spec §2.7. */
function isDropOff(serviceType: string | null | undefined): boolean {
  return serviceType === 'drop-off' || serviceType === 'drop-off-store'
}

/** Returns all numbers but `carrierReference`, former ones included. */
export function trackingNumbersOf({
  formerTrackingNumbers,
  shippingLabels,
  formerShippingLabels,
}: Transportation): string[] {
  const former = (formerShippingLabels ?? []).flatMap((each) => each.shippingLabels ?? [])
  return [
    ...(formerTrackingNumbers ?? []),
    ...[...(shippingLabels ?? []), ...former].flatMap((label) => [
      ...(label.carrierTrackingCode ? [label.carrierTrackingCode] : []),
      ...(label.additionalTrackingCodes ?? []),
    ]),
  ]
}

function instantOf(date: string | null | undefined) {
  return parseServiceDate(date) ?? Number.NaN
}

export type LookupResult = 'happened' | 'not-happened' | 'open'

/** Looks for an update among events. Similar events prove nothing. */
export function proofInEvents(update: TrackingFacts, transports: readonly KnownTransport[]): LookupResult {
  let proof: LookupResult = 'not-happened'
  for (const transport of transports) {
    for (const event of transport.events) {
      if ((event.status && event.status !== update.status) || isOther(event, update)) continue
      const isUnread = event.status === '' || Number.isNaN(event.date)
      // Platforms may drop seconds or their fractions.
      const isCutShort = [1000, 60_000].some((unit) => event.date === Math.floor(update.date / unit) * unit)
      const isShown = isShownAs(event, update) && isShownBy(transport, update, event)
      if (event.date === update.date && isShown && !isUnread) return 'happened'
      if (event.date === update.date || isCutShort || isUnread) proof = 'open'
    }
  }
  return proof
}

export function proofInTransport(
  update: TrackingFacts,
  transports: readonly Transportation[],
  shown: Transportation | undefined,
): LookupResult {
  const active = knownTransport(shown ?? {})
  const { status, number = active.number, url = active.url } = update
  const isShown = number === active.number && url === active.url && isCarrier(active.carrier, update.carrier)
  if (status === active.status && isShown) return 'happened'
  // After a failure another transport is active.
  const mayBeReplaced =
    isReplaced(status) &&
    (transports.length === 0 || transports.some((transport) => transport.status === status))
  // Other states may have come after the reported one.
  return leadsTo(active.status, status) && !mayBeReplaced ? 'not-happened' : 'open'
}

/** Ignores spelling, which platforms may change. */
function isOther(event: KnownEvent, update: TrackingFacts) {
  return SHOWN_FIELDS.some((field) => {
    const [shown, sent] = [event[field], update[field]]
    return shown !== undefined && sent !== undefined && letters(shown ?? '') !== letters(sent)
  })
}

function isShownAs(event: KnownEvent, update: TrackingFacts) {
  return SHOWN_FIELDS.every(
    (field) => event[field] === undefined || (event[field] ?? undefined) === update[field],
  )
}

/** Compares values that only the transport shows. */
function isShownBy(transport: KnownTransport, { number, url, carrier }: TrackingFacts, event: KnownEvent) {
  const fits = (shown: string | undefined, sent: string | undefined) =>
    shown === undefined || sent === undefined || shown === sent
  return (
    (event.number !== undefined || fits(transport.number, number)) &&
    (event.url !== undefined || fits(transport.url, url)) &&
    (event.carrier !== undefined || isCarrier(transport.carrier, carrier))
  )
}

function isCarrier(code: string | undefined, name: string | undefined) {
  return code === undefined || name === undefined || letters(code) === letters(name)
}

function letters(text: string) {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
}
