import type { LabelRow } from '../store/rows.ts'
import type { CarrierConnection } from './connections.ts'
import type { ReceivedLabelRequest } from './request.ts'
import { trackingCode } from './tracking-code.ts'

export interface MakeOptions {
  request: ReceivedLabelRequest
  connection: CarrierConnection
  /** Unique among all parcels of the platform. */
  firstParcelNumber: number
  /** Ms since the epoch. */
  now: number
  /** Key of the address that a label is served at; undefined for none. */
  newKey: (() => string) | undefined
}

/** One label a parcel; one in all without parcels. */
export async function makeLabels(options: MakeOptions): Promise<LabelRow[]> {
  const labels: LabelRow[] = []
  for (let parcel = 0; parcel < parcelCount(options.request); parcel++) {
    labels.push(await makeLabel(options, parcel))
  }
  return labels
}

export function parcelCount(request: ReceivedLabelRequest): number {
  return Math.max(1, request.parcels?.length ?? 0)
}

async function makeLabel(options: MakeOptions, parcel: number): Promise<LabelRow> {
  const { request, connection, firstParcelNumber, now, newKey } = options
  const { carrierCode, trackingUrlPrefix } = connection
  const code = trackingCode(carrierCode, request.origin.address.countryCode, firstParcelNumber + parcel)
  return {
    trackingCode: code,
    trackingUrl: trackingUrlPrefix === undefined ? null : trackingUrlPrefix + code,
    urlKey: newKey?.() ?? null,
    ...(await makeDocument(request, connection, parcel, code, now)),
  }
}

/** The document of one parcel, by its position from 0, in a format that the carrier has. `now` is in ms. */
export async function makeDocument(
  request: ReceivedLabelRequest,
  connection: CarrierConnection,
  parcel: number,
  code: string,
  now: number,
): Promise<Pick<LabelRow, 'format' | 'document'>> {
  if (connection.delivery === 'label-free') {
    const { qrPng } = await import('./barcodes.ts')
    return { format: 'PNG', document: await qrPng(code) }
  }
  const { labelContent } = await import('./content.ts')
  const content = labelContent(request, connection, parcel, code, now)
  const format =
    connection.formats.find((each) => each === request.labelFormat) ?? connection.formats[0] ?? 'PDF'
  if (format === 'ZPL') {
    const { labelZpl } = await import('./zpl.ts')
    return { format, document: await labelZpl(content) }
  }
  const { labelPdf } = await import('./pdf.ts')
  return { format, document: await labelPdf(content, now) }
}
