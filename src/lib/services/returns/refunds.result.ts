import type { View } from '../../output/columns.ts'
import { countIn } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'

/** Spec §4.8. */
export const refundsView: View<Refund> = {
  columns: [
    'id',
    { name: 'status', kind: 'status', words: 'refundStatus' },
    { name: 'type', path: 'refundType', words: 'refundType' },
    { name: 'mode', path: 'refundMode', words: 'refundMode' },
    { name: 'amount', kind: 'money' },
    { name: 'fee', kind: 'money' },
    { name: 'executed', path: 'executedAt', kind: 'date' },
  ],
  extra: [
    { name: 'tax', kind: 'money' },
    'currency',
    { name: 'created', path: 'createdAt', kind: 'date' },
    { name: 'items', value: (r) => countIn(r.lineItems) },
    { name: 'reference', path: 'externalReference' },
    { name: 'return', path: 'returnId' },
  ],
  leastImportant: ['fee', 'mode', 'type'],
  schema: async () => (await import('../../wire/refunds.ts')).refundSchema,
  empty: 'This return has no refunds',
}
