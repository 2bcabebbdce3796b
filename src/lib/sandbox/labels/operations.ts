import { randomBytes } from 'node:crypto'
import type { LabelSet } from '../../wire/labels.ts'
import type { Acknowledgement, AcknowledgementCode } from '../../wire/tracking.ts'
import { type Shop, shopOf } from '../demo/catalogue.ts'
import { ApiError } from '../http/answers.ts'
import { requestedShop } from '../http/auth.ts'
import type { Call } from '../http/platform.ts'
import { invalid } from '../http/received-request.ts'
import { isOver, withTransport } from '../returns/lifecycle.ts'
import { textIn } from '../returns/reads.ts'
import type { LabelRow, LabelSetRow, ReturnRow, TransportRow } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import { checkWithCarrier, connectionCodes, findConnection } from './connections.ts'
import type { LabelFacts } from './content.ts'
import { parseLabelRequest, parseLabelUpdate, type ReceivedLabelRequest } from './request.ts'
import { labelData, labelSetRecord, madeSet, relativeUrl, setsOf, withLabels } from './sets.ts'
import { clientReference, findLabelled, findShipment, idsOf, noActiveTransport } from './shipments.ts'

const SLOW_ANSWER_MS = 3000

/** `POST /shipping_labels` (spec §4.2). Decided: every call makes, and would charge, a new set. */
export async function createLabels(call: Call): Promise<LabelSet> {
  const { now } = call
  const { store, sleep } = call.platform
  const request = parseLabelRequest(call.body())
  const shop = requestedShop(call.tokenShops, request.shopCode)
  const connection = findConnection(shop, request.carrierServiceCode)
  if (connection === undefined) {
    const message = `carrierServiceCode: ${shop.code} has no carrier connection ${request.carrierServiceCode}; it has ${connectionCodes(shop).join(', ')}`
    throw ApiError.of(400, 'LB01', message)
  }
  checkWithCarrier(request, connection)
  const [firstParcelNumber, isLinked] = await store.write((data) => [
    data.takeParcelNumbers(parcelCount(request)),
    findLabelled(data, shop, request.clientShipmentId) !== undefined,
  ])
  const { carrierCode, carrierExternalCode, carrierServiceCode, delivery } = connection
  const set: LabelSetRow = {
    shop: shop.no,
    clientShipmentId: request.clientShipmentId,
    carrier: {
      carrierCode,
      carrierExternalCode,
      carrierServiceCode,
      isLabelFree: delivery === 'label-free',
      isInAnswer: delivery !== 'by-url',
    },
    // A transport's label has an address (spec §2.4) even if the answer holds the document.
    labels: await makeLabels({
      request,
      connection,
      firstParcelNumber,
      now,
      isServed: isLinked || delivery === 'by-url',
    }),
  }
  await store.write((data) => addLabels(data, shop, set, Math.floor(now / 1000)))
  if (connection.isSlow) await sleep(SLOW_ANSWER_MS)
  return labelSetRecord(madeSet(set), set.clientShipmentId, call.url.origin)
}

function addLabels(data: WritableSnapshot, shop: Shop, set: LabelSetRow, now: number) {
  const labelSet = data.addLabelSet(set)
  const found = findLabelled(data, shop, set.clientShipmentId)
  const transport = found?.transports[0]
  if (found === undefined || transport === undefined || isOver(transport)) return
  const labelled = withLabels(shop, transport, { labels: set.labels.map(labelData), labelSet }, now)
  const changed = { ...labelled, carrier: set.carrier.carrierCode, isOfUnknownCarrier: undefined }
  data.saveReturn(withTransport(found.shipment, transport, changed, now))
}

/** `GET /shipping_labels` (spec §4.3), oldest first. Decided: all ids of a transport stand for the same sets. */
export async function getLabels(call: Call): Promise<LabelSet[]> {
  const problems: string[] = []
  const clientShipmentId = textIn(call.url.searchParams, 'client_shipment_id', problems)
  const shopCode = textIn(call.url.searchParams, 'shopCode', problems)
  if (clientShipmentId === undefined) problems.push('client_shipment_id: is missing')
  if (clientShipmentId === undefined || problems.length > 0) throw invalid(problems)
  const shop = requestedShop(call.tokenShops, shopCode)
  const { sets, stored, transport } = call.platform.store.read((data) => {
    const found = findLabelled(data, shop, clientShipmentId)
    const transport = found?.transports[0]
    const ofTransport = transport ? setsOf(data, shop, transport) : []
    const others = idsOf(found, clientShipmentId)
      .flatMap((id) => data.labelSets(shop.no, id))
      .filter(({ no }) => ofTransport.every(({ labelSet }) => labelSet !== no))
      .sort((one, other) => one.no - other.no)
    // Sets bought under an ended transport's id are newer, those bought before there was a transport are older.
    const isEnded = transport && isOver(transport)
    const newest = isEnded ? Math.max(...ofTransport.map(({ labelSet = 0 }) => labelSet)) : Infinity
    const older = others.filter(({ no }) => no < newest).length
    const sets = others.map(madeSet).toSpliced(older, 0, ...ofTransport)
    return { sets, stored: found?.shipment, transport }
  })
  if (sets.length === 0) {
    throw ApiError.of(404, 'LB03', `The shipment ${clientShipmentId} has no label`)
  }
  return Promise.all(
    sets.map(async (set) => {
      const own = stored && transport && (await ownLabel(stored, transport, set.ownCode))
      return labelSetRecord(own ? { ...set, documents: [own] } : set, clientShipmentId, call.url.origin)
    }),
  )
}

