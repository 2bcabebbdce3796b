import type { Insertable } from 'kysely'
import { numberText, stringifyJson } from '../wire/json.ts'
import { asText, at, list } from '../wire/raw.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import { parseServiceDate } from '../wire/time.ts'
import type { Transportation } from '../wire/transportations.ts'
import type { MirrorTables } from './tables.ts'

export type RowOf<T extends keyof MirrorTables> = Insertable<MirrorTables[T]>

/** The id, which the specification does not require (spec §2.1); else the name, unique in a shop; else everything. */
export function keyOf(record: Return): string {
  const [id, name, shop] = [record.id, record.name, record.shopCode].map((value) => columnText(value))
  return id ?? (name === null ? stringifyJson(record) : `${shop ?? ''} ${name}`)
}

/** The columns that come out of a record; the rest is the mirror's own. */
export function returnRow(record: Return) {
  const { customer, ecommerceOrder, activeTransportation: transport } = record
  const address = at(customer, 'address')
  const createdAt = date(record.createdAt)
  return {
    id: keyOf(record),
    name: columnText(record.name),
    shop_code: columnText(record.shopCode),
    status: columnText(record.status),
    order_id: columnText(at(ecommerceOrder, 'id')),
    order_name: columnText(at(ecommerceOrder, 'name')),
    customer_name: columnText(at(customer, 'fullName')),
    customer_email: columnText(at(customer, 'email')),
    customer_phone: columnText(at(customer, 'phone')),
    customer_city: columnText(at(address, 'city')),
    customer_postal_code: columnText(at(address, 'postalCode')),
    customer_country: columnText(at(address, 'countryCode')),
    carrier: columnText(at(transport, 'carrierCode')),
    carrier_service: columnText(at(transport, 'carrierServiceCode')),
    transport_status: columnText(at(transport, 'status')),
    tracking_code: columnText(at(transport, 'carrierReference')),
    currency: columnText(record.currency),
    amount_requested: decimal(record.totalReturnAmount),
    fee: decimal(record.totalReturnFee),
    amount_due: decimal(record.totalRefund),
    created_at: createdAt,
    updated_at: date(record.updatedAt),
    cancelled_at: date(record.cancelledAt),
    sort_key: createdAt ?? '',
    document: stringifyJson(record),
  } satisfies Partial<RowOf<'returns'>>
}

export function itemRows(record: Return, returnId: string): RowOf<'return_items'>[] {
  return list(record.returnLineItems).map((item, position) => ({
    return_id: returnId,
    position,
    id: columnText(at(item, 'id')),
    sku: columnText(at(item, 'sku')),
    barcode: columnText(at(item, 'barcode')),
    product_name: columnText(at(item, 'productName')),
    variant_name: columnText(at(item, 'variantName')),
    vendor: columnText(at(item, 'vendor')),
    quantity: decimal(at(item, 'quantity')),
    price: decimal(at(item, 'price')),
    amount: decimal(at(item, 'returnAmount')),
    currency: columnText(at(item, 'currency')),
    reason_code: columnText(at(at(item, 'returnReason'), 'code')),
    reason: columnText(at(at(item, 'returnReason'), 'reason')),
    comment: columnText(at(at(item, 'returnReason'), 'additionalInfo')),
    refund_type: columnText(at(item, 'refundType')),
    refund_mode: columnText(at(item, 'refundMode')),
  }))
}

export function transportRows(
  transports: readonly Transportation[],
  returnId: string,
): RowOf<'transports'>[] {
  return transports.map((transport, position) => ({
    return_id: returnId,
    position,
    id: columnText(transport.id),
    status: columnText(transport.status),
    carrier: columnText(transport.carrierCode),
    carrier_service: columnText(transport.carrierServiceCode),
    tracking_code: columnText(transport.carrierReference),
    tracking_url: columnText(transport.carrierTrackingUrl),
    client_reference: columnText(transport.clientReference),
    created_at: date(transport.createdAt),
    updated_at: date(transport.updatedAt),
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
      transport_id: columnText(transport.id),
      status: columnText(at(event, 'status')),
      description: columnText(at(event, 'description')),
      happened_at: date(at(event, 'date')),
      received_at: date(at(event, 'receivedAt')),
    })),
  )
}

export function refundRows(refunds: readonly Refund[], returnId: string): RowOf<'refunds'>[] {
  return refunds.map((refund, position) => ({
    return_id: returnId,
    position,
    id: columnText(refund.id),
    type: columnText(refund.refundType),
    mode: columnText(refund.refundMode),
    status: columnText(refund.status),
    amount: decimal(refund.amount),
    fee: decimal(refund.fee),
    currency: columnText(refund.currency),
    base_amount: decimal(refund.baseAmount),
    base_currency: columnText(refund.baseCurrency),
    created_at: date(refund.createdAt),
    executed_at: date(refund.executedAt),
    document: stringifyJson(refund),
  }))
}

/** When the last parcel arrived. */
export function deliveredAt(events: readonly RowOf<'tracking_events'>[]): string | null {
  const arrivals = events.filter(({ status }) => status === 'SHIPPING_COMPLETED')
  return arrivals.reduce<string | null>((latest, { happened_at: at = null }) => {
    return at !== null && (latest === null || at > latest) ? at : latest
  }, null)
}

const UNSTORABLE = /[\0\ud800-\udfff]/

/** PostgreSQL takes no NUL, and neither database half a surrogate pair. */
export function columnText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const plain = asText(value) ?? (typeof value === 'object' ? stringifyJson(value) : String(value))
  if (!UNSTORABLE.test(plain)) return plain
  return plain.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

function decimal(value: unknown): string | null {
  const digits = numberText(value)
  // An exponent may stand for more digits than a database takes.
  return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(digits) ? digits : null
}

function date(value: unknown): string | null {
  const ms = typeof value === 'string' ? parseServiceDate(value) : undefined
  return ms === undefined ? null : new Date(ms).toISOString()
}
