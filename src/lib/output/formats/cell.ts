import { numberText, stringifyJson } from '../../wire/json.ts'
import { formatServiceDate, parseServiceDate } from '../../wire/time.ts'
import { visible } from '../visible.ts'

/** How a value is read by people; `text` if not said. */
export type CellKind = 'text' | 'number' | 'date' | 'money' | 'status'

/** An amount as it was sent, and its currency. */
export class Money {
  constructor(
    readonly amount: unknown,
    readonly currency: unknown,
  ) {}
}

/** Where `2026-03-01 11:00` ends in `2026-03-01 11:00:00+01:00`: seconds say nothing at a glance. */
const TO_THE_MINUTE = 16
const DECIMAL = /^-?\d+(?:\.(\d+))?$/
const minorDigits = new Map<string, number>()

/** A value as people read it in one line, everything made visible; dates in the zone, amounts with their currency. */
export function cellText(value: unknown, kind: CellKind | undefined, timeZone: string): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Money) return visible(moneyText(value))
  if (typeof value === 'string') return visible(kind === 'date' ? dateText(value, timeZone) : value)
  if (typeof value !== 'object') return numberText(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return visible(value.join(', '))
  return visible(stringifyJson(value))
}

/** A value for another program: as it was sent, an amount without its currency. */
export function plainValue(value: unknown): unknown {
  return value instanceof Money ? value.amount : value
}

function dateText(text: string, timeZone: string): string {
  const epochMs = parseServiceDate(text)
  return epochMs === undefined ? text : formatServiceDate(epochMs, timeZone).slice(0, TO_THE_MINUTE)
}

/** The digits that were sent, with zeros added where the currency has more; never rounded, never computed. */
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
      // Not shaped like a currency code: nothing is known about its digits.
      digits = 0
    }
    minorDigits.set(currency, digits)
  }
  return digits
}
