import { numberText, stringifyJson } from '../../wire/json.ts'
import { formatServiceDate, parseServiceDate } from '../../wire/time.ts'
import { visible } from '../visible.ts'

/** Default: `text`. */
export type CellKind = 'text' | 'number' | 'date' | 'money' | 'status'

export class Money {
  constructor(
    readonly amount: unknown,
    readonly currency: unknown,
  ) {}
}

/** Length of `2026-03-01 11:00`: seconds say nothing at a glance. */
const TO_THE_MINUTE = 16
const DECIMAL = /^-?\d+(?:\.(\d+))?$/
const minorDigits = new Map<string, number>()

/** A value for people, on one line, hidden characters made visible. */
export function cellText(value: unknown, kind: CellKind | undefined, timeZone: string): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Money) return visible(moneyText(value))
  if (typeof value === 'string') return visible(kind === 'date' ? dateText(value, timeZone) : value)
  if (typeof value !== 'object') return numberText(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return visible(value.join(', '))
  return visible(stringifyJson(value))
}

/** A value for programs: as sent, an amount without its currency. */
export function plainValue(value: unknown): unknown {
  return value instanceof Money ? value.amount : value
}

function dateText(text: string, timeZone: string): string {
  const epochMs = parseServiceDate(text)
  return epochMs === undefined ? text : formatServiceDate(epochMs, timeZone).slice(0, TO_THE_MINUTE)
}

/** The digits sent, with zeros up to the currency's; never rounded or computed. */
function moneyText({ amount, currency }: Money): string {
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
