import type { View } from '../../output/view.ts'
import { at, countIn } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'

/** Column that is shown for an order of several returns. */
export const RETURN_NAME = {
  name: 'return-name',
  header: 'RETURN',
  value: (record: object) => at(record, 'returnName'),
  identifies: true,
}

export const refundsView: View<Refund> = {
  columns: [
    'id',
    { name: 'status', kind: 'status', words: 'refundStatus' },
    { name: 'type', path: 'refundType', words: 'refundType' },
    { name: 'mode', path: 'refundMode', words: 'refundMode' },
    { name: 'amount', kind: 'money' },
    { name: 'fee', kind: 'money' },
    { name: 'executed', path: 'executedAt' },
  ],
  extra: [
    { name: 'tax', kind: 'money' },
    'currency',
    { name: 'created', path: 'createdAt' },
    { name: 'items', value: (r) => countIn(r.lineItems) },
    { name: 'reference', path: 'externalReference' },
    { name: 'return', path: 'returnId' },
    RETURN_NAME,
  ],
  leastImportant: ['fee', 'mode', 'type'],
  schema: async () => (await import('../../wire/refunds.ts')).refundSchema,
  empty: 'This return has no refunds',
}
