import type { LabelContent } from './content.ts'
import { type Declaration, type DeclaredItem, money } from './customs.ts'

const ROWS = 12

export interface CustomsPage {
  customs: Declaration
  /** In the order of `customsRow()`. */
  rows: string[][]
  note: string
  category: string
  statement: string
  /** The last page has the totals. */
  isLast: boolean
}

export function customsPages({ customs, title, facts }: LabelContent): CustomsPage[] {
  if (customs === undefined) return []
  const count = Math.ceil(customs.items.length / ROWS)
  const exported = customs.exportTrackingNumber
  const date = facts.find(([name]) => name === 'Date')?.[1] ?? ''
  return Array.from({ length: count }, (_, page) => ({
    customs,
    rows: customs.items.slice(page * ROWS, (page + 1) * ROWS).map(customsRow),
    note: `page ${page + 1} of ${count}`,
    category:
      title === 'RETURN'
        ? `[X] Returned goods${exported === undefined ? '' : `   Export shipment: ${exported}`}`
        : '[X] Sale of goods',
    statement: `I certify that the particulars given in this declaration are correct. ${date}`,
    isLast: page === count - 1,
  }))
}

/** Cells of an item; without one, the heads of the columns. */
export function customsRow(item?: DeclaredItem): string[] {
  if (item === undefined) return ['Description', 'Qty', 'Net kg', 'Value', 'HS code', 'Origin']
  const { description, quantity, weightKg, value, currency, hsCode, originCountryCode } = item
  const weight = weightKg === 0 ? '' : weightKg.toFixed(3)
  return [description, String(quantity), weight, money(value, currency), hsCode, originCountryCode]
}
