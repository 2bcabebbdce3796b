import { countIn } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { View } from '../columns.ts'
import { Money } from '../formats/cell.ts'

/** Spec §4.8. */
export const refundsView: View<Refund> = {
  columns: [
    { name: 'id', header: 'ID', value: (r) => r.id },
    { name: 'status', header: 'STATUS', value: (r) => r.status, kind: 'status', words: 'refundStatus' },
    { name: 'type', header: 'TYPE', value: (r) => r.refundType, words: 'refundType' },
    { name: 'mode', header: 'MODE', value: (r) => r.refundMode, words: 'refundMode' },
    { name: 'amount', header: 'AMOUNT', value: (r) => new Money(r.amount, r.currency), kind: 'money' },
    { name: 'fee', header: 'FEE', value: (r) => new Money(r.fee, r.currency), kind: 'money' },
    { name: 'executed', header: 'EXECUTED', value: (r) => r.executedAt, kind: 'date' },
  ],
  extra: [
    { name: 'tax', header: 'TAX', value: (r) => new Money(r.tax, r.currency), kind: 'money' },
    { name: 'currency', header: 'CURRENCY', value: (r) => r.currency },
    { name: 'created', header: 'CREATED', value: (r) => r.createdAt, kind: 'date' },
    { name: 'items', header: 'ITEMS', value: (r) => countIn(r.lineItems), kind: 'number' },
    { name: 'reference', header: 'REFERENCE', value: (r) => r.externalReference },
    { name: 'return', header: 'RETURN', value: (r) => r.returnId },
  ],
  leastImportant: ['fee', 'mode', 'type'],
  paths: [
    'id',
    'returnId',
    'refundType',
    'refundMode',
    'status',
    'amount',
    'fee',
    'tax',
    'currency',
    'baseAmount',
    'baseFee',
    'baseTax',
    'baseCurrency',
    'createdAt',
    'executedAt',
    'lineItems',
    'externalReference',
  ],
  empty: 'This return has no refunds',
}
