import { isDeepStrictEqual } from 'node:util'
import { FINAL_LABEL_FORMATS } from '../../wire/labels.ts'
import { latest } from '../returns/case.ts'
import type { LabelDoc, Shop, TransportRow } from '../store/rows.ts'

/** In place of the number of a label set: the label that the demo data's carriers have made by themselves. */
export const OWN_LABEL = 0

/** What is registered of a transport's labels: the carrier's own data until others replace them. */
export function registeredDocs(shop: Shop, transport: TransportRow): LabelDoc[] {
  const { no, doc } = transport
  if (doc.labels !== undefined) return doc.labels
  const { reference } = doc
  const trackingUrl = doc.trackingUrl ?? trackingUrlOf(shop, transport, reference)
  const label: LabelDoc = {
    ...(reference === undefined ? {} : { carrierTrackingCode: reference }),
    ...(trackingUrl === undefined ? {} : { carrierTrackingUrl: trackingUrl }),
    ...(labelSetOf(shop, transport) === OWN_LABEL
      ? { format: 'PDF', url: `https://labels.example.com/${no}.pdf` }
      : {}),
  }
  return Object.keys(label).length === 0 ? [] : [label]
}

/** The set that the registered labels came with; undefined where nobody made a document. */
export function labelSetOf({ services }: Shop, { service, doc }: TransportRow): number | undefined {
  if (doc.labels !== undefined) return doc.labelSet
  const hasOwn = services[service]?.hasLabel === true && !doc.isUnlabelled && doc.reference !== undefined
  return hasOwn ? OWN_LABEL : undefined
}

/** The format of a label as it is shown: what was registered, else what its address says, else the usual one. */
export function finalFormat({ format, url = '' }: LabelDoc): (typeof FINAL_LABEL_FORMATS)[number] {
  const said = format ?? /\.(\w+)$/.exec(url)?.[1]?.toUpperCase()
  return FINAL_LABEL_FORMATS.find((known) => known === said) ?? 'PDF'
}

/** The code that a transport is known by at its carrier. */
export function trackingCodeOf({ doc }: TransportRow): string | undefined {
  return doc.labels === undefined ? doc.reference : doc.labels[0]?.carrierTrackingCode
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
 * A transport with other labels; the former ones, if there were any, go into its history. The same object if that changes
 * nothing. `labelSet` is the set that they came with, `now` is in seconds.
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
      ...(former.length === 0 ? {} : { formerLabels: [...formerLabels, replaced] }),
    },
  }
}

/** What of a label is compared: none and an empty list of further codes are the same. */
function shown(label: LabelDoc): LabelDoc {
  const { additionalTrackingCodes = [], ...rest } = label
  return { ...rest, additionalTrackingCodes, format: finalFormat(label) }
}
