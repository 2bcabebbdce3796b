import { objectsIn } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import { Money } from '../formats/cell.ts'
import type { Section } from '../formats/details.ts'
import { partyFields } from './party.ts'
import { lineItems } from './returns.ts'
import { transportFields } from './transportations.ts'

/** Everything about one return that people look for. */
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

function joined(first: unknown, second: unknown): string {
  return [first, second].filter(Boolean).join(' · ')
}
