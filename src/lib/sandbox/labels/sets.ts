import { isDeepStrictEqual } from 'node:util'
import type { LabelSet } from '../../wire/labels.ts'
import type { Shop } from '../demo/catalogue.ts'
import { latest } from '../returns/lifecycle.ts'
import {
  finalFormat,
  type LabelCarrier,
  type LabelData,
  type LabelRow,
  type LabelSetRow,
  type TransportRow,
} from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { findConnection } from './connections.ts'

const MAX_FORMER = 100

/** Stands for a label set's number: the demo carrier's own label. */
const OWN_LABEL = 0

/** Carrier's own data until others replace them. */
export function labelsOf(shop: Shop, transport: TransportRow): LabelData[] {
  const { no, labels, reference } = transport
  if (labels !== undefined) return labels
  const carrierTrackingUrl = transport.trackingUrl ?? trackingUrlOf(shop, transport, reference)
  // A label of the carrier has a number.
  if (reference === undefined && carrierTrackingUrl === undefined) return []
  const own =
    labelSetOf(shop, transport) === OWN_LABEL
      ? { format: 'PDF', url: `https://labels.example.com/${no}.pdf` }
      : {}
  return [{ carrierTrackingCode: reference, carrierTrackingUrl, ...own }]
}

function labelSetOf({ services }: Shop, transport: TransportRow): number | undefined {
  if (transport.labels !== undefined) return transport.labelSet
  const { service, isUnlabelled, reference } = transport
  const hasOwn = services[service]?.hasLabel && !isUnlabelled && reference !== undefined
  return hasOwn ? OWN_LABEL : undefined
}

export function trackingCodeOf({ labels, reference }: TransportRow): string | undefined {
  return labels === undefined ? reference : labels[0]?.carrierTrackingCode
}

function trackingUrlOf(shop: Shop, transport: TransportRow, code: string | undefined): string | undefined {
  const { carrier, isOfUnknownCarrier } = transport
  const { trackingUrlPrefix, carrierCode } = shop.services[transport.service] ?? {}
  const isOthers = carrier !== undefined && carrier !== carrierCode
  if (code === undefined || trackingUrlPrefix === undefined || isOthers || isOfUnknownCarrier)
    return undefined
  return trackingUrlPrefix + code
}

/** A new number takes the former address away. */
export function withTracking(
  shop: Shop,
  transport: TransportRow,
  report: Readonly<Record<'number' | 'url' | 'carrier' | 'carrierCode', string | undefined>>,
): TransportRow {
  const { number, url, carrier, carrierCode } = report
  const { labels, formerNumbers = [] } = transport
  const before = trackingCodeOf(transport)
  const isOther = number !== undefined && number !== before
  const after: TransportRow = {
    ...transport,
    reference: number ?? transport.reference,
    carrier: carrierCode ?? transport.carrier,
    isOfUnknownCarrier: carrier === undefined ? transport.isOfUnknownCarrier : carrierCode === undefined,
    trackingUrl: url ?? (isOther ? undefined : transport.trackingUrl),
  }
  if (isOther && before !== undefined) after.formerNumbers = [...formerNumbers, before].slice(-MAX_FORMER)
  if (labels === undefined) return after
  const [label = {}, ...others] = labels
  const relabelled = {
    ...label,
    carrierTrackingCode: number ?? label.carrierTrackingCode,
    carrierTrackingUrl: url ?? (isOther ? trackingUrlOf(shop, after, number) : label.carrierTrackingUrl),
  }
  return { ...after, labels: [relabelled, ...others] }
}

/** Returns the same object if nothing changes. The former labels go into the history. */
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

/** Label with every key, since a missing key differs from an undefined value. */
function compared(label: LabelData): LabelData {
  const { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, url } = label
  return { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, url, format: finalFormat(label) }
}

/** Outside the API's paths: labels need no token. */
export const LABEL_FILES = '/labels'

interface ShownSet {
  carrier: LabelCarrier
  labels: readonly LabelData[]
  documents: readonly LabelRow[]
  labelSet: number | undefined
  ownCode?: string
}

export function madeSet({ carrier, labels, no }: LabelSetRow & { no?: number }): ShownSet {
  return { carrier, documents: labels, labels: labels.map(labelData), labelSet: no }
}

export function labelData({ trackingCode, trackingUrl, format, urlKey }: LabelRow): LabelData {
  return {
    carrierTrackingCode: trackingCode,
    carrierTrackingUrl: trackingUrl ?? undefined,
    format,
    url: urlKey === null ? undefined : `${LABEL_FILES}/${urlKey}.${format.toLowerCase()}`,
  }
}

export function setsOf(data: Pick<Snapshot, 'labelSet'>, shop: Shop, transport: TransportRow): ShownSet[] {
  const present = { labels: labelsOf(shop, transport), labelSet: labelSetOf(shop, transport) }
  const isRegistered = transport.labels !== undefined || present.labelSet !== undefined
  let carrier = carrierOf(shop, shop.services[transport.service]?.carrierServiceCode ?? '')
  let own: LabelData | undefined
  return [...(transport.formerLabels ?? []), ...(isRegistered ? [present] : [])].flatMap(
    ({ labels, labelSet }): ShownSet[] => {
      // A carrier's scan before there was a label registers none.
      if (labelSet === undefined && labels.every(({ format }) => format === undefined)) return []
      const made = labelSet === undefined ? undefined : data.labelSet(labelSet)
      carrier = made?.carrier ?? carrier
      const [label] = labels
      if (labelSet === OWN_LABEL) own = label
      // Registered with other codes, it is the same document.
      const isOwn =
        own !== undefined && (labelSet === OWN_LABEL || (label?.url !== undefined && label.url === own.url))
      const ownCode = isOwn ? own?.carrierTrackingCode : undefined
      return [{ carrier, labels, documents: made?.labels ?? [], labelSet, ownCode }]
    },
  )
}

function carrierOf(shop: Shop, carrierServiceCode: string): LabelCarrier {
  const { carrierCode = '', carrierExternalCode = '' } = findConnection(shop, carrierServiceCode) ?? {}
  return { carrierCode, carrierExternalCode, carrierServiceCode, isLabelFree: false, isInAnswer: true }
}

export function labelSetRecord(
  { carrier, labels, documents }: ShownSet,
  clientShipmentId: string,
  origin: string,
): LabelSet {
  const { isLabelFree, isInAnswer, ...codes } = carrier
  return {
    ...codes,
    clientShipmentId,
    shippingLabels: labels.map((label, i) => {
      const format = finalFormat(label)
      const document = documents[i]
      const isSent = document !== undefined && (document.urlKey === null || isInAnswer)
      const { url, format: _, ...tracking } = label
      const content = {
        base64: isSent ? Buffer.from(document.document).toString('base64') : undefined,
        url: url && absoluteUrl(url, origin),
      }
      return {
        ...tracking,
        isLabelFree,
        format,
        ...(isLabelFree ? { labelFreeCode: { format, ...content } } : content),
      }
    }),
  }
}

/** The origin changes with the port. */
export function absoluteUrl(url: string, origin: string): string {
  return url.startsWith(`${LABEL_FILES}/`) ? origin + url : url
}

export function relativeUrl(url: string, origin: string): string {
  return url.startsWith(`${origin}${LABEL_FILES}/`) ? url.slice(origin.length) : url
}
