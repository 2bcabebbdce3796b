import type { View } from '../../output/columns.ts'
import { Money } from '../../output/formats/cell.ts'
import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'

const differenceSchema = lazySchema((z) =>
  z.object({
    name: z.string(),
    id: z.string().optional(),
    shop: z.string().optional(),
    kind: z.string(),
    line: z.string().optional(),
    refund: z.string().optional(),
    currency: z.string().optional(),
    expected: z.string().describe('An amount with all its digits'),
    actual: z.string(),
    difference: z.string().optional(),
    why: z.string(),
  }),
)

export const reconcileSchema = lazySchema(async (z, { count }) =>
  z.object({ differences: z.array(await differenceSchema()), returns: count, unread: count }),
)

type DifferenceLine = RecordOf<typeof differenceSchema>

function amount(row: DifferenceLine, text: string): Money | string {
  return row.difference === undefined ? text : new Money(text, row.currency)
}

export const differencesView: View<DifferenceLine> = {
  columns: [
    'name',
    { name: 'kind', identifies: true },
    'line',
    { name: 'expected', value: (row) => amount(row, row.expected), kind: 'money' },
    { name: 'actual', header: 'FOUND', value: (row) => amount(row, row.actual), kind: 'money' },
    {
      name: 'difference',
      value: (row) => new Money(row.difference, row.currency),
      kind: 'money',
    },
    { name: 'why', flexible: true },
  ],
  extra: ['currency', 'refund', 'id', 'shop'],
  leastImportant: ['why', 'line', 'difference'],
  schema: differenceSchema,
  empty: 'No differences',
}
