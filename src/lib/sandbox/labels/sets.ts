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
  type Tracking,
  type TransportRow,
  type UpdateDetails,
} from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { findConnection } from './connections.ts'

const MAX_FORMER = 100

/** Label set number of the demo carrier's own label. */
const OWN_LABEL = 0
/** Label set number while a transport has no label. */
const NO_LABEL = -1

/** Returns the registered labels, else the carrier's own. */
export function labelsOf(shop: Shop, transport: TransportRow): LabelData[] {
  const { no, service, labels, reference, tracking } = transport
  if (labels !== undefined) return labels
  const isOwn = labelSetOf(shop, transport) === OWN_LABEL
  if (!isOwn && tracking) return [tracking]
  // A carrier's label has a tracking number.
  if (reference === undefined) return []
  const file = isOwn ? { format: 'PDF', url: `https://labels.example.com/${no}.pdf` } : {}
  return [
    { carrierTrackingCode: reference, carrierTrackingUrl: trackingUrlOf(shop, service, reference), ...file },
  ]
}

function labelSetOf({ services }: Shop, transport: TransportRow) {
  if (transport.labels !== undefined) return transport.labelSet
  const { service, isUnlabelled, reference } = transport
  const hasOwn = services[service]?.hasLabel && !isUnlabelled && reference !== undefined
  return hasOwn ? OWN_LABEL : NO_LABEL
}

export function trackingOf(shop: Shop, transport: TransportRow): Tracking {
  return transport.tracking ?? labelsOf(shop, transport)[0] ?? {}
}

function trackingUrlOf({ services }: Shop, service: number, code: string) {
  const prefix = services[service]?.trackingUrlPrefix
  return prefix && prefix + code
}

/** Registers a scan. A new number removes the former URL. A number on no label becomes the first label's. */
export function withTracking(
  shop: Shop,
  transport: TransportRow,
  { number, url, carrier, carrierCode }: UpdateDetails & { carrierCode?: string },
  now: number,
): TransportRow {
  const { service, formerNumbers = [] } = transport
  const { carrierTrackingCode: before } = trackingOf(shop, transport)
  const after: TransportRow = {
    ...transport,
    carrier: carrierCode ?? transport.carrier,
    isOfUnknownCarrier: carrier === undefined ? transport.isOfUnknownCarrier : carrierCode === undefined,
  }
  const isOther = number !== undefined && number !== before
  if (!isOther) {
    const tracking = { carrierTrackingCode: before, carrierTrackingUrl: url }
    return url === undefined ? after : { ...after, tracking }
  }
  if (before !== undefined) after.formerNumbers = [...formerNumbers, before].slice(-MAX_FORMER)
  const labels = labelsOf(shop, transport)
  const own = labels.find(({ carrierTrackingCode, additionalTrackingCodes = [] }) =>
    [carrierTrackingCode, ...additionalTrackingCodes].includes(number),
  )
  const isOfService =
    !after.isOfUnknownCarrier && [undefined, shop.services[service]?.carrierCode].includes(after.carrier)
  const carriersUrl = isOfService ? trackingUrlOf(shop, service, number) : undefined
  after.tracking = {
    carrierTrackingCode: number,
    carrierTrackingUrl: url ?? own?.carrierTrackingUrl ?? carriersUrl,
  }
  const [label, ...others] = labels
  if (own || !label || labelSetOf(shop, transport) === NO_LABEL) return after
  return withLabels(shop, after, { labels: [{ ...label, ...after.tracking }, ...others] }, now)
}

/**
 * Returns the same object if nothing changes. The former labels go into the history.
 * The last scan's number and address stay if those of the first label do.
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
  const { formerLabels = [], tracking } = transport
  const isTracked = (['carrierTrackingCode', 'carrierTrackingUrl'] as const).every(
    (field) => labels[0]?.[field] === former[0]?.[field],
  )
  const replaced = { replaced: now, labels: former, labelSet: labelSetOf(shop, transport) }
  return {
    ...transport,
    updated: latest(transport.updated, now),
    labels,
    labelSet,
    tracking: isTracked ? tracking : undefined,
    formerLabels: former.length === 0 ? formerLabels : [...formerLabels, replaced].slice(-MAX_FORMER),
  }
}

/** Label with every key, since a missing key differs from an undefined value. */
function compared(label: LabelData): LabelData {
  const { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, url } = label
  return { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, url, format: finalFormat(label) }
}

/** Path of label files, outside the API since they need no token. */
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
  let carrier = carrierOf(shop, shop.services[transport.service]?.carrierServiceCode ?? '')
  let own: LabelData | undefined
  return [...(transport.formerLabels ?? []), present].flatMap(({ labels, labelSet }): ShownSet[] => {
    if (labelSet === NO_LABEL) return []
    const made = labelSet === undefined ? undefined : data.labelSet(labelSet)
    carrier = made?.carrier ?? carrier
    const [label] = labels
    if (labelSet === OWN_LABEL) own = label
    // The document is the same, even if registered with other codes.
    const isOwn = label?.url !== undefined && label.url === own?.url
    const ownCode = isOwn ? own?.carrierTrackingCode : undefined
    return [{ carrier, labels, documents: made?.labels ?? [], labelSet, ownCode }]
  })
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
      // Labels registered later may be no codes.
      const isCode = isLabelFree && format === 'PNG'
      const document = documents[i]
      const isSent = document !== undefined && (document.urlKey === null || isInAnswer)
      const { url, format: _, ...tracking } = label
      const content = {
        base64: isSent ? Buffer.from(document.document).toString('base64') : undefined,
        url: url && absoluteUrl(url, origin),
      }
      return {
        ...tracking,
        isLabelFree: isCode,
        format,
        ...(isCode ? { labelFreeCode: { format, ...content } } : content),
      }
    }),
  }
}

/** Stored URLs have no origin, as it changes with the port. */
export function absoluteUrl(url: string, origin: string): string {
  return url.startsWith(`${LABEL_FILES}/`) ? origin + url : url
}

export function relativeUrl(url: string, origin: string): string {
  return url.startsWith(`${origin}${LABEL_FILES}/`) ? url.slice(origin.length) : url
}
