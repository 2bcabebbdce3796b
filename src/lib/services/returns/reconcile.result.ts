import { Money } from '../../output/formats/cell.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

const differenceSchema = lazySchema((z, { text }) =>
  z.object({
    name: text,
    id: text.optional(),
    shop: text.optional(),
    kind: text,
    line: text.optional(),
    refund: text.optional(),
    currency: text.optional(),
    expected: text.describe('An amount with all its digits'),
    actual: text,
    difference: text.optional(),
    why: text,
  }),
)

export const reconcileSchema = lazySchema(async (z, { count }) =>
  z.object({ differences: z.array(await differenceSchema()), returns: count, unread: count }),
)

type DifferenceLine = RecordOf<typeof differenceSchema>

function amount(row: DifferenceLine, text: string) {
  return row.difference === undefined ? text : new Money(text, row.currency)
}

export const differencesView: View<DifferenceLine> = {
  columns: [
    'name',
    { name: 'kind', identifies: true },
    'line',
    { name: 'expected', value: (row) => amount(row, row.expected), kind: 'money' },
    { name: 'actual', header: 'FOUND', value: (row) => amount(row, row.actual), kind: 'money' },
    { name: 'difference', kind: 'money' },
    { name: 'why', flexible: true },
  ],
  extra: ['currency', 'refund', 'id', 'shop'],
  leastImportant: ['why', 'line', 'difference'],
  schema: differenceSchema,
  empty: 'No differences',
}
