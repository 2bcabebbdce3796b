import { labelIdFor } from '../../wire/return-names.ts'
import { type Shop, shopOf } from '../demo/catalogue.ts'
import { ApiError } from '../http/answers.ts'
import { PARTS_PER_RETURN, type ReturnRow, type TransportRow } from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import type { ReceivedLabelUpdate } from './request.ts'

interface Shipment {
  shipment: ReturnRow
  transports: readonly TransportRow[]
}

/** Decided: `P#R#LUMLU105189`, and `-2` after it for the second transport of the order. */
export function clientReference(stored: ReturnRow, { nth = 1 }: TransportRow): string {
  return `P#R#${shopOf(stored).shortCode}${stored.orderName}${nth === 1 ? '' : `-${nth}`}`
}

/** Decided: shops of the sandbox call the returns of an order ORDER-R1, ORDER-R2. */
export function merchantReturnName({ name, orderName }: ReturnRow): string {
  return `${orderName}-R${name.slice(`R#-${orderName}-`.length) || '1'}`
}

/** Spec §4.1, §4.4. */
export function findShipment(
  data: Snapshot,
  shop: Shop,
  { shipmentId, shipmentIdType }: Pick<ReceivedLabelUpdate, 'shipmentId' | 'shipmentIdType'>,
): Shipment | undefined {
  if (shipmentIdType === 'CLIENT_REFERENCE') return findByClientReference(data, shop, shipmentId)
  const shipment =
    shipmentIdType === 'RETURN_NAME'
      ? data.findShipment(shop.no, shipmentId)
      : findByMerchantName(data, shop, shipmentId)
  return shipment && { shipment, transports: shipment.transports }
}

/** Client reference, or `{return name}-T{transport id}`. */
export function findLabelled(data: Snapshot, shop: Shop, clientShipmentId: string): Shipment | undefined {
  const [, name, id = ''] = /^(.+)-T([1-9]\d{10,14})$/s.exec(clientShipmentId) ?? []
  const shipment = data.findReturn(Math.floor(Number(id) / PARTS_PER_RETURN))
  const transport = shipment?.transports.find(({ no }) => String(no) === id)
  if (shipment?.shop === shop.no && shipment.name === name && transport) {
    return { shipment, transports: [transport] }
  }
  return findByClientReference(data, shop, clientShipmentId)
}

export function idsOf(found: Shipment | undefined, clientShipmentId: string): string[] {
  const transport = found?.transports[0]
  if (found === undefined || transport === undefined) return [clientShipmentId]
  const { shipment } = found
  return [clientReference(shipment, transport), labelIdFor(shipment.name, transport.no)]
}

export function noActiveTransport(shop: Shop, shipmentId: string, found: Shipment | undefined): ApiError {
  const ended = (found?.transports ?? []).map((each) => `${each.no} ended ${each.status}`)
  const message =
    found === undefined
      ? `${shop.code} has no shipment ${shipmentId} with an active transportation`
      : `${shipmentId} has no active transportation: ${ended.join(', ')}`
  return ApiError.of(400, 'SH01', `shipmentId: ${message}`)
}

function findByClientReference(data: Snapshot, shop: Shop, reference: string): Shipment | undefined {
  const start = `P#R#${shop.shortCode}`
  if (!reference.startsWith(start)) return undefined
  const rest = reference.slice(start.length)
  const orders = new Set([rest, rest.replace(/-\d+$/, '')])
  for (const shipment of [...orders].flatMap((order) => data.returnsOfOrder(shop.no, order))) {
    const found = shipment.transports.find((each) => clientReference(shipment, each) === reference)
    if (found) return { shipment, transports: [found] }
  }
  return undefined
}

function findByMerchantName(data: Snapshot, shop: Shop, merchantName: string) {
  const [, order] = /^(.+)-R[1-9]\d*$/s.exec(merchantName) ?? []
  const returns = order === undefined ? [] : data.returnsOfOrder(shop.no, order)
  return returns.find((each) => merchantReturnName(each) === merchantName)
}
