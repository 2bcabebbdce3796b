import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { scanJson } from './json-scan.ts'

/** Characters that terminals obey and `JSON.stringify` leaves: delete, C1 controls, line separators, bidi marks. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Compact texts of the records of a list, as they came. */
const texts = new WeakMap<object, string>()
/** Matches characters that a compact text has, and `stringifyJson` writes differently. */
const REWRITTEN = new RegExp(`[\\\\\\0-\\x1f]|${UNSAFE.source}`)

/**
 * Reads JSON, with numbers beyond a double as `LosslessNumber`. The last of equal keys counts.
 * @throws SyntaxError, `JsonTooComplexError` beyond 1,000 levels or `maxValues`
 */
export function parseJson(json: string, maxValues = Number.POSITIVE_INFINITY): unknown {
  const text = json.replace(/^\ufeff/, '')
  const { isInexact, records } = scanJson(text, maxValues)
  const value = isInexact ? parseLossless(text) : JSON.parse(text)
  const [list, ...others] = isObject(value) ? Object.values(value).filter(Array.isArray) : []
  if (list?.length === records.length && others.length === 0) {
    for (const [at, sent] of records.entries()) {
      if (sent !== undefined && isObject(list[at]) && !REWRITTEN.test(sent)) texts.set(list[at], sent)
    }
  }
  return value
}

function parseLossless(text: string) {
  return parse(text, undefined, {
    parseNumber: (literal) => (isSafeNumber(literal) ? Number(literal) : new LosslessNumber(literal)),
    onDuplicateKey: ({ newValue }) => newValue,
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns a record as it came, if that is compact and safe. */
export function recordText(record: unknown): string {
  return (isObject(record) ? texts.get(record) : undefined) ?? stringifyJson(record)
}

/** Writes unsafe characters as `\u` escapes. */
export function stringifyJson(value: unknown, indent?: number): string {
  // The native writer is several times faster.
  const json = holdsLosslessNumber(value)
    ? stringify(value, undefined, indent)
    : JSON.stringify(value, undefined, indent)
  // JSON is ASCII outside strings.
  return (json ?? 'null').replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the number sent, JSON for other values. */
export function numberText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' && !isLosslessNumber(value) ? stringifyJson(value) : String(value)
}

function holdsLosslessNumber(value: unknown) {
  if (typeof value !== 'object' || value === null) return false
  if (isLosslessNumber(value)) return true
  // `for` is faster than `some`, and this looks at every value written.
  for (const name in value) {
    if (holdsLosslessNumber(Reflect.get(value, name))) return true
  }
  return false
}
