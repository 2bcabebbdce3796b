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

export interface ReturnAmounts {
  currency: string
  fee: number
  amount: number
  tax: number
  lines: readonly LineAmounts[]
}

/** In the return's own currency and in that of its shop; the same object where the two are one. */
export type BothAmounts = Readonly<Record<Which, ReturnAmounts>>

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

/** Of some of its lines; the fee is in the return's currency. */
export function totalsOf(
  stored: StoredReturn,
  lines: readonly LineDoc[],
  fee: number,
  which: Which,
): ReturnAmounts {
  const currency = which === 'own' ? stored.doc.currency : stored.shop.currency
  let amount = 0
  let tax = 0
  const all = lines.map((line) => {
    const amounts = amountsOf(stored, line, which)
    amount += amounts.returnAmount
    tax += amounts.tax * line.quantity
    return amounts
  })
  return { currency, fee: inCurrency(stored, fee, which), amount, tax, lines: all }
}

/** Of all of a return. */
export function returnAmounts(stored: StoredReturn): BothAmounts {
  const { doc, shop } = stored
  const own = totalsOf(stored, doc.lines, doc.fee, 'own')
  return { own, base: doc.currency === shop.currency ? own : totalsOf(stored, doc.lines, doc.fee, 'base') }
}

function inCurrency({ doc, shop }: StoredReturn, minor: number, which: Which): number {
  return which === 'own' ? minor : convert(minor, doc.rate, doc.currency, shop.currency)
}
