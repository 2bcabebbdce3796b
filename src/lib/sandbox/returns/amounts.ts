import { convert } from '../money.ts'
import type { LineDoc } from '../store/rows.ts'
import type { StoredReturn } from '../store/snapshot.ts'

type Which = 'own' | 'base'

/** Minor units of one currency; all but the last for one unit. */
interface LineAmounts {
  price: number
  discount: number
  paid: number
  tax: number
  returnAmount: number
}

interface Totals {
  fee: number
  amount: number
  tax: number
}

/** Differences and products are made of converted amounts: exact in each currency. */
export function amountsOf(stored: StoredReturn, line: LineDoc, which: Which): LineAmounts {
  const price = inCurrency(stored, line.price, which)
  const discount = inCurrency(stored, line.discount, which)
  const paid = price - discount
  return {
    price,
    discount,
    paid,
    tax: inCurrency(stored, line.tax, which),
    returnAmount: paid * line.quantity,
  }
}

/** The fee is in the return's currency. */
export function totalsOf(stored: StoredReturn, lines: readonly LineDoc[], fee: number, which: Which): Totals {
  let amount = 0
  let tax = 0
  for (const line of lines) {
    const amounts = amountsOf(stored, line, which)
    amount += amounts.returnAmount
    tax += amounts.tax * line.quantity
  }
  return { fee: inCurrency(stored, fee, which), amount, tax }
}

function inCurrency({ doc, shop }: StoredReturn, minor: number, which: Which): number {
  return which === 'own' ? minor : convert(minor, doc.rate, doc.currency, shop.currency)
}
