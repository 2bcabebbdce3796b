// Amounts are whole numbers of a currency's minor unit everywhere but in the answers, so that sums are exact.

/** A rate as millionths of the target currency for one unit of the source currency. */
export type RatePpm = number

/** The yen and the won have no cents (ISO 4217). */
export function decimals(currency: string): 0 | 2 {
  return currency === 'JPY' || currency === 'KRW' ? 0 : 2
}

/** Minor units as the number that answers carry: 1999 EUR → 19.99, 1999 JPY → 1999. */
export function toMajor(minor: number, currency: string): number {
  return decimals(currency) === 0 ? minor : minor / 100
}

export function convert(minor: number, rate: RatePpm, from: string, to: string): number {
  return divideRounded(minor * rate * 10 ** decimals(to), 1_000_000 * 10 ** decimals(from))
}

/** Integer division rounded half up; both are positive integers below 2^53. */
export function divideRounded(dividend: number, divisor: number): number {
  const shifted = dividend + Math.floor(divisor / 2)
  return (shifted - (shifted % divisor)) / divisor
}
