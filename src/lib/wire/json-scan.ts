/** JSON beyond the limits of memory or stack. */
export class JsonTooComplexError extends SyntaxError {}

/** Deeper nesting would overflow recursive readers. */
const MAX_DEPTH = 1000
/** Shorter numbers without an exponent fit a double. */
const INEXACT_LENGTH = 16

const [SPACE, QUOTE, COMMA, MINUS, POINT] = [0x20, 0x22, 0x2c, 0x2d, 0x2e]
const [BRACKET, BACKSLASH, BRACE, SMALL_E] = [0x5b, 0x5c, 0x7b, 0x65]
/** Difference of `[` and `{`, and of `E` and `e`. */
const CASE_BIT = 0x20
const CLOSE = 0x7d

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** Scans a text, JSON or not, before it is parsed. @throws JsonTooComplexError beyond 1,000 levels or `maxValues` */
export function scanJson(text: string, maxValues: number) {
  /** Texts of the objects in top-level lists; undefined if `JSON.stringify` writes one differently. */
  const records: (string | undefined)[] = []
  /** True if a number might not fit a double. */
  let isInexact = false
  /** False after a space, or a number that `JSON.stringify` writes differently: `12.50`. */
  let isUsual = true
  let isInList = false
  let recordAt = -1
  let [depth, values] = [0, 0]
  const count = () => {
    values += 1
    if (values > maxValues) throw new JsonTooComplexError(`holds more than ${maxValues} values`)
  }
  const open = (code: number, at: number) => {
    depth += 1
    if (depth > MAX_DEPTH) throw new JsonTooComplexError(`is nested deeper than ${MAX_DEPTH} levels`)
    count()
    if (depth === 2) isInList = code === BRACKET
    if (depth !== 3 || !isInList || code !== BRACE) return
    recordAt = at
    isUsual = true
  }
  const close = (at: number) => {
    if (depth === 3 && recordAt !== -1) {
      records.push(isUsual ? text.slice(recordAt, at + 1) : undefined)
      recordAt = -1
    }
    depth -= 1
  }
  const number = (start: number) => {
    let end = start + 1
    for (let code = text.charCodeAt(end); isDigit(code) || code === POINT; ) {
      end += 1
      code = text.charCodeAt(end)
    }
    const hasExponent = (text.charCodeAt(end) | CASE_BIT) === SMALL_E
    const digits = text.slice(start, end)
    isInexact ||= hasExponent || digits.length >= INEXACT_LENGTH
    isUsual &&= !hasExponent && String(Number(digits)) === digits
    return end - 1
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = stringEnd(text, at)
    else if (code === MINUS || isDigit(code)) at = number(at)
    else if (code === COMMA) count()
    else if (code === SPACE) isUsual = false
    else if ((code | CASE_BIT) === BRACE) open(code, at)
    else if ((code | CASE_BIT) === CLOSE) close(at)
  }
  return { isInexact, records }
}

function stringEnd(text: string, start: number) {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}