/** `PUT /shipping_labels` (spec §4.4). Decided: absent fields become empty, the former list goes into the history. */
export function updateLabels(call: Call): Promise<Acknowledgement & { statusCode: AcknowledgementCode }> {
  const update = parseLabelUpdate(call.body())
  const shop = requestedShop(call.tokenShops, update.shopCode)
  const given = update.shippingLabels.map(({ url, ...label }) => ({
    ...label,
    url: url && relativeUrl(url, call.url.origin),
  }))
  const labels = given.slice(
    0,
    given.findLastIndex((label) => Object.values(label).some((value) => value !== undefined)) + 1,
  )
  return call.platform.store.write((data) => {
    const found = findShipment(data, shop, update)
    const transport = found?.transports.findLast((each) => !isOver(each))
    if (found === undefined || transport === undefined) {
      throw noActiveTransport(shop, update.shipmentId, found)
    }
    const { shipment } = found
    const now = Math.floor(call.now / 1000)
    const subject = `Label of transportation ${transport.no} of ${shipment.name}`
    const relabelled = withLabels(shop, transport, { labels }, now)
    if (relabelled === transport) return { statusCode: 'DUPLICATE', description: `${subject} was so before` }
    data.saveReturn(withTransport(shipment, transport, relabelled, now))
    return { statusCode: 'OK', description: `${subject} updated` }
  })
}

const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]
const SERIALS = 100_000_000
/** Coprime to `SERIALS`, so that codes are unique and not consecutive. */
const STRIDE = 61_803_399

export function s10CheckDigit(serial: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(serial[i]), 0)
  const check = 11 - (sum % 11)
  if (check === 10) return '0'
  return check === 11 ? '5' : String(check)
}

/** UPU S10, unique for 10^8 parcels. */
export function trackingCode(carrierCode: string, countryCode: string, parcelNumber: number): string {
  const serial = String((parcelNumber * STRIDE + 12_345_678) % SERIALS).padStart(8, '0')
  return `${carrierLetters(carrierCode)}${serial}${s10CheckDigit(serial)}${countryCode}`
}

/** `CORREOS` → `CS`, `DHL_SE` → `DE`. */
function carrierLetters(carrierCode: string) {
  const letters = carrierCode.toUpperCase().replace(/[^A-Z]/g, '')
  return `${letters.at(0) ?? 'R'}${letters.at(-1) ?? 'A'}`
}

interface MakeOptions extends Omit<LabelFacts, 'parcel' | 'trackingCode'> {
  firstParcelNumber: number
  isServed: boolean
}

async function makeLabels({ firstParcelNumber, isServed, ...shared }: MakeOptions) {
  const { request, connection } = shared
  const { carrierCode, trackingUrlPrefix } = connection
  const labels: LabelRow[] = []
  for (let parcel = 0; parcel < parcelCount(request); parcel++) {
    const code = trackingCode(carrierCode, request.origin.address.countryCode, firstParcelNumber + parcel)
    labels.push({
      trackingCode: code,
      trackingUrl: trackingUrlPrefix === undefined ? null : trackingUrlPrefix + code,
      urlKey: isServed ? randomBytes(24).toString('base64url') : null,
      ...(await makeDocument({ ...shared, parcel, trackingCode: code })),
    })
  }
  return labels
}

function parcelCount(request: ReceivedLabelRequest) {
  return Math.max(1, request.parcels?.length ?? 0)
}

async function makeDocument(label: LabelFacts): Promise<Pick<LabelRow, 'format' | 'document'>> {
  const { request, connection, trackingCode, now } = label
  if (connection.delivery === 'label-free') {
    const { qrPng } = await import('./pdf.ts')
    return { format: 'PNG', document: await qrPng(trackingCode) }
  }
  const { labelContent } = await import('./content.ts')
  const content = labelContent(label)
  const format =
    connection.formats.find((each) => each === request.labelFormat) ?? connection.formats[0] ?? 'PDF'
  if (format === 'ZPL') {
    const { labelZpl } = await import('./zpl.ts')
    return { format, document: await labelZpl(content) }
  }
  const { labelPdf } = await import('./pdf.ts')
  return { format, document: await labelPdf(content, now) }
}

async function ownLabel(
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
  const now = transport.created * 1000
  const made = await makeDocument({ request, connection, parcel: 0, trackingCode: code, now })
  return { ...made, trackingCode: code, trackingUrl: null, urlKey: null }
}
