import { at, objectsIn } from '../../../wire/raw.ts'
import type { Return } from '../../../wire/returns.ts'

export interface ExportColumn {
  name: string
  kind: 'text' | 'number' | 'date'
  value(record: Return): unknown
}

export type WritePiece = (piece: Uint8Array | string) => void
/** Writes all records, one after another, without keeping them. Calls `onCut` for each text that the format can't hold. */
export type ExportWriter = (
  records: AsyncIterable<Return>,
  write: WritePiece,
  onCut: () => void,
) => Promise<void>

const text = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, kind: 'text', value })
const number = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, kind: 'number', value })
const date = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, kind: 'date', value })

/** One row a return, the same in CSV, XLSX and Parquet; the names are those of the mirror's tables. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text('id', (r) => r.id),
  text('name', (r) => r.name),
  text('merchant_return_name', (r) => r.merchantReturnName),
  text('shop_code', (r) => r.shopCode),
  text('status', (r) => r.status),
  date('created_at', (r) => r.createdAt),
  date('updated_at', (r) => r.updatedAt),
  date('cancelled_at', (r) => r.cancelledAt),
  text('order_id', (r) => r.ecommerceOrder?.id),
  text('order_name', (r) => r.ecommerceOrder?.name),
  text('order_customer_id', (r) => r.ecommerceOrder?.customerId),
  text('customer_name', (r) => r.customer?.fullName),
  text('customer_email', (r) => r.customer?.email),
  text('customer_phone', (r) => r.customer?.phone),
  text('customer_city', (r) => r.customer?.address?.city),
  text('customer_postal_code', (r) => r.customer?.address?.postalCode),
  text('customer_country', (r) => r.customer?.address?.countryCode),
  number('lines', (r) => objectsIn(r.returnLineItems).length),
  number('units', unitsOf),
  text('skus', (r) => joined(r, (item) => at(item, 'sku'))),
  text('reasons', (r) => joined(r, (item) => at(at(item, 'returnReason'), 'code'))),
  text('refund_types', (r) => joined(r, (item) => at(item, 'refundType'))),
  text('refund_modes', (r) => joined(r, (item) => at(item, 'refundMode'))),
  text('currency', (r) => r.currency),
  number('amount_requested', (r) => r.totalReturnAmount),
  number('fee', (r) => r.totalReturnFee),
  number('tax', (r) => r.totalTax),
  number('amount_due', (r) => r.totalRefund),
  text('base_currency', (r) => r.baseCurrency),
  number('base_amount_requested', (r) => r.baseTotalReturnAmount),
  number('base_fee', (r) => r.baseTotalReturnFee),
  number('base_tax', (r) => r.baseTotalTax),
  number('base_amount_due', (r) => r.baseTotalRefund),
  text('transport_id', (r) => r.activeTransportation?.id),
  text('transport_status', (r) => r.activeTransportation?.status),
  text('carrier', (r) => r.activeTransportation?.carrierCode),
  text('carrier_service', (r) => r.activeTransportation?.carrierServiceCode),
  text('tracking_code', (r) => r.activeTransportation?.carrierReference),
  text('tracking_url', (r) => r.activeTransportation?.carrierTrackingUrl),
  text('client_reference', (r) => r.activeTransportation?.clientReference),
]

function unitsOf(record: Return): number | undefined {
  const units = objectsIn(record.returnLineItems).reduce(
    (sum, { quantity }) => sum + Number(quantity ?? 1),
    0,
  )
  return Number.isFinite(units) ? units : undefined
}

function joined(record: Return, value: (item: unknown) => unknown): string | undefined {
  const values = objectsIn(record.returnLineItems).map(value)
  return [...new Set(values.filter((one) => one !== undefined && one !== null))].join(', ') || undefined
}
