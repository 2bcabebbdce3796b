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

/** As above, as text. Put together of two whole numbers: to write one with a fraction takes twenty times as long. */
export function majorText(minor: number, currency: string): string {
  if (decimals(currency) === 0 || minor < 0 || minor > MAX_EXACT) return String(toMajor(minor, currency))
  const cents = minor % 100
  return `${(minor - cents) / 100}${CENTS[cents]}`
}

/** Beyond it, fewer digits may tell a number from all others. */
const MAX_EXACT = 1e15
const CENTS = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1))

export function convert(minor: number, rate: RatePpm, from: string, to: string): number {
  return divideRounded(minor * rate * 10 ** decimals(to), 1_000_000 * 10 ** decimals(from))
}

/** Integer division rounded half up; both are positive integers below 2^53. */
export function divideRounded(dividend: number, divisor: number): number {
  const shifted = dividend + Math.floor(divisor / 2)
  return (shifted - (shifted % divisor)) / divisor
}
