import type * as z from 'zod'
import type { labelSetSchema } from '../../wire/labels.ts'
import { ApiError } from '../api-error.ts'
import { theShop } from '../shop-rules.ts'
import type { LabelRow, LabelSetRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import { findConnection, SANDBOX_CONNECTION_CODES } from './connections.ts'
import { makeLabels, parcelCount } from './make.ts'
import { checkWithCarrier } from './refusals.ts'
import { parseLabelRequest, parseLabelUpdate } from './request.ts'
import { findActiveShipment, withLabels } from './shipments.ts'

/** Where labels are served that are too good for base64. Outside the API's own paths: they need no token. */
export const LABEL_FILES = '/labels'
const SLOW_ANSWER_MS = 3000

type LabelSet = z.infer<typeof labelSetSchema>

/** One authenticated request on labels, and what it is answered with. */
export interface LabelCall {
  store: Pick<Store, 'read' | 'write'>
  tokenShops: readonly string[]
  /** `http://host:port` as the client sees it. */
  origin: string
  /** Ms since the epoch. */
  now: number
  /** An address part that nobody can guess. */
  newKey(): string
  sleep(ms: number): Promise<void>
}

/**
 * `POST /shipping_labels` (spec §4.2). Decided: every call makes, and would charge, a new set of labels. They are on
 * the disk before the answer, the slow one too.
 */
export async function createLabels(call: LabelCall, body: string): Promise<LabelSet> {
  const { store, now } = call
  const request = parseLabelRequest(body)
  const shop = store.read(({ shops }) => theShop(call.tokenShops, request.shopCode ?? undefined, shops))
  const connection = findConnection(shop, request.carrierServiceCode)
  if (connection === undefined) {
    const known = [
      ...shop.services.map(({ carrierServiceCode }) => carrierServiceCode),
      ...SANDBOX_CONNECTION_CODES,
    ]
    const message = `carrierServiceCode: ${shop.code} has no carrier connection ${request.carrierServiceCode}; it has ${known.join(', ')}`
    throw new ApiError(400, [{ code: 'LB01', message }])
  }
  checkWithCarrier(request, connection)
  const firstParcelNumber = await store.write((data) => data.takeParcelNumbers(parcelCount(request)))
  const set: LabelSetRow = {
    shop: shop.no,
    clientShipmentId: request.clientShipmentId,
    created: Math.floor(now / 1000),
    doc: {
      carrierCode: connection.carrierCode,
      carrierExternalCode: connection.carrierExternalCode,
      carrierServiceCode: connection.carrierServiceCode,
      isLabelFree: connection.delivery === 'label-free',
    },
    labels: await makeLabels({ request, connection, firstParcelNumber, now, newKey: call.newKey }),
  }
  await store.write((data) => data.addLabelSet(set))
  if (connection.isSlow) await call.sleep(SLOW_ANSWER_MS)
  return labelSet(set, call.origin)
}

/** `GET /shipping_labels` (spec §4.3): every set of the shipment, oldest first. */
export function getLabels(call: LabelCall, params: URLSearchParams): LabelSet[] {
  const clientShipmentId = params.get('client_shipment_id') ?? ''
  if (clientShipmentId === '') {
    throw new ApiError(400, [{ code: 'VA01', message: 'client_shipment_id: is missing' }])
  }
  const sets = call.store.read((data) => {
    const shop = theShop(call.tokenShops, params.get('shopCode') || undefined, data.shops)
    return data.labelSets(shop.no, clientShipmentId)
  })
  if (sets.length === 0) {
    throw new ApiError(404, [{ code: 'LB03', message: `The shipment ${clientShipmentId} has no label` }])
  }
  return sets.map((set) => labelSet(set, call.origin))
}

/** `PUT /shipping_labels` (spec §4.4). Decided: what was registered before stays in the transport's history. */
export async function updateLabels(
  call: LabelCall,
  body: string,
): Promise<{ statusCode: string; description: string }> {
  const update = parseLabelUpdate(body)
  return call.store.write((data) => {
    const shop = theShop(call.tokenShops, update.shopCode, data.shops)
    const found = findActiveShipment(data, shop, update)
    if (found === undefined) {
      const message = `shipmentId: ${shop.code} has no shipment ${update.shipmentId} (${update.shipmentIdType}) with an active transportation`
      throw new ApiError(400, [{ code: 'SH01', message }])
    }
    const { stored, transport } = found
    data.saveTransport(withLabels(stored, transport, update.shippingLabels, Math.floor(call.now / 1000)))
    return {
      statusCode: 'OK',
      description: `Label of transportation ${transport.no} of ${stored.name} updated`,
    }
  })
}

function labelSet({ doc, clientShipmentId, labels }: LabelSetRow, origin: string): LabelSet {
  const { carrierCode, carrierExternalCode, carrierServiceCode, isLabelFree } = doc
  return {
    carrierCode,
    carrierExternalCode,
    carrierServiceCode,
    clientShipmentId,
    shippingLabels: labels.map((label) => ({
      carrierTrackingCode: label.trackingCode,
      ...(label.trackingUrl === null ? {} : { carrierTrackingUrl: label.trackingUrl }),
      isLabelFree,
      ...document(label, isLabelFree, origin),
    })),
  }
}

function document(label: LabelRow, isLabelFree: boolean, origin: string) {
  const { format, urlKey } = label
  if (urlKey !== null) return { url: `${origin}${LABEL_FILES}/${urlKey}.${format.toLowerCase()}` }
  const base64 = Buffer.from(label.document).toString('base64')
  return isLabelFree ? { labelFreeCode: { format, base64 } } : { base64 }
}
