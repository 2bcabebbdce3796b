import { randomBytes } from 'node:crypto'
import { shopOf } from '../demo/catalogue.ts'
import type { LabelRow, ReturnRow, TransportRow } from '../store/rows.ts'
import { type CarrierConnection, findConnection } from './connections.ts'
import type { ReceivedLabelRequest } from './request.ts'
import { clientReference } from './shipments.ts'

const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]
const SERIALS = 100_000_000
/** Prime to the number of serials: codes are unique, and those of one day do not count up. */
const STRIDE = 61_803_399

/** The check digit of the eight digits of an identifier (UPU S10). */
export function s10CheckDigit(serial: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(serial[i]), 0)
  const check = 11 - (sum % 11)
  if (check === 10) return '0'
  return check === 11 ? '5' : String(check)
}

/** UPU S10: two letters of the carrier, eight digits, a check digit, the parcel's country. Unique for 10^8 parcels. */
export function trackingCode(carrierCode: string, countryCode: string, parcelNumber: number): string {
  const serial = String((parcelNumber * STRIDE + 12_345_678) % SERIALS).padStart(8, '0')
  return `${carrierLetters(carrierCode)}${serial}${s10CheckDigit(serial)}${countryCode}`
}

/** `CORREOS` → `CS`, `DHL_SE` → `DE`. */
function carrierLetters(carrierCode: string): string {
  const letters = carrierCode.toUpperCase().replace(/[^A-Z]/g, '')
  return `${letters.at(0) ?? 'R'}${letters.at(-1) ?? 'A'}`
}

export interface MakeOptions {
  request: ReceivedLabelRequest
  connection: CarrierConnection
  /** Unique among all parcels of the platform. */
  firstParcelNumber: number
  /** Ms since the epoch. */
  now: number
  /** True if labels get an address. */
  isServed: boolean
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
  const { request, connection, firstParcelNumber, now, isServed } = options
  const { carrierCode, trackingUrlPrefix } = connection
  const code = trackingCode(carrierCode, request.origin.address.countryCode, firstParcelNumber + parcel)
  return {
    trackingCode: code,
    trackingUrl: trackingUrlPrefix === undefined ? null : trackingUrlPrefix + code,
    urlKey: isServed ? randomBytes(24).toString('base64url') : null,
    ...(await makeDocument(request, connection, parcel, code, now)),
  }
}

/** The document of one parcel, by its position from 0, in a format that the carrier has. `now` is in ms. */
async function makeDocument(
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

/** The label that a demo carrier made by itself: drawn when asked for, always the same. */
export async function ownLabel(
  stored: ReturnRow,
  transport: TransportRow,
  code: string | undefined,
): Promise<LabelRow | undefined> {
  const shop = shopOf(stored)
  const { carrierServiceCode = '' } = shop.services[transport.service] ?? {}
  const connection = findConnection(shop, carrierServiceCode)
  const destination = shop.warehouses[stored.warehouse]
  if (connection === undefined || destination === undefined || code === undefined) return undefined
  const { id: _, ...origin } = stored.customer
  const request = {
    shipmentType: 'RETURN' as const,
    clientShipmentId: clientReference(stored, transport),
    carrierServiceCode,
    labelFormat: 'PDF' as const,
    origin,
    destination,
    parcels: [{ clientParcelId: '1', description: 'Returned items' }],
  }
  const made = await makeDocument(request, connection, 0, code, transport.created * 1000)
  return { ...made, trackingCode: code, trackingUrl: null, urlKey: null }
}
