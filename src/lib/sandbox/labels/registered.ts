import { isDeepStrictEqual } from 'node:util'
import { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'
import type { Shop } from '../demo/catalogue.ts'
import { latest } from '../returns/lifecycle.ts'
import type { LabelData, TransportRow } from '../store/rows.ts'

/** Lists of labels, and tracking numbers, kept of a transport besides the present one. */
const MAX_FORMER = 100

/** Stands for a label set's number: the demo carrier's own label. */
export const OWN_LABEL = 0

/** Registered labels of a transport: the carrier's own data until others replace them. */
export function labelsOf(shop: Shop, transport: TransportRow): LabelData[] {
  const { no, labels, reference } = transport
  if (labels !== undefined) return labels
  const carrierTrackingUrl = transport.trackingUrl ?? trackingUrlOf(shop, transport, reference)
  // A label of the carrier has a number, so that without one nothing is registered.
  if (reference === undefined && carrierTrackingUrl === undefined) return []
  const own =
    labelSetOf(shop, transport) === OWN_LABEL
      ? { format: 'PDF', url: `https://labels.example.com/${no}.pdf` }
      : {}
  return [{ carrierTrackingCode: reference, carrierTrackingUrl, ...own }]
}

/** The set that the registered labels came with; undefined without documents. */
export function labelSetOf({ services }: Shop, transport: TransportRow): number | undefined {
  if (transport.labels !== undefined) return transport.labelSet
  const { service, isUnlabelled, reference } = transport
  const hasOwn = services[service]?.hasLabel && !isUnlabelled && reference !== undefined
  return hasOwn ? OWN_LABEL : undefined
}

/** Returns the registered format, else that of the URL, else the usual one. */
export function finalFormat({ format, url = '' }: LabelData): (typeof FINAL_LABEL_FORMATS)[number] {
  const said = format ?? /\.(\w+)$/.exec(url)?.[1]?.toUpperCase()
  return FINAL_LABEL_FORMATS.find((known) => known === said) ?? 'PDF'
}

export function trackingCodeOf({ labels, reference }: TransportRow): string | undefined {
  return labels === undefined ? reference : labels[0]?.carrierTrackingCode
}

/** Returns undefined if a merchant has named another carrier. */
function trackingUrlOf(shop: Shop, transport: TransportRow, code: string | undefined): string | undefined {
  const { carrier, isOfUnknownCarrier } = transport
  const { trackingUrlPrefix, carrierCode } = shop.services[transport.service] ?? {}
  const isOthers = carrier !== undefined && carrier !== carrierCode
  if (code === undefined || trackingUrlPrefix === undefined || isOthers || isOfUnknownCarrier)
    return undefined
  return trackingUrlPrefix + code
}

/** A transport with number, address and carrier of a report. A new number takes the former address away. */
export function withTracking(
  shop: Shop,
  transport: TransportRow,
  report: Readonly<Record<'number' | 'url' | 'carrier' | 'carrierCode', string | undefined>>,
): TransportRow {
  const { number, url, carrier, carrierCode } = report
  const { labels, formerNumbers = [] } = transport
  const before = trackingCodeOf(transport)
  const isOther = number !== undefined && number !== before
  const told: TransportRow = {
    ...transport,
    reference: number ?? transport.reference,
    carrier: carrierCode ?? transport.carrier,
    isOfUnknownCarrier: carrier === undefined ? transport.isOfUnknownCarrier : carrierCode === undefined,
    trackingUrl: url ?? (isOther ? undefined : transport.trackingUrl),
  }
  if (isOther && before !== undefined) told.formerNumbers = [...formerNumbers, before].slice(-MAX_FORMER)
  if (labels === undefined) return told
  const [label = {}, ...others] = labels
  const relabelled = {
    ...label,
    carrierTrackingCode: number ?? label.carrierTrackingCode,
    carrierTrackingUrl: url ?? (isOther ? trackingUrlOf(shop, told, number) : label.carrierTrackingUrl),
  }
  return { ...told, labels: [relabelled, ...others] }
}

/**
 * The transport with other labels, the former in its history; the same object if nothing changes. `now` is in seconds.
 * `labelSet` is the set that the labels came with.
 */
export function withLabels(
  shop: Shop,
  transport: TransportRow,
  { labels, labelSet }: { labels: LabelData[]; labelSet?: number },
  now: number,
): TransportRow {
  const former = labelsOf(shop, transport)
  if (labelSet === undefined && isDeepStrictEqual(former.map(compared), labels.map(compared)))
    return transport
  const { formerLabels = [] } = transport
  const replaced = { replaced: now, labels: former, labelSet: labelSetOf(shop, transport) }
  return {
    ...transport,
    updated: latest(transport.updated, now),
    labels,
    labelSet,
    formerLabels: former.length === 0 ? formerLabels : [...formerLabels, replaced].slice(-MAX_FORMER),
  }
}

/** No list of further codes equals an empty one. */
function compared(label: LabelData): LabelData {
  const { carrierTrackingCode, additionalTrackingCodes = [], carrierTrackingUrl, url } = label
  return { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, url, format: finalFormat(label) }
}
