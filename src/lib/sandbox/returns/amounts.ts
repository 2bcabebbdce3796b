import { digitsOf } from '../../wire/money.ts'
import { shopOf } from '../demo/catalogue.ts'
import type { LineRow, ReturnRow } from '../store/rows.ts'

// Whole minor units everywhere but in answers, so that sums are exact.

export function toMajor(minor: number, currency: string): number {
  return minor / 10 ** digitsOf(currency)
}

/** `rate` is in millionths. */
export function convert(minor: number, rate: number, from: string, to: string): number {
  return divideRounded(minor * rate * 10 ** digitsOf(to), 1_000_000 * 10 ** digitsOf(from))
}

export function divideRounded(dividend: number, divisor: number): number {
  const shifted = dividend + Math.floor(divisor / 2)
  return (shifted - (shifted % divisor)) / divisor
}

/** Returns amounts in the return's currency, and with the prefix `base` in its shop's. */
export function inBothCurrencies<T extends object>(stored: ReturnRow, of: (convert: Converter) => T) {
  const { currency, rate } = stored
  const base = shopOf(stored).currency
  const own = inMajor(
    of((minor) => minor),
    currency,
  )
  const toBase = (minor: number) => convert(minor, rate, currency, base)
  const converted = base === currency ? own : inMajor(of(toBase), base)
  const renamed = Object.entries(converted).map(([name, value]) => [
    `base${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    value,
  ])
  type Based = { [K in keyof typeof converted & string as `base${Capitalize<K>}`]: (typeof converted)[K] }
  return { own, base: Object.fromEntries(renamed) as Based }
}

type Converter = (minor: number) => number

function inMajor<T extends object>(amounts: T, currency: string) {
  const entries = Object.entries(amounts).map(([name, minor]) => [name, toMajor(minor, currency)])
  return { ...(Object.fromEntries(entries) as T), currency }
}

/** Products are made of converted amounts, so that they are exact in each currency. */
export function lineAmounts(line: LineRow, convert: Converter) {
  const [price, discount] = [convert(line.price), convert(line.discount)]
  const paid = price - discount
  return { price, discount, paid, tax: convert(line.tax), returnAmount: paid * line.quantity }
}

export function totalsOf(lines: readonly LineRow[], ownFee: number, convert: Converter) {
  let [amount, tax] = [0, 0]
  for (const line of lines) {
    const amounts = lineAmounts(line, convert)
    amount += amounts.returnAmount
    tax += amounts.tax * line.quantity
  }
  return { amount, fee: convert(ownFee), tax }
}
