import type { LabelRow, Shop, StoredReturn, TransportRow } from '../store/rows.ts'
import { findConnection } from './connections.ts'
import { makeDocument } from './make.ts'
import { clientReference } from './shipments.ts'

/** The label that a demo carrier made by itself: drawn when asked for, always the same. */
export async function ownLabel(
  { shop, orderName, customer, doc }: StoredReturn,
  transport: TransportRow,
  code: string | undefined,
): Promise<LabelRow | undefined> {
  const connection = connectionOf(shop, transport)
  const destination = shop.warehouses[doc.warehouse]
  if (connection === undefined || destination === undefined || code === undefined) return undefined
  const { id: _, ...origin } = customer
  const request = {
    shipmentType: 'RETURN' as const,
    clientShipmentId: clientReference(shop, orderName, transport),
    carrierServiceCode: connection.carrierServiceCode,
    labelFormat: 'PDF' as const,
    origin,
    destination,
    parcels: [{ clientParcelId: '1', description: 'Returned items' }],
  }
  const made = await makeDocument(request, connection, 0, code, transport.created * 1000)
  return { ...made, trackingCode: code, trackingUrl: null, urlKey: null }
}

function connectionOf(shop: Shop, { service }: TransportRow) {
  const { carrierServiceCode } = shop.services[service] ?? {}
  return carrierServiceCode === undefined ? undefined : findConnection(shop, carrierServiceCode)
}
