import { at } from '../../../wire/raw.ts'
import type { Return } from '../../../wire/returns.ts'
import { lineItems, unitCount } from '../returns.result.ts'

export interface ExportColumn {
  name: string
  kind: 'text' | 'number' | 'date'
  value(record: Return): unknown
}

export type WritePiece = (piece: Uint8Array | string) => void
/** Writes all records, one after another, without keeping them. Calls `onLost` for each value that the format can't hold. */
export type ExportWriter = (
  records: AsyncIterable<Return>,
  write: WritePiece,
  onLost: () => void,
) => Promise<void>

/** A value is given by its path, by default the name in camel case, or by a function. */
const columnOf =
  (kind: ExportColumn['kind']) =>
  (
    name: string,
    value: string | ExportColumn['value'] = name.replace(/_(.)/g, (_, letter: string) =>
      letter.toUpperCase(),
    ),
  ): ExportColumn => {
    if (typeof value === 'function') return { name, kind, value }
    const path = value.split('.')
    return { name, kind, value: (record) => path.reduce<unknown>(at, record) }
  }

const text = columnOf('text')
const number = columnOf('number')
const date = columnOf('date')

/** One row a return, the same in CSV, XLSX and Parquet; the names are those of the mirror's tables. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = [
  text('id'),
  text('name'),
  text('merchant_return_name'),
  text('shop_code'),
  text('status'),
  date('created_at'),
  date('updated_at'),
  date('cancelled_at'),
  text('order_id', 'ecommerceOrder.id'),
  text('order_name', 'ecommerceOrder.name'),
  text('order_customer_id', 'ecommerceOrder.customerId'),
  text('customer_name', 'customer.fullName'),
  text('customer_email', 'customer.email'),
  text('customer_phone', 'customer.phone'),
  text('customer_city', 'customer.address.city'),
  text('customer_postal_code', 'customer.address.postalCode'),
  text('customer_country', 'customer.address.countryCode'),
  number('lines', (record) => lineItems(record).length),
  number('units', unitCount),
  text('skus', joined('sku')),
  text('reasons', joined('returnReason.code')),
  text('refund_types', joined('refundType')),
  text('refund_modes', joined('refundMode')),
  text('currency'),
  number('amount_requested', 'totalReturnAmount'),
  number('fee', 'totalReturnFee'),
  number('tax', 'totalTax'),
  number('amount_due', 'totalRefund'),
  text('base_currency'),
  number('base_amount_requested', 'baseTotalReturnAmount'),
  number('base_fee', 'baseTotalReturnFee'),
  number('base_tax', 'baseTotalTax'),
  number('base_amount_due', 'baseTotalRefund'),
  text('transport_id', 'activeTransportation.id'),
  text('transport_status', 'activeTransportation.status'),
  text('carrier', 'activeTransportation.carrierCode'),
  text('carrier_service', 'activeTransportation.carrierServiceCode'),
  text('tracking_code', 'activeTransportation.carrierReference'),
  text('tracking_url', 'activeTransportation.carrierTrackingUrl'),
  text('client_reference', 'activeTransportation.clientReference'),
]

function joined(path: string): ExportColumn['value'] {
  return (record) => {
    const values = lineItems(record).map((item) => path.split('.').reduce<unknown>(at, item))
    return [...new Set(values.filter((one) => one !== undefined && one !== null))].join(', ') || undefined
  }
}
