import { scanGapsOf } from '../../insight/stuck.ts'
import { stringifyJson } from '../../wire/json.ts'
import { plainDate as date, plainDecimal as decimal, keyOf, plainText as text } from '../../wire/plain.ts'
import { at, list } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import type { RowOf } from './tables.ts'

/** Returns a row of which the mirror's own columns are still to be filled in. */
export function returnRow(record: Return): RowOf<'returns'> {
  const { customer, ecommerceOrder, activeTransportation: transport } = record
  const address = at(customer, 'address')
  const createdAt = date(record.createdAt)
  return {
    id: keyOf(record),
    name: text(record.name),
    shop_code: text(record.shopCode),
    status: text(record.status),
    order_id: text(at(ecommerceOrder, 'id')),
    order_name: text(at(ecommerceOrder, 'name')),
    customer_name: text(at(customer, 'fullName')),
    customer_email: text(at(customer, 'email')),
    customer_phone: text(at(customer, 'phone')),
    customer_city: text(at(address, 'city')),
    customer_postal_code: text(at(address, 'postalCode')),
    customer_country: text(at(address, 'countryCode')),
    carrier: text(at(transport, 'carrierCode')),
    carrier_service: text(at(transport, 'carrierServiceCode')),
    transport_status: text(at(transport, 'status')),
    tracking_code: text(at(transport, 'carrierReference')),
    currency: text(record.currency),
    amount_requested: decimal(record.totalReturnAmount),
    fee: decimal(record.totalReturnFee),
    amount_due: decimal(record.totalRefund),
    created_at: createdAt,
    updated_at: date(record.updatedAt),
    cancelled_at: date(record.cancelledAt),
    synced_at: '',
    document: '',
    sort_key: createdAt ?? '',
    version: 0,
    differs: 0,
  }
}

export function itemRows(record: Return, returnId: string): RowOf<'return_items'>[] {
  return list(record.returnLineItems).map((item, position) => ({
    return_id: returnId,
    position,
    id: text(at(item, 'id')),
    sku: text(at(item, 'sku')),
    barcode: text(at(item, 'barcode')),
    product_name: text(at(item, 'productName')),
    variant_name: text(at(item, 'variantName')),
    vendor: text(at(item, 'vendor')),
    quantity: decimal(at(item, 'quantity')),
    price: decimal(at(item, 'price')),
    amount: decimal(at(item, 'returnAmount')),
    currency: text(at(item, 'currency')),
    reason_code: text(at(at(item, 'returnReason'), 'code')),
    reason: text(at(at(item, 'returnReason'), 'reason')),
    comment: text(at(at(item, 'returnReason'), 'additionalInfo')),
    refund_type: text(at(item, 'refundType')),
    refund_mode: text(at(item, 'refundMode')),
  }))
}

export function transportRows(
  transports: readonly Transportation[],
  returnId: string,
): RowOf<'transports'>[] {
  return transports.map((transport, position) => ({
    return_id: returnId,
    position,
    id: text(transport.id),
    status: text(transport.status),
    carrier: text(transport.carrierCode),
    carrier_service: text(transport.carrierServiceCode),
    tracking_code: text(transport.carrierReference),
    tracking_url: text(transport.carrierTrackingUrl),
    client_reference: text(transport.clientReference),
    created_at: date(transport.createdAt),
    updated_at: date(transport.updatedAt),
    gap_minutes: scanGapsOf(transport).join(' ') || null,
    document: stringifyJson(transport),
  }))
}

export function eventRows(
  transports: readonly Transportation[],
  returnId: string,
): RowOf<'tracking_events'>[] {
  return transports.flatMap((transport, transportPosition) =>
    list(transport.trackingEvents).map((event, position) => ({
      return_id: returnId,
      transport_position: transportPosition,
      position,
      transport_id: text(transport.id),
      status: text(at(event, 'status')),
      description: text(at(event, 'description')),
      happened_at: date(at(event, 'date')),
      received_at: date(at(event, 'receivedAt')),
    })),
  )
}

export function refundRows(refunds: readonly Refund[], returnId: string): RowOf<'refunds'>[] {
  return refunds.map((refund, position) => ({
    return_id: returnId,
    position,
    id: text(refund.id),
    type: text(refund.refundType),
    mode: text(refund.refundMode),
    status: text(refund.status),
    amount: decimal(refund.amount),
    fee: decimal(refund.fee),
    currency: text(refund.currency),
    base_amount: decimal(refund.baseAmount),
    base_currency: text(refund.baseCurrency),
    created_at: date(refund.createdAt),
    executed_at: date(refund.executedAt),
    document: stringifyJson(refund),
  }))
}

export function deliveredAt(transports: readonly Transportation[]): string | null {
  const events = eventRows(transports, '').filter(({ status }) => status === 'SHIPPING_COMPLETED')
  return (
    events
      .map(({ happened_at }) => happened_at ?? '')
      .toSorted()
      .at(-1) || null
  )
}
