import { numberText, stringifyJson } from './json.ts'
import { asText } from './raw.ts'
import { parseServiceDate } from './time.ts'

const UNSTORABLE = /[\0\ud800-\udfff]/

/** Text for a column; null for nothing. Databases take no NUL (PostgreSQL), and none takes half a surrogate pair. */
export function plainText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const plain = asText(value) ?? (typeof value === 'object' ? stringifyJson(value) : String(value))
  if (!UNSTORABLE.test(plain)) return plain
  return plain.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The digits of a number as it was sent; null for what is none. */
export function plainDecimal(value: unknown): string | null {
  const digits = numberText(value)
  // An exponent may stand for more digits than a database takes.
  return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(digits) ? digits : null
}

/** ISO 8601 in UTC; null for what is no date with an offset. */
export function plainDate(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const ms = parseServiceDate(value)
  return ms === undefined ? null : new Date(ms).toISOString()
}
