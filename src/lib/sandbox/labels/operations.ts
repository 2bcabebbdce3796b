import type * as z from 'zod'
import type { labelSetSchema } from '../../wire/labels.ts'
import { ApiError } from '../api-error.ts'
import type { Call, Operation } from '../operation.ts'
import { replaced, touch } from '../returns/case.ts'
import { theShop } from '../shop-rules.ts'
import type { LabelRow, LabelSetRow } from '../store/rows.ts'
import { findConnection, SANDBOX_CONNECTION_CODES } from './connections.ts'
import { makeLabels, parcelCount } from './make.ts'
import { checkWithCarrier } from './refusals.ts'
import { parseLabelRequest, parseLabelUpdate } from './request.ts'
import { findActiveShipment, withLabels } from './shipments.ts'

/** Where labels are served that are too good for base64. Outside the API's own paths: they need no token. */
export const LABEL_FILES = '/labels'
const SLOW_ANSWER_MS = 3000

type LabelSet = z.infer<typeof labelSetSchema>

/** What is done with labels (spec §4.2–4.4). */
export const LABEL_OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/shipping_labels', answer: getLabels },
  { method: 'POST', path: '/shipping_labels', answer: createLabels },
  { method: 'PUT', path: '/shipping_labels', answer: updateLabels },
]

/**
 * `POST /shipping_labels` (spec §4.2). Decided: every call makes, and would charge, a new set of labels. They are on
 * the disk before the answer, the slow one too.
 */
async function createLabels(call: Call): Promise<LabelSet> {
  const { now } = call
  const { store, newKey, sleep } = call.platform
  const request = parseLabelRequest(await call.body())
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
    labels: await makeLabels({ request, connection, firstParcelNumber, now, newKey }),
  }
  await store.write((data) => data.addLabelSet(set))
  if (connection.isSlow) await sleep(SLOW_ANSWER_MS)
  return labelSet(set, call.origin)
}

/** `GET /shipping_labels` (spec §4.3): every set of the shipment, oldest first. */
function getLabels(call: Call): LabelSet[] {
  const clientShipmentId = call.params.get('client_shipment_id') ?? ''
  if (clientShipmentId === '') {
    throw new ApiError(400, [{ code: 'VA01', message: 'client_shipment_id: is missing' }])
  }
  const sets = call.platform.store.read((data) => {
    const shop = theShop(call.tokenShops, call.params.get('shopCode') || undefined, data.shops)
    return data.labelSets(shop.no, clientShipmentId)
  })
  if (sets.length === 0) {
    throw new ApiError(404, [{ code: 'LB03', message: `The shipment ${clientShipmentId} has no label` }])
  }
  return sets.map((set) => labelSet(set, call.origin))
}

/** `PUT /shipping_labels` (spec §4.4). Decided: what was registered before stays in the transport's history. */
async function updateLabels(call: Call): Promise<{ statusCode: string; description: string }> {
  const update = parseLabelUpdate(await call.body())
  return call.platform.store.write((data) => {
    const shop = theShop(call.tokenShops, update.shopCode, data.shops)
    const found = findActiveShipment(data, shop, update)
    if (found === undefined) {
      const message = `shipmentId: ${shop.code} has no shipment ${update.shipmentId} (${update.shipmentIdType}) with an active transportation`
      throw new ApiError(400, [{ code: 'SH01', message }])
    }
    const { shipment, transport } = found
    const now = Math.floor(call.now / 1000)
    const relabelled = withLabels(shop, transport, update.shippingLabels, now)
    const transports = replaced(shipment.transports, transport, relabelled)
    data.saveCase(shipment, touch({ ...shipment, transports }, now))
    return {
      statusCode: 'OK',
      description: `Label of transportation ${transport.no} of ${shipment.name} updated`,
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
