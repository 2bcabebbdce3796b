import { TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { jsonText, keptText, membersOf } from '../json-text.ts'
import { registeredDocs } from '../labels/registered.ts'
import { absoluteUrl } from '../labels/sets.ts'
import { clientReference } from '../labels/shipments.ts'
import type { CarrierService, LabelDoc, Shop, TransportRow } from '../store/rows.ts'
import type { StoredReturn } from '../store/snapshot.ts'
import { dateWriter, type Presenter, partId } from './records.ts'

/** The record of one transport (spec §2.4; decided: two more fields). Events are in the order of receipt. */
export function transportText(stored: StoredReturn, transport: TransportRow, presenter: Presenter): string {
  const date = dateWriter(presenter.timeZone)
  const more = {
    updatedAt: date(transport.updated),
    trackingEvents: transport.doc.events.map(([status, happened, received, report]) => ({
      status: TRANSPORTATION_STATUSES[status],
      description: report?.description ?? EVENT_DESCRIPTIONS[TRANSPORTATION_STATUSES[status] ?? 'REQUESTED'],
      date: date(happened),
      receivedAt: date(received),
      applied: report?.isLate !== true,
      // Absent from the carrier's own scans, which are known by any number that the transport has.
      ...(report && { trackingNumber: report.number ?? null }),
      trackingUrl: report?.url ?? null,
      carrierName: report?.carrier ?? null,
    })),
    ...(transport.doc.formerNumbers && { formerTrackingNumbers: transport.doc.formerNumbers }),
    ...labelHistory(stored.shop, transport, presenter),
  } satisfies Partial<Transportation>
  return `{${activeMembers(stored, transport, presenter)},${membersOf(more)}}`
}

/** An `ActiveTransportation` without its braces. */
export function activeMembers(
  { shop, orderName }: StoredReturn,
  transport: TransportRow,
  { timeZone, origin }: Presenter,
): string {
  const { no, status, created, doc } = transport
  const service = shop.services[transport.service]
  if (service === undefined) throw new Error(`${shop.code} has no carrier service ${transport.service}`)
  const { pickupReference, pickupDate, carrier } = doc
  const { carrierTrackingCode, carrierTrackingUrl, url } = registeredDocs(shop, transport)[0] ?? {}
  const label = url === undefined ? undefined : absoluteUrl(url, origin)
  return `"id":"${partId(no)}",\
"createdAt":"${dateWriter(timeZone)(created)}",\
"status":"${TRANSPORTATION_STATUSES[status]}",\
${carrier === undefined ? serviceMembers(service) : membersOfService({ ...service, carrierCode: carrier })},\
${optional('carrierLabel', label)}\
${optional('carrierTrackingUrl', carrierTrackingUrl)}\
${optional('carrierPickupReference', pickupReference)}\
${optional('carrierReference', carrierTrackingCode)}\
"clientReference":${jsonText(clientReference(shop, orderName, transport))}\
${pickupDate === undefined ? '' : `,"pickupDate":${jsonText(pickupDate)}`}`
}

function membersOfService(service: CarrierService): string {
  const { serviceMessage, serviceType, carrierCode, carrierServiceCode } = service
  return membersOf({ serviceMessage, serviceType, carrierCode, carrierServiceCode })
}

const serviceMembers = keptText(membersOfService)

function optional(name: string, value: string | undefined): string {
  return value === undefined ? '' : `"${name}":${jsonText(value)},`
}

const EVENT_DESCRIPTIONS: Readonly<Record<(typeof TRANSPORTATION_STATUSES)[number], string>> = {
  REQUESTED: 'Transport requested',
  PICK_UP_IN_PROGRESS: 'The driver is on the way',
  PICK_UP_COMPLETED: 'Parcel picked up',
  SHIPPING_IN_PROGRESS: 'Parcel in transit',
  SHIPPING_COMPLETED: 'Parcel delivered to the warehouse',
  PICK_UP_FAILED: 'Nobody at home',
  PICK_UP_CANCELLED: 'Pick-up called off',
  SHIPPING_FAILED: 'Parcel lost or damaged',
  SHIPPING_CANCELLED: 'Shipment called off',
}

/** Decided: the labels, and what they replaced, in the form of a request that registers them. */
function labelHistory(shop: Shop, transport: TransportRow, { timeZone, origin }: Presenter) {
  const date = dateWriter(timeZone)
  const shown = (list: readonly LabelDoc[]) =>
    list.map(({ url, ...label }) => ({
      ...label,
      ...(url === undefined ? {} : { url: absoluteUrl(url, origin) }),
    }))
  return {
    shippingLabels: shown(registeredDocs(shop, transport)),
    formerShippingLabels: (transport.doc.formerLabels ?? []).map((former) => ({
      replacedAt: date(former.replaced),
      shippingLabels: shown(former.labels),
    })),
  }
}
