import type { Return } from '../../wire/returns.ts'
import type { View } from '../columns.ts'
import { Money } from '../formats/cell.ts'
import type { Section } from '../formats/details.ts'
import { partyFields } from './party.ts'
import { transportFields } from './transportations.ts'

/** Spec §2.1. The default columns are what support asks first, in about 110 columns. */
export const returnsView: View<Return> = {
  columns: [
    { name: 'name', header: 'NAME', value: (r) => r.name },
    { name: 'status', header: 'STATUS', value: (r) => r.status, kind: 'status' },
    { name: 'created', header: 'CREATED', value: (r) => r.createdAt, kind: 'date' },
    { name: 'customer', header: 'CUSTOMER', value: (r) => r.customer?.fullName, flexible: true },
    { name: 'items', header: 'ITEMS', value: unitCount, kind: 'number' },
    { name: 'refund', header: 'REFUND', value: (r) => new Money(r.totalRefund, r.currency), kind: 'money' },
    { name: 'transport', header: 'TRANSPORT', value: (r) => r.activeTransportation?.status, kind: 'status' },
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
  paths: [
    'id',
    'shopCode',
    'name',
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

export function returnDetails(r: Return): Section[] {
  return [
    {
      fields: [
        { label: 'Return', value: r.name },
        { label: 'Status', value: r.status, kind: 'status' },
        { label: 'ID', value: r.id },
        { label: 'Shop', value: r.shopCode },
        { label: 'Order', value: r.ecommerceOrder?.name ?? r.ecommerceOrder?.id },
        { label: 'Created', value: r.createdAt, kind: 'date' },
        { label: 'Updated', value: r.updatedAt, kind: 'date' },
        { label: 'Cancelled', value: r.cancelledAt, kind: 'date' },
      ],
    },
    { title: 'Customer', fields: partyFields(r.customer) },
    { title: 'Origin', fields: partyFields(r.origin) },
    { title: 'Destination', fields: partyFields(r.destination) },
    itemsSection(r),
    exchangeSection(r),
    amountsSection(r),
    { title: 'Transport', fields: r.activeTransportation ? transportFields(r.activeTransportation) : [] },
  ]
}

function itemsSection(r: Return): Section {
  return {
    title: 'Items',
    columns: [
      { header: 'SKU' },
      { header: 'PRODUCT' },
      { header: 'QTY', kind: 'number' },
      { header: 'PAID', kind: 'money' },
      { header: 'TO RETURN', kind: 'money' },
      { header: 'REASON' },
      { header: 'REFUND' },
    ],
    rows: lineItems(r).map((item) => {
      const currency = item.currency ?? r.currency
      return [
        item.sku,
        joined(item.productName, item.variantName),
        item.quantity,
        new Money(item.paid ?? item.price, currency),
        new Money(item.returnAmount, currency),
        item.returnReason?.reason ?? item.returnReason?.code,
        joined(item.refundType, item.refundMode),
      ]
    }),
  }
}

function exchangeSection(r: Return): Section {
  return {
    title: 'Exchanged for',
    columns: [
      { header: 'INSTEAD OF' },
      { header: 'SKU' },
      { header: 'PRODUCT' },
      { header: 'QTY', kind: 'number' },
      { header: 'PRICE', kind: 'money' },
    ],
    rows: lineItems(r).flatMap((item) =>
      objectsIn(item.exchangeLineItems).map((exchange) => [
        item.sku,
        exchange.sku,
        joined(exchange.productName, exchange.variantName),
        exchange.quantity,
        new Money(exchange.price, item.currency ?? r.currency),
      ]),
    ),
  }
}

function amountsSection(r: Return): Section {
  const amounts = [
    ['Items', r.totalReturnAmount, r.baseTotalReturnAmount],
    ['Fee', r.totalReturnFee, r.baseTotalReturnFee],
    ['Tax', r.totalTax, r.baseTotalTax],
    ['Refund', r.totalRefund, r.baseTotalRefund],
  ] as const
  const isForeign = Boolean(r.baseCurrency) && r.baseCurrency !== r.currency
  return {
    title: 'Amounts',
    fields: [
      ...amounts.map(([label, amount]) => ({ label, value: new Money(amount, r.currency) })),
      ...(isForeign ? amounts : []).map(([label, , base]) => ({
        label: `${label} in ${r.baseCurrency}`,
        value: new Money(base, r.baseCurrency),
      })),
      { label: 'IBAN', value: r.customerIban },
      { label: 'Account of', value: r.accountHolderName },
    ],
  }
}

function lineItems(r: Return): Return['returnLineItems'] {
  return objectsIn(r.returnLineItems)
}

/** Lists may be missing or malformed. */
function objectsIn<T>(list: readonly T[] | null | undefined): T[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []
}

/** Units, not lines: what the parcel holds. */
function unitCount(r: Return): number | undefined {
  const units = lineItems(r).reduce((sum, item) => sum + Number(item.quantity ?? 1), 0)
  return Number.isFinite(units) ? units : undefined
}

function joined(first: unknown, second: unknown): string {
  return [first, second].filter(Boolean).join(' · ')
}
