import type { View } from '../columns.ts'
import { Money } from '../formats/cell.ts'

/** Where a refund is not what was expected. */
export interface DifferenceLine {
  name: string
  id: string | undefined
  shop: string | undefined
  kind: string
  line?: string | undefined
  refund?: string | undefined
  currency: string | undefined
  expected: string
  actual: string
  difference?: string
  why: string
}

/** What has no difference is no amount. */
function amount(row: DifferenceLine, text: string): Money | string {
  return row.difference === undefined ? text : new Money(text, row.currency)
}

export const differencesView: View<DifferenceLine> = {
  columns: [
    { name: 'name', header: 'NAME', value: (row) => row.name },
    { name: 'kind', header: 'KIND', value: (row) => row.kind, identifies: true },
    { name: 'line', header: 'LINE', value: (row) => row.line },
    { name: 'expected', header: 'EXPECTED', value: (row) => amount(row, row.expected), kind: 'money' },
    { name: 'actual', header: 'FOUND', value: (row) => amount(row, row.actual), kind: 'money' },
    {
      name: 'difference',
      header: 'DIFFERENCE',
      value: (row) => new Money(row.difference, row.currency),
      kind: 'money',
    },
    { name: 'why', header: 'WHY', value: (row) => row.why, flexible: true },
  ],
  extra: [
    { name: 'currency', header: 'CURRENCY', value: (row) => row.currency },
    { name: 'refund', header: 'REFUND', value: (row) => row.refund },
    { name: 'id', header: 'ID', value: (row) => row.id },
    { name: 'shop', header: 'SHOP', value: (row) => row.shop },
  ],
  leastImportant: ['why', 'line', 'difference'],
  paths: [
    ...['name', 'id', 'shop', 'kind', 'line', 'refund'],
    ...['currency', 'expected', 'actual', 'difference', 'why'],
  ],
  empty: 'No differences',
}
