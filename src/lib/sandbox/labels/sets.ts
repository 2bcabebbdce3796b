import type { LabelSet } from '../../wire/labels.ts'
import type { Shop } from '../demo/catalogue.ts'
import type { LabelCarrier, LabelData, LabelRow, LabelSetRow, TransportRow } from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { findConnection } from './connections.ts'
import { finalFormat, labelSetOf, labelsOf, OWN_LABEL } from './registered.ts'

/** Outside the API's paths: labels need no token. */
export const LABEL_FILES = '/labels'

export interface ShownSet {
  carrier: LabelCarrier
  labels: readonly LabelData[]
  documents: readonly LabelRow[]
  /** Set that they were made in; undefined for those that a merchant registered. */
  labelSet: number | undefined
  /** Code on the demo carrier's own label, if that is what the address leads to. */
  ownCode?: string | undefined
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

/** All sets of a transport, oldest first: those made for it, and what merchants registered in between. */
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
      // Registered again with other codes, it is the same document: nothing else answers at its address.
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

/** A set as answers have it (spec §2.6). */
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

/** The platform's own addresses are stored without the origin, which changes with the port. */
export function absoluteUrl(url: string, origin: string): string {
  return url.startsWith(`${LABEL_FILES}/`) ? origin + url : url
}

export function relativeUrl(url: string, origin: string): string {
  return url.startsWith(`${origin}${LABEL_FILES}/`) ? url.slice(origin.length) : url
}
