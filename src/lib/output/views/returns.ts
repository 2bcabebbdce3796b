import { objectsIn } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import type { View } from '../columns.ts'
import { Money } from '../formats/cell.ts'

/** Return requests (spec §2.1). By default what support asks first about each one. */
export const returnsView: View<Return> = {
  columns: [
    { name: 'name', header: 'NAME', value: (r) => r.name },
    { name: 'status', header: 'STATUS', value: (r) => r.status, kind: 'status', words: 'returnStatus' },
    { name: 'created', header: 'CREATED', value: (r) => r.createdAt, kind: 'date' },
    { name: 'customer', header: 'CUSTOMER', value: (r) => r.customer?.fullName, flexible: true },
    { name: 'items', header: 'ITEMS', value: unitCount, kind: 'number' },
    { name: 'refund', header: 'REFUND', value: (r) => new Money(r.totalRefund, r.currency), kind: 'money' },
    {
      name: 'transport',
      header: 'TRANSPORT',
      value: (r) => r.activeTransportation?.status,
      kind: 'status',
      words: 'transportStatus',
    },
    { name: 'carrier', header: 'CARRIER', value: (r) => r.activeTransportation?.carrierCode },
  ],
  extra: [
    { name: 'currency', header: 'CURRENCY', value: (r) => r.currency },
    {
      name: 'amount',
      header: 'AMOUNT',
      value: (r) => new Money(r.totalReturnAmount, r.currency),
      kind: 'money',
    },
    { name: 'fee', header: 'FEE', value: (r) => new Money(r.totalReturnFee, r.currency), kind: 'money' },
    { name: 'tax', header: 'TAX', value: (r) => new Money(r.totalTax, r.currency), kind: 'money' },
    { name: 'id', header: 'ID', value: (r) => r.id },
    { name: 'shop', header: 'SHOP', value: (r) => r.shopCode },
    { name: 'order', header: 'ORDER', value: (r) => r.ecommerceOrder?.name ?? r.ecommerceOrder?.id },
    { name: 'email', header: 'E-MAIL', value: (r) => r.customer?.email, flexible: true },
    { name: 'country', header: 'COUNTRY', value: (r) => r.origin?.address?.countryCode },
    { name: 'updated', header: 'UPDATED', value: (r) => r.updatedAt, kind: 'date' },
    { name: 'cancelled', header: 'CANCELLED', value: (r) => r.cancelledAt, kind: 'date' },
    {
      name: 'service',
      header: 'SERVICE',
      value: (r) => r.activeTransportation?.serviceMessage,
      flexible: true,
    },
    { name: 'tracking', header: 'TRACKING', value: (r) => r.activeTransportation?.carrierReference },
    {
      name: 'tracking-url',
      header: 'TRACKING URL',
      value: (r) => r.activeTransportation?.carrierTrackingUrl,
    },
    { name: 'reference', header: 'REFERENCE', value: (r) => r.activeTransportation?.clientReference },
  ],
  leastImportant: ['items', 'carrier', 'transport', 'created'],
  paths: [
    'id',
    'shopCode',
    'name',
    'merchantReturnName',
    'createdAt',
    'updatedAt',
    'cancelledAt',
    'status',
    'totalReturnFee',
    'totalReturnAmount',
    'totalTax',
    'totalRefund',
    'currency',
    'customerIban',
    'accountHolderName',
    'baseTotalReturnFee',
    'baseTotalReturnAmount',
    'baseTotalTax',
    'baseTotalRefund',
    'baseCurrency',
    'customer',
    'ecommerceOrder',
    'origin',
    'destination',
    'returnLineItems',
    'activeTransportation',
  ],
  empty: 'No returns match',
}

export function lineItems(r: Return): Return['returnLineItems'] {
  return objectsIn(r.returnLineItems)
}

/** Units rather than lines: what will be in the parcel. */
function unitCount(r: Return): number | undefined {
  const units = lineItems(r).reduce((sum, item) => sum + Number(item.quantity ?? 1), 0)
  return Number.isFinite(units) ? units : undefined
}
