import type { Return } from '../../wire/returns.ts'
import type { View } from '../columns.ts'
import { returnsView } from './returns.ts'

/** A return, and where the words were found that were looked for: what tells most first. */
export type FoundReturn = Return & { matched: readonly { field: string; value: string }[] }

/** What fields are called on the screen, by the ends of their paths. */
const FIELD_WORDS: readonly [path: string, words: string][] = [
  ['ecommerceOrder.name', 'order'],
  ['merchantReturnName', "shop's name"],
  ['carrierReference', 'tracking code'],
  ['clientReference', 'reference'],
  ['email', 'e-mail'],
  ['phone', 'phone'],
  ['fullName', 'customer'],
  ['sku', 'SKU'],
  ['barcode', 'barcode'],
  ['postalCode', 'postcode'],
  ['city', 'city'],
  ['additionalInfo', "customer's words"],
  ['reason', 'reason'],
  ['returnReason.code', 'reason'],
  ['productName', 'product'],
  ['identifier', 'reference'],
  ['name', 'return'],
]

export const searchView: View<FoundReturn> = {
  columns: [
    ...columns('name', 'status', 'created', 'customer', 'order'),
    {
      name: 'matched',
      header: 'MATCHED',
      value: ({ matched }) => matched.map(({ field, value }) => `${fieldWords(field)} ${value}`).join(', '),
      flexible: true,
    },
  ],
  extra: columns('email', 'refund', 'transport', 'carrier', 'tracking', 'shop', 'country', 'updated', 'id'),
  leastImportant: ['order', 'created'],
  paths: [...(returnsView.paths ?? []), 'matched'],
  empty: 'No returns match',
}

function columns(...names: string[]): View<FoundReturn>['columns'] {
  const all = [...returnsView.columns, ...(returnsView.extra ?? [])]
  return names.flatMap((name) => all.find((one) => one.name === name) ?? [])
}

function fieldWords(path: string): string {
  return FIELD_WORDS.find(([end]) => path === end || path.endsWith(`.${end}`))?.[1] ?? path
}
