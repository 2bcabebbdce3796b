import type { LabelDoc, Shop, TransportRow } from '../store/rows.ts'
import type { Snapshot, StoredReturn } from '../store/store.ts'
import type { LabelUpdate } from './request.ts'

/** Returns of one order are few; those asked for by name are one. */
const SOME = 100

/** The last return that an id stands for whose transport is active, or nothing (spec §4.4). */
export function findActiveShipment(
  data: Snapshot,
  shop: Shop,
  { shipmentId, shipmentIdType }: Pick<LabelUpdate, 'shipmentId' | 'shipmentIdType'>,
): { stored: StoredReturn; transport: TransportRow } | undefined {
  const filter = FILTERS[shipmentIdType](shipmentId, shop)
  if (filter === undefined) return undefined
  const shops = [shop.no]
  for (const stored of data.search({ ...filter, shops }, 0, SOME).returns) {
    const isMeant = filter.order === undefined || filter.order === stored.orderName
    if (isMeant && stored.transport !== undefined) return { stored, transport: stored.transport }
  }
  return undefined
}

type Filter = { name?: string; order?: string } | undefined

const FILTERS: Readonly<Record<LabelUpdate['shipmentIdType'], (id: string, shop: Shop) => Filter>> = {
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
export function registeredLabels({ shop }: StoredReturn, { no, service, doc }: TransportRow): LabelDoc[] {
  if (doc.labels !== undefined) return doc.labels
  const { hasLabel = false, trackingUrlPrefix } = shop.services[service] ?? {}
  const { reference } = doc
  return [
    {
      ...(reference === undefined ? {} : { carrierTrackingCode: reference }),
      ...(reference === undefined || trackingUrlPrefix === undefined
        ? {}
        : { carrierTrackingUrl: trackingUrlPrefix + reference }),
      ...(hasLabel ? { url: `https://labels.example.com/${no}.pdf` } : {}),
    },
  ]
}

/**
 * A transport with other labels; the former ones go into its history. A field that is not given keeps its value, but
 * for the address of tracking, which belongs to the code. `now` is in seconds.
 */
export function withLabels(
  stored: StoredReturn,
  transport: TransportRow,
  given: readonly LabelDoc[],
  now: number,
): TransportRow {
  const former = registeredLabels(stored, transport)
  const prefix = stored.shop.services[transport.service]?.trackingUrlPrefix
  const labels = given.map((label, i): LabelDoc => {
    const { carrierTrackingUrl, ...rest } = former[i] ?? {}
    const code = label.carrierTrackingCode
    const isSameCode = code === undefined || code === rest.carrierTrackingCode
    const ownUrl = prefix === undefined || code === undefined ? undefined : prefix + code
    const url = isSameCode ? carrierTrackingUrl : ownUrl
    return { ...rest, ...(url === undefined ? {} : { carrierTrackingUrl: url }), ...label }
  })
  const { formerLabels = [] } = transport.doc
  return {
    ...transport,
    updated: Math.max(transport.updated, now),
    doc: { ...transport.doc, labels, formerLabels: [...formerLabels, { replaced: now, labels: former }] },
  }
}
