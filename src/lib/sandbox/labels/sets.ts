import type { LabelSet } from '../../wire/labels.ts'
import type { LabelDoc, LabelRow, LabelSetDoc, Shop, StoredLabelSet, TransportRow } from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { findConnection } from './connections.ts'
import { finalFormat, labelSetOf, OWN_LABEL, registeredDocs } from './registered.ts'

/** Outside the API's paths: labels need no token. */
export const LABEL_FILES = '/labels'

export interface ShownSet {
  doc: LabelSetDoc
  labels: readonly LabelDoc[]
  documents: readonly LabelRow[]
  /** Set that they were made in; undefined for those that a merchant registered. */
  labelSet: number | undefined
  /** Code on the demo carrier's own label, if that is what the address leads to. */
  ownCode?: string | undefined
}

export function madeSet({
  doc,
  labels,
  no,
}: Pick<StoredLabelSet, 'doc' | 'labels'> & { no?: number }): ShownSet {
  return { doc, documents: labels, labels: labels.map(labelDoc), labelSet: no }
}

export function labelDoc({ trackingCode, trackingUrl, format, urlKey }: LabelRow): LabelDoc {
  return {
    carrierTrackingCode: trackingCode,
    ...(trackingUrl === null ? {} : { carrierTrackingUrl: trackingUrl }),
    format,
    ...(urlKey === null ? {} : { url: `${LABEL_FILES}/${urlKey}.${format.toLowerCase()}` }),
  }
}

/** All sets of a transport, oldest first: those made for it, and what merchants registered in between. */
export function setsOf(data: Pick<Snapshot, 'labelSet'>, shop: Shop, transport: TransportRow): ShownSet[] {
  const { doc, service } = transport
  const present = { labels: registeredDocs(shop, transport), labelSet: labelSetOf(shop, transport) }
  const isRegistered = doc.labels !== undefined || present.labelSet !== undefined
  let about = carrierOf(shop, shop.services[service]?.carrierServiceCode ?? '')
  let own: LabelDoc | undefined
  return [...(doc.formerLabels ?? []), ...(isRegistered ? [present] : [])].flatMap(
    ({ labels, labelSet }): ShownSet[] => {
      // A carrier's scan before there was a label registers none.
      if (labelSet === undefined && labels.every(({ format }) => format === undefined)) return []
      const made = labelSet === undefined ? undefined : data.labelSet(labelSet)
      about = made?.doc ?? about
      const [label] = labels
      if (labelSet === OWN_LABEL) own = label
      // Registered again with other codes, it is the same document: nothing else answers at its address.
      const isOwn =
        own !== undefined && (labelSet === OWN_LABEL || (label?.url !== undefined && label.url === own.url))
      const ownCode = isOwn ? own?.carrierTrackingCode : undefined
      return [{ doc: about, labels, documents: made?.labels ?? [], labelSet, ownCode }]
    },
  )
}

function carrierOf(shop: Shop, carrierServiceCode: string): LabelSetDoc {
  const { carrierCode = '', carrierExternalCode = '' } = findConnection(shop, carrierServiceCode) ?? {}
  return { carrierCode, carrierExternalCode, carrierServiceCode, isLabelFree: false, isInAnswer: true }
}

/** A set as answers have it (spec §2.6). */
export function labelSetRecord(
  { doc, labels, documents }: ShownSet,
  clientShipmentId: string,
  origin: string,
): LabelSet {
  const { carrierCode, carrierExternalCode, carrierServiceCode, isLabelFree } = doc
  return {
    carrierCode,
    carrierExternalCode,
    carrierServiceCode,
    clientShipmentId,
    shippingLabels: labels.map((label, i) => {
      const format = finalFormat(label)
      const document = documents[i]
      const isSent = document !== undefined && (document.urlKey === null || doc.isInAnswer === true)
      const content = {
        ...(isSent ? { base64: Buffer.from(document.document).toString('base64') } : {}),
        ...(label.url === undefined ? {} : { url: absoluteUrl(label.url, origin) }),
      }
      const { url: _, format: __, ...codes } = label
      return {
        ...codes,
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
