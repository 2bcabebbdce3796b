import { numberText, stringifyJson } from './json.ts'
import { asText, at } from './raw.ts'
import { parseServiceDate } from './time.ts'

const UNSTORABLE = /[\0\ud800-\udfff]/

/** Text for a column, without NUL and lone surrogates, which databases refuse. */
export function plainText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  const plain = asText(value) ?? (typeof value === 'object' ? stringifyJson(value) : String(value))
  if (!UNSTORABLE.test(plain)) return plain
  return plain.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Returns the digits as sent; null for other values. */
export function plainDecimal(value: unknown): string | null {
  const digits = numberText(value)
  // Exponents may stand for more digits than a database takes.
  return /^-?\d{1,30}(?:\.\d{1,30})?$/.test(digits) ? digits : null
}

export function plainDate(value: unknown): string | null {
  const ms = parseServiceDate(value)
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** Returns what identifies a return: ids are optional (spec §2.1), and names unique in a shop only. */
export function returnKey(record: object): string {
  const [id, name, shop] = ['id', 'name', 'shopCode'].map((key) => plainText(at(record, key)))
  return id || (name ? `${shop ?? ''} ${name}` : stringifyJson(record))
}

/** Makes a text match itself in a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** For HTML and XML. */
export function escapeMarkup(text: string, signs = /[&<>"']/g): string {
  return text.replace(signs, (sign) => ENTITIES[sign] ?? `&#${sign.charCodeAt(0)};`)
}
