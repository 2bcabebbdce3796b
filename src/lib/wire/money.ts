import { UNUSUAL_DIGITS } from './currency-digits.ts'
import { numberText } from './json.ts'

const DECIMAL = /^-?\d+(?:\.(\d+))?$/
const USUAL_DIGITS = 2

/** Pads the digits sent to the currency's decimals; never rounds. */
export function amountText(amount: unknown, currency: unknown): string {
  const sent = numberText(amount)
  if (sent === '') return ''
  if (typeof currency !== 'string' || currency === '') return sent
  const [decimal, fraction = ''] = DECIMAL.exec(sent) ?? []
  const missing = decimal === undefined ? 0 : Math.max(0, digitsOf(currency) - fraction.length)
  const point = missing > 0 && fraction === '' ? '.' : ''
  return `${sent}${point}${'0'.repeat(missing)} ${currency}`
}

export function digitsOf(currency: string): number {
  if (!/^[a-z]{3}$/i.test(currency)) return 0
  return UNUSUAL_DIGITS[currency.toUpperCase()] ?? USUAL_DIGITS
}
