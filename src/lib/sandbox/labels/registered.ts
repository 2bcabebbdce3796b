import { isDeepStrictEqual } from 'node:util'
import { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'
import { latest } from '../returns/case.ts'
import type { LabelDoc, Shop, TransportRow } from '../store/rows.ts'

/** Lists of labels, and tracking numbers, kept of a transport besides the present one. */
const MAX_FORMER = 100

/** Stands for a label set's number: the demo carrier's own label. */
export const OWN_LABEL = 0

/** Registered labels of a transport: the carrier's own data until others replace them. */
export function registeredDocs(shop: Shop, transport: TransportRow): LabelDoc[] {
  const { no, doc } = transport
  if (doc.labels !== undefined) return doc.labels
  const { reference } = doc
  const trackingUrl = doc.trackingUrl ?? trackingUrlOf(shop, transport, reference)
  const label: LabelDoc = {}
  if (reference !== undefined) label.carrierTrackingCode = reference
  if (trackingUrl !== undefined) label.carrierTrackingUrl = trackingUrl
  if (labelSetOf(shop, transport) === OWN_LABEL) {
    label.format = 'PDF'
    label.url = `https://labels.example.com/${no}.pdf`
  }
  // A label of the carrier has a number, so that without one nothing is registered.
  return reference === undefined && trackingUrl === undefined ? [] : [label]
}

/** The set that the registered labels came with; undefined without documents. */
export function labelSetOf({ services }: Shop, { service, doc }: TransportRow): number | undefined {
  if (doc.labels !== undefined) return doc.labelSet
  const hasOwn = services[service]?.hasLabel === true && !doc.isUnlabelled && doc.reference !== undefined
  return hasOwn ? OWN_LABEL : undefined
}

/** Returns the registered format, else that of the URL, else the usual one. */
export function finalFormat({ format, url = '' }: LabelDoc): (typeof FINAL_LABEL_FORMATS)[number] {
  const said = format ?? /\.(\w+)$/.exec(url)?.[1]?.toUpperCase()
  return FINAL_LABEL_FORMATS.find((known) => known === said) ?? 'PDF'
}

export function trackingCodeOf({ doc }: TransportRow): string | undefined {
  return doc.labels === undefined ? doc.reference : doc.labels[0]?.carrierTrackingCode
}

/** Returns undefined if a merchant has named another carrier. */
function trackingUrlOf(
  shop: Shop,
  { service, doc }: TransportRow,
  code: string | undefined,
): string | undefined {
  const { trackingUrlPrefix, carrierCode } = shop.services[service] ?? {}
  const isOthers = doc.carrier !== undefined && doc.carrier !== carrierCode
  if (code === undefined || trackingUrlPrefix === undefined || isOthers || doc.isOfUnknownCarrier)
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
  const { labels, trackingUrl, isOfUnknownCarrier, ...rest } = transport.doc
  const before = trackingCodeOf(transport)
  const isUnknown = carrier === undefined ? isOfUnknownCarrier : carrierCode === undefined
  const isOther = number !== undefined && number !== before
  const formerNumbers = isOther && before !== undefined ? [...(rest.formerNumbers ?? []), before] : undefined
  const keptUrl = url ?? (isOther ? undefined : trackingUrl)
  const told: TransportRow = {
    ...transport,
    doc: {
      ...rest,
      ...(number === undefined ? {} : { reference: number }),
      ...(carrierCode === undefined ? {} : { carrier: carrierCode }),
      ...(formerNumbers && { formerNumbers: formerNumbers.slice(-MAX_FORMER) }),
      ...(isUnknown ? { isOfUnknownCarrier: true as const } : {}),
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
 * The transport with other labels, the former in its history; the same object if nothing changes. `now` is in seconds.
 * `labelSet` is the set that the labels came with.
 */
export function withLabels(
  shop: Shop,
  transport: TransportRow,
  labels: readonly LabelDoc[],
  now: number,
  labelSet?: number,
): TransportRow {
  const former = registeredDocs(shop, transport)
  if (labelSet === undefined && isDeepStrictEqual(former.map(shown), labels.map(shown))) return transport
  const { labelSet: formerSet = labelSetOf(shop, transport), formerLabels = [], ...doc } = transport.doc
  const replaced = {
    replaced: now,
    labels: former,
    ...(formerSet === undefined ? {} : { labelSet: formerSet }),
  }
  return {
    ...transport,
    updated: latest(transport.updated, now),
    doc: {
      ...doc,
      labels: [...labels],
      ...(labelSet === undefined ? {} : { labelSet }),
      ...(former.length === 0 ? {} : { formerLabels: [...formerLabels, replaced].slice(-MAX_FORMER) }),
    },
  }
}

/** Compared form: no list of further codes equals an empty one. */
function shown(label: LabelDoc): LabelDoc {
  const { additionalTrackingCodes = [], ...rest } = label
  return { ...rest, additionalTrackingCodes, format: finalFormat(label) }
}
