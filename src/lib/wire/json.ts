import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json'

/** Characters that terminals obey and `JSON.stringify` leaves: delete, C1 controls, line separators, bidi marks. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** JSON beyond the limits of memory or stack. */
export class JsonTooComplex extends SyntaxError {}

/** Deeper nesting would overflow recursive readers. */
const MAX_DEPTH = 1000
/** Shorter numbers without an exponent fit a double. */
const INEXACT_LENGTH = 16
const LONG_STRING = 256

const [QUOTE, COMMA, POINT, BACKSLASH] = [0x22, 0x2c, 0x2e, 0x5c]
/** `[` and `{` differ in one bit, like `]` and `}`. */
const [BRACKET_BIT, OPEN, CLOSE] = [0x20, 0x7b, 0x7d]

/** True once a `LosslessNumber` was made: until then no value written has to be looked through. */
let areNumbersLossless = false

const isDigit = (code: number | undefined) => code !== undefined && code >= 0x30 && code <= 0x39

/**
 * Reads JSON, with numbers beyond a double as `LosslessNumber`. The last of equal keys counts.
 * @throws SyntaxError, `JsonTooComplex` beyond 1,000 levels or `maxValues`
 */
export function parseJson(json: string | Buffer, maxValues = Number.POSITIVE_INFINITY): unknown {
  const mayBeInexact = scan(typeof json === 'string' ? Buffer.from(json) : json, maxValues)
  const text = json.toString().replace(/^\ufeff/, '')
  if (!mayBeInexact) return JSON.parse(text)
  return parse(text, undefined, {
    parseNumber: (literal) => {
      if (isSafeNumber(literal)) return Number(literal)
      areNumbersLossless = true
      return new LosslessNumber(literal)
    },
    onDuplicateKey: ({ newValue }) => newValue,
  })
}

/** Checks the limits before parsing. @returns whether a number might not fit a double */
function scan(bytes: Buffer, maxValues: number): boolean {
  let isInexact = false
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] as number
    if (code === QUOTE) at = stringEnd(bytes, at)
    else if (isDigit(code)) {
      const end = numberEnd(bytes, at)
      isInexact ||= end - at >= INEXACT_LENGTH || bytes[end] === 0x45 || bytes[end] === 0x65
      at = end - 1
    } else if (code === COMMA || (code | BRACKET_BIT) === OPEN) {
      if (code !== COMMA) depth += 1
      if (depth > MAX_DEPTH) throw new JsonTooComplex(`is nested deeper than ${MAX_DEPTH} levels`)
      values += 1
      if (values > maxValues) throw new JsonTooComplex(`holds more than ${maxValues} values`)
    } else if ((code | BRACKET_BIT) === CLOSE) depth -= 1
  }
  return isInexact
}

function stringEnd(bytes: Buffer, start: number): number {
  let at = start + 1
  for (; at < bytes.length && bytes[at] !== QUOTE; at += bytes[at] === BACKSLASH ? 2 : 1) {
    // Labels are searched natively, which is faster from a few hundred bytes on.
    if (at - start > LONG_STRING) return longStringEnd(bytes, at)
  }
  return at
}

/** Returns the first quotation mark that is not escaped. */
function longStringEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = at
    while (escapes > from && bytes[escapes - 1] === BACKSLASH) escapes -= 1
    if ((at - escapes) % 2 === 0) return at
  }
  return bytes.length
}

function numberEnd(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at]) || bytes[at] === POINT) at += 1
  return at
}

/** Writes unsafe characters as `\u` escapes. */
export function stringifyJson(value: unknown, indent?: number): string {
  // The native writer is several times faster.
  const json =
    areNumbersLossless && holdsLosslessNumber(value)
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

function holdsLosslessNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isLosslessNumber(value)) return true
  // `for` is faster than `some`, and this looks at every value written.
  for (const name in value) {
    if (holdsLosslessNumber(Reflect.get(value, name))) return true
  }
  return false
}
