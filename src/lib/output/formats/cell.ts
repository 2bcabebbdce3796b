import { numberText, stringifyJson } from '../../wire/json.ts'
import { amountText } from '../../wire/money.ts'
import { formatServiceDate, parseServiceDate } from '../../wire/time.ts'
import { visible } from '../visible.ts'

/** Default: `text`. A `distance` is in km; a `day` is a date without its time. */
export type CellKind = 'text' | 'number' | 'distance' | 'date' | 'day' | 'money' | 'status'

/** Characters of `2026-03-01 11:00` and of its day. */
const DATE_LENGTHS = { date: 16, day: 10 } as const

export function isDate(kind: CellKind | undefined): kind is keyof typeof DATE_LENGTHS {
  return kind === 'date' || kind === 'day'
}

export class Money {
  constructor(
    readonly amount: unknown,
    readonly currency: unknown,
  ) {}
}

export function cellText(value: unknown, kind: CellKind | undefined, timeZone: string): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Money) return visible(amountText(value.amount, value.currency))
  if (typeof value === 'string') return visible(isDate(kind) ? dateText(value, kind, timeZone) : value)
  if (kind === 'distance' && typeof value === 'number') return value.toFixed(2)
  if (typeof value !== 'object') return numberText(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return visible(value.join(', '))
  return visible(stringifyJson(value))
}

export function plainValue(value: unknown): unknown {
  return value instanceof Money ? value.amount : value
}

function dateText(text: string, kind: keyof typeof DATE_LENGTHS, timeZone: string) {
  const epochMs = parseServiceDate(text)
  return epochMs === undefined ? text : formatServiceDate(epochMs, timeZone).slice(0, DATE_LENGTHS[kind])
}
