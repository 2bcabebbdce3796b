import { latest } from '../returns/case.ts'
import type { LabelDoc, ReturnCase, Shop, TransportRow } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import type { LabelUpdate } from './request.ts'

/** The last return that an id stands for and that has a transport, or nothing (spec §4.4). */
export function findActiveShipment(
  data: Pick<WritableSnapshot, 'findShipment'>,
  shop: Shop,
  { shipmentId, shipmentIdType }: Pick<LabelUpdate, 'shipmentId' | 'shipmentIdType'>,
): { shipment: ReturnCase; transport: TransportRow } | undefined {
  const wanted = SEARCHES[shipmentIdType](shipmentId, shop)
  const shipment = wanted && data.findShipment(shop.no, wanted)
  const transport = shipment?.transports.at(-1)
  return shipment && transport && { shipment, transport }
}

type Search = { name: string } | { order: string } | undefined

const SEARCHES: Readonly<Record<LabelUpdate['shipmentIdType'], (id: string, shop: Shop) => Search>> = {
  RETURN_NAME: (name) => ({ name }),
  CLIENT_REFERENCE: (reference, { shortCode }) => {
    const start = `P#R#${shortCode}`
    return reference.startsWith(start) ? { order: reference.slice(start.length) } : undefined
  },
  // Decided: the shops of the sandbox call the returns of an order ORDER-R1, ORDER-R2.
  MERCHANT_RETURN_NAME: (merchantName) => {
    const [, order, position] = /^(.+)-R([1-9]\d*)$/.exec(merchantName) ?? []
    if (order === undefined) return undefined
    return { name: position === '1' ? `R#-${order}` : `R#-${order}-${position}` }
  },
}

/** What is registered of a transport's labels: the carrier's own data until a merchant replaces them. */
export function registeredLabels(shop: Shop, transport: TransportRow): LabelDoc[] {
  const { no, service, doc } = transport
  if (doc.labels !== undefined) return doc.labels
  const { hasLabel = false } = shop.services[service] ?? {}
  const { reference } = doc
  const trackingUrl = doc.trackingUrl ?? trackingUrlOf(shop, transport, reference)
  return [
    {
      ...(reference === undefined ? {} : { carrierTrackingCode: reference }),
      ...(trackingUrl === undefined ? {} : { carrierTrackingUrl: trackingUrl }),
      ...(hasLabel ? { url: `https://labels.example.com/${no}.pdf` } : {}),
    },
  ]
}

/** The code that a transport is known by at its carrier. */
export function trackingCodeOf({ doc }: TransportRow): string | undefined {
  return doc.labels?.[0]?.carrierTrackingCode ?? doc.reference
}

/** Where the carrier of a transport shows a parcel; unknown if a merchant has named another carrier. */
function trackingUrlOf(
  shop: Shop,
  { service, doc }: TransportRow,
  code: string | undefined,
): string | undefined {
  const { trackingUrlPrefix, carrierCode } = shop.services[service] ?? {}
  const isOthers = doc.carrier !== undefined && doc.carrier.toUpperCase() !== carrierCode
  if (code === undefined || trackingUrlPrefix === undefined || isOthers) return undefined
  return trackingUrlPrefix + code
}

/** A transport with the number, address and carrier of a report. An address stays no longer than its number. */
export function withTracking(
  shop: Shop,
  transport: TransportRow,
  report: Readonly<Record<'number' | 'url' | 'carrier', string | undefined>>,
): TransportRow {
  const { number, url, carrier } = report
  const { labels, trackingUrl, ...rest } = transport.doc
  const isOther = number !== undefined && number !== trackingCodeOf(transport)
  const keptUrl = url ?? (isOther ? undefined : trackingUrl)
  const told: TransportRow = {
    ...transport,
    doc: {
      ...rest,
      ...(number === undefined ? {} : { reference: number }),
      ...(carrier === undefined ? {} : { carrier }),
      ...(keptUrl === undefined ? {} : { trackingUrl: keptUrl }),
    },
  }
  if (labels === undefined) return told
  const [{ carrierTrackingUrl, ...label } = {}, ...others] = labels
  const labelUrl = url ?? (isOther ? trackingUrlOf(shop, told, number) : carrierTrackingUrl)
  const relabelled = {
    ...label,
    ...(number === undefined ? {} : { carrierTrackingCode: number }),
    ...(labelUrl === undefined ? {} : { carrierTrackingUrl: labelUrl }),
  }
  return { ...told, doc: { ...told.doc, labels: [relabelled, ...others] } }
}

/**
 * A transport with other labels; the former ones go into its history. A field that is not given keeps its value, but
 * for the address of tracking, which belongs to the code. `now` is in seconds.
 */
export function withLabels(
  shop: Shop,
  transport: TransportRow,
  given: readonly LabelDoc[],
  now: number,
): TransportRow {
  const former = registeredLabels(shop, transport)
  const labels = given.map((label, i): LabelDoc => {
    const { carrierTrackingUrl, ...rest } = former[i] ?? {}
    const code = label.carrierTrackingCode
    const isSameCode = code === undefined || code === rest.carrierTrackingCode
    const url = isSameCode ? carrierTrackingUrl : trackingUrlOf(shop, transport, code)
    return { ...rest, ...(url === undefined ? {} : { carrierTrackingUrl: url }), ...label }
  })
  const { formerLabels = [] } = transport.doc
  return {
    ...transport,
    updated: latest(transport.updated, now),
    doc: { ...transport.doc, labels, formerLabels: [...formerLabels, { replaced: now, labels: former }] },
  }
}
