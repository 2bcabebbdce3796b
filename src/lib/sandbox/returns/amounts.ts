import type { LineDoc, StoredReturn } from '../store/rows.ts'

// Amounts are whole numbers of a currency's minor unit everywhere but in the answers, so that sums are exact.

/** The yen and the won have no cents (ISO 4217). */
export function decimals(currency: string): 0 | 2 {
  return currency === 'JPY' || currency === 'KRW' ? 0 : 2
}

/** Minor units as the number that answers carry: 1999 EUR → 19.99, 1999 JPY → 1999. */
export function toMajor(minor: number, currency: string): number {
  return decimals(currency) === 0 ? minor : minor / 100
}

/** `rate` is in millionths of the target currency for one unit of the source currency. */
export function convert(minor: number, rate: number, from: string, to: string): number {
  return divideRounded(minor * rate * 10 ** decimals(to), 1_000_000 * 10 ** decimals(from))
}

/** Integer division rounded half up; both are positive integers below 2^53. */
export function divideRounded(dividend: number, divisor: number): number {
  const shifted = dividend + Math.floor(divisor / 2)
  return (shifted - (shifted % divisor)) / divisor
}

/** The return's own currency, or that of its shop. */
export type Which = 'own' | 'base'

/** For one unit but `returnAmount`, in a currency's major unit. */
interface LineAmounts {
  currency: string
  price: number
  discount: number
  paid: number
  tax: number
  returnAmount: number
}

interface Totals {
  currency: string
  fee: number
  amount: number
  tax: number
  /** `amount` less `fee`. */
  refund: number
}

export function lineAmounts(stored: StoredReturn, line: LineDoc, which: Which): LineAmounts {
  const currency = currencyOf(stored, which)
  const { price, discount, paid, tax, returnAmount } = minorAmounts(stored, line, which)
  return {
    currency,
    price: toMajor(price, currency),
    discount: toMajor(discount, currency),
    paid: toMajor(paid, currency),
    tax: toMajor(tax, currency),
    returnAmount: toMajor(returnAmount, currency),
  }
}

/** Sums over `lines`. The fee is in minor units of the return's currency. */
export function totalsOf(
  stored: StoredReturn,
  lines: readonly LineDoc[],
  ownFee: number,
  which: Which,
): Totals {
  const currency = currencyOf(stored, which)
  const fee = inCurrency(stored, ownFee, which)
  let amount = 0
  let tax = 0
  for (const line of lines) {
    const amounts = minorAmounts(stored, line, which)
    amount += amounts.returnAmount
    tax += amounts.tax * line.quantity
  }
  return {
    currency,
    fee: toMajor(fee, currency),
    amount: toMajor(amount, currency),
    tax: toMajor(tax, currency),
    refund: toMajor(amount - fee, currency),
  }
}

/** Differences and products are made of converted amounts, so that they are exact in each currency. */
function minorAmounts(stored: StoredReturn, line: LineDoc, which: Which) {
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

function inCurrency({ doc, shop }: StoredReturn, minor: number, which: Which): number {
  return which === 'own' ? minor : convert(minor, doc.rate, doc.currency, shop.currency)
}

function currencyOf({ doc, shop }: StoredReturn, which: Which): string {
  return which === 'own' ? doc.currency : shop.currency
}
