import { numberText } from './json.ts'

const DECIMAL = /^-?\d+(?:\.(\d+))?$/
const minorDigits = new Map<string, number>()

/** The digits sent, with zeros up to the currency's; never rounded or computed. Empty without an amount. */
export function amountText(amount: unknown, currency: unknown): string {
  const sent = numberText(amount)
  if (sent === '') return ''
  if (typeof currency !== 'string' || currency === '') return sent
  const decimal = DECIMAL.exec(sent)
  if (!decimal) return `${sent} ${currency}`
  const fraction = decimal[1] ?? ''
  const missing = digitsOf(currency) - fraction.length
  if (missing <= 0) return `${sent} ${currency}`
  return `${sent}${fraction === '' ? '.' : ''}${'0'.repeat(missing)} ${currency}`
}

function digitsOf(currency: string): number {
  let digits = minorDigits.get(currency)
  if (digits === undefined) {
    try {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency })
      digits = format.resolvedOptions().minimumFractionDigits ?? 0
    } catch {
      // No currency code: digits unknown.
      digits = 0
    }
    minorDigits.set(currency, digits)
  }
  return digits
}
