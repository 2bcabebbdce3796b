/** JSON beyond the limits of memory or stack. */
export class JsonTooComplex extends SyntaxError {}

/** Deeper nesting would overflow recursive readers. */
const MAX_DEPTH = 1000
/** Shorter numbers without an exponent fit a double. */
const INEXACT_LENGTH = 16

const [SPACE, QUOTE, COMMA, MINUS, POINT] = [0x20, 0x22, 0x2c, 0x2d, 0x2e]
const [BRACKET, BACKSLASH, BRACE, SMALL_E] = [0x5b, 0x5c, 0x7b, 0x65]
const BIT = 0x20
const CLOSE = 0x7d

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** Looks through a text before it is parsed. It need not be JSON. */
export class JsonScan {
  /** True if a number might not fit a double. */
  isInexact = false
  /** Texts of the objects in top-level lists; undefined if `JSON.stringify` writes one differently. */
  readonly records: (string | undefined)[] = []
  readonly #text: string
  readonly #maxValues: number
  #depth = 0
  #values = 0
  #isInList = false
  #recordAt = -1
  /** False after a space, or a number that `JSON.stringify` writes differently: `12.50`. */
  #isUsual = true

  /** @throws JsonTooComplex beyond 1,000 levels or `maxValues` */
  constructor(text: string, maxValues: number) {
    this.#text = text
    this.#maxValues = maxValues
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) at = stringEnd(text, at)
      else if (code === MINUS || isDigit(code)) at = this.#number(at)
      else if (code === COMMA) this.#count()
      else if (code === SPACE) this.#isUsual = false
      else if ((code | BIT) === BRACE) this.#open(code, at)
      else if ((code | BIT) === CLOSE) this.#close(at)
    }
  }

  #count() {
    this.#values += 1
    if (this.#values > this.#maxValues) throw new JsonTooComplex(`holds more than ${this.#maxValues} values`)
  }

  #number(start: number) {
    let end = start + 1
    for (let code = this.#text.charCodeAt(end); isDigit(code) || code === POINT; ) {
      end += 1
      code = this.#text.charCodeAt(end)
    }
    const hasExponent = (this.#text.charCodeAt(end) | BIT) === SMALL_E
    this.isInexact ||= hasExponent || end - start >= INEXACT_LENGTH
    const digits = this.#text.slice(start, end)
    this.#isUsual &&= !hasExponent && String(Number(digits)) === digits
    return end - 1
  }

  #open(code: number, at: number) {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new JsonTooComplex(`is nested deeper than ${MAX_DEPTH} levels`)
    this.#count()
    if (this.#depth === 2) this.#isInList = code === BRACKET
    if (this.#depth !== 3 || !this.#isInList || code !== BRACE) return
    this.#recordAt = at
    this.#isUsual = true
  }

  #close(at: number) {
    if (this.#depth === 3 && this.#recordAt !== -1) {
      this.records.push(this.#isUsual ? this.#text.slice(this.#recordAt, at + 1) : undefined)
      this.#recordAt = -1
    }
    this.#depth -= 1
  }
}

function stringEnd(text: string, start: number) {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1
    if ((at - escapes) % 2 === 0) return at
  }
  return text.length
}
