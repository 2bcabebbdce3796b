import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Delete, C1 controls, line separators, bidi marks: terminals obey them, and `JSON.stringify` leaves them. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Deeper nesting would overflow recursive readers. */
const MAX_DEPTH = 1000

/** JSON beyond the limits of memory or stack. */
export class JsonTooComplex extends SyntaxError {}

/**
 * Reads JSON, a number beyond a double as `LosslessNumber`. A byte-order mark is ignored; of equal keys the last
 * counts.
 * @throws SyntaxError for what is not JSON, `JsonTooComplex` beyond 1,000 levels or about `maxValues`
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): unknown {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  if (!mayBeInexact(json, maxValues)) return JSON.parse(json)
  return parse(json, undefined, {
    parseNumber: (literal) => (fitsDouble(literal) ? Number(literal) : new LosslessNumber(literal)),
    onDuplicateKey: ({ newValue }) => newValue,
  })
}

/** Numbers as read, unsafe characters as `\u` escapes. What has no JSON form is `null`. */
export function stringifyJson(value: unknown, indent?: number): string {
  // The native writer is several times faster, and exact numbers are rare.
  const json = holdsLosslessNumber(value)
    ? stringify(value, undefined, indent)
    : JSON.stringify(value, undefined, indent)
  // JSON is ASCII outside strings: an unsafe character is inside one.
  return (json ?? 'null').replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Undefined for what is not JSON, numbers as `JSON.parse` reads them. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Literals shorter than this fit a double, if they have no exponent. */
const INEXACT_LENGTH = 16

/**
 * Whether a number might not fit a double. One way through the text for this and for the limits, which the parser would
 * take gigabytes to find out. @throws JsonTooComplex
 */
function mayBeInexact(json: string, maxValues: number): boolean {
  const extent = new Extent(maxValues)
  let isInexact = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (isDigit(code)) {
      const start = at
      while (isDigit(json.charCodeAt(at + 1)) || json.charCodeAt(at + 1) === POINT) at += 1
      if (at - start + 1 >= INEXACT_LENGTH || isExponent(json.charCodeAt(at + 1))) isInexact = true
    } else extent.see(code)
  }
  return isInexact
}

class Extent {
  #depth = 0
  #values = 0

  constructor(readonly maxValues: number) {}

  see(code: number): void {
    if (code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#depth -= 1
    const isOpening = code === OPEN_BRACKET || code === OPEN_BRACE
    if (!isOpening && code !== COMMA) return
    this.#values += 1
    if (isOpening) this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new JsonTooComplex(`is nested deeper than ${MAX_DEPTH} levels`)
    if (this.#values > this.maxValues) throw new JsonTooComplex(`holds more than ${this.maxValues} values`)
  }
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isExponent = (code: number) => code === 0x65 || code === 0x45

const QUOTE = 0x22
const COMMA = 0x2c
const POINT = 0x2e
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** End of the string that begins at `start`, or of the text. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === BACKSLASH) before -= 1
    // Even: the backslashes escape each other.
    if ((at - before) % 2 === 1) return at
  }
  return json.length
}

/** A number as text with the value sent; empty for a missing one. */
export function numberText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}

/** Whether the nearest double is written with the same decimal value. */
function fitsDouble(literal: string): boolean {
  const nearest = Number(literal)
  return Number.isFinite(nearest) && canonical(String(nearest)) === canonical(literal)
}

function canonical(literal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

function holdsLosslessNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (isLosslessNumber(value)) return true
  // Neither `some` nor `Object.values`: this looks at every value that is written.
  for (const name in value) {
    if (holdsLosslessNumber(Reflect.get(value, name))) return true
  }
  return false
}
