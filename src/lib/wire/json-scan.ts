/** JSON beyond the limits of memory or stack. */
export class JsonTooComplex extends SyntaxError {}

/** Deeper nesting would overflow recursive readers. */
const MAX_DEPTH = 1000

/** Literals shorter than this fit a double, if they have no exponent. */
const INEXACT_LENGTH = 16

/**
 * Length from which on only the end of a string is searched, unless records are located: a label is a string of 80 kB.
 */
const LONG_STRING = 256

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20

const isDigit = (code: number) => code >= ZERO && code <= 0x39
const isExponent = (code: number | undefined) => code === 0x65 || code === 0x45
const isOneOf = (bytes: Uint8Array) => Uint8Array.from({ length: 256 }, (_, byte) => +bytes.includes(byte))

/** Bytes that end a string, begin an escape, or may be escaped by `stringifyJson`. */
const NOTABLE = isOneOf(Uint8Array.of(QUOTE, BACKSLASH, 0x7f, 0xc2, 0xd8, 0xe2))
/** Escapes that `JSON.stringify` writes, too. */
const KEPT_ESCAPES = isOneOf(Buffer.from('"\\bfnrt'))

/** An object in the list: from `start` to before `end`, with so many keys in it and below. */
export interface RecordPlace {
  start: number
  end: number
  keys: number
  /** Offset of the value of the member that was asked for; 0 if there is none; undefined if that can't be told. */
  memberAt: number | undefined
  /** Whether `stringifyJson` would write the same text, but for keys that come twice and the order of whole numbers. */
  isAsWritten: boolean
}

/** One way through JSON in UTF-8 before it is parsed, for all that has to be known of its text. It may turn out invalid. */
export class JsonScan {
  /** Whether a number might not fit a double. */
  mayBeInexact = false
  /** The objects in the list under `listKey` of the outermost object; undefined where that can't be told. */
  records: RecordPlace[] | undefined
  readonly #bytes: Buffer
  readonly #maxValues: number
  readonly #listKey: Uint8Array | undefined
  readonly #member: Uint8Array | undefined
  #depth = 0
  #values = 0
  #keys = 0
  #isAsWritten = true
  #start = 0
  #memberAt: number | undefined
  #isInList = false
  /** The latest string in the outermost object, without its quotation marks. */
  #key: Uint8Array = new Uint8Array()
  #hasEscapedKey = false

  /** @throws JsonTooComplex beyond 1,000 levels, which parsers would overflow at, or about `maxValues` */
  constructor(bytes: Buffer, maxValues: number, listKey?: string, member?: string) {
    this.#bytes = bytes
    this.#maxValues = maxValues
    this.#listKey = listKey === undefined ? undefined : Buffer.from(listKey)
    this.#member = member === undefined ? undefined : Buffer.from(member)
    this.#run()
    if (this.#hasEscapedKey) this.records = undefined
  }

  #run(): void {
    const bytes = this.#bytes
    const { length } = bytes
    for (let at = 0; at < length; at += 1) {
      const code = bytes[at] as number
      if (code === QUOTE) at = this.#string(at)
      else if (code === COLON) this.#keys += 1
      else if (code === COMMA) this.#count()
      else if (code === MINUS || isDigit(code)) at = this.#number(at)
      else if (code <= SPACE) this.#isAsWritten = false
      else this.#structure(code, at)
    }
  }

  /** @returns its end */
  #string(start: number): number {
    const bytes = this.#bytes
    const end = this.#listKey ? bytes.length : Math.min(bytes.length, start + LONG_STRING)
    let at = start + 1
    for (; at < end; at += 1) {
      const code = bytes[at] as number
      if (NOTABLE[code] === 0) continue
      if (code === QUOTE) break
      if (code === BACKSLASH) {
        at += 1
        this.#escape(bytes[at] ?? 0)
      } else if (isUnsafe(bytes, at)) this.#isAsWritten = false
    }
    if (at >= end && end < bytes.length) return stringEnd(bytes, at)
    if (this.#depth === 1 && this.#listKey) this.#key = bytes.subarray(start + 1, at)
    if (this.#depth === 3 && this.#member?.length === at - start - 1) this.#meetMember(start + 1, at)
    return at
  }

  /** The last of equal keys counts. */
  #meetMember(start: number, end: number): void {
    const bytes = this.#bytes
    for (let at = start; at < end; at += 1) if (bytes[at] !== this.#member?.[at - start]) return
    if (this.#memberAt === undefined) return
    // A value may be the same text.
    this.#memberAt = bytes[end + 1] === COLON ? end + 2 : undefined
  }

  #escape(code: number): void {
    if (KEPT_ESCAPES[code] === 0) this.#isAsWritten = false
    if (this.#depth === 1) this.#hasEscapedKey = true
    if (this.#depth === 3) this.#memberAt = undefined
  }

  /** @returns its end, without the exponent */
  #number(start: number): number {
    const bytes = this.#bytes
    const first = bytes[start] === MINUS ? start + 1 : start
    const { length } = bytes
    let at = first
    let point = 0
    for (; at < length; at += 1) {
      const code = bytes[at] as number
      if (code === POINT) point = at
      else if (!isDigit(code)) break
    }
    at -= 1
    if (at - first + 1 >= INEXACT_LENGTH || isExponent(bytes[at + 1])) {
      this.mayBeInexact = true
      this.#isAsWritten = false
    }
    if (isOtherwiseWritten(bytes, start, point, at)) this.#isAsWritten = false
    return Math.max(at, start)
  }

  #structure(code: number, at: number): void {
    if (code === OPEN_BRACKET || code === OPEN_BRACE) this.#open(code, at)
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#close(at)
  }

  #count(): void {
    this.#values += 1
    if (this.#values > this.#maxValues) throw new JsonTooComplex(`holds more than ${this.#maxValues} values`)
  }

  #open(code: number, at: number): void {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new JsonTooComplex(`is nested deeper than ${MAX_DEPTH} levels`)
    this.#count()
    if (this.#depth === 2 && this.#listKey && Buffer.compare(this.#key, this.#listKey) === 0) {
      // The last of equal keys counts.
      this.records = []
      this.#isInList = code === OPEN_BRACKET
    }
    if (this.#depth !== 3) return
    this.#start = at
    this.#memberAt = 0
    this.#keys = 0
    this.#isAsWritten = true
  }

  #close(at: number): void {
    if (this.#depth === 2) this.#isInList = false
    if (this.#depth === 3 && this.#isInList && this.#bytes[this.#start] === OPEN_BRACE)
      this.records?.push({
        start: this.#start,
        end: at + 1,
        keys: this.#keys,
        memberAt: this.#memberAt,
        isAsWritten: this.#isAsWritten,
      })
    this.#depth -= 1
  }
}

/** The first quotation mark that is not escaped. `from` is in a string, and in no escape. */
function stringEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = at
    while (escapes > from && bytes[escapes - 1] === BACKSLASH) escapes -= 1
    if ((at - escapes) % 2 === 0) return at
  }
  return bytes.length
}

/** `12.50`, `-0`, and `0.0000001`, which is written with an exponent. */
function isOtherwiseWritten(bytes: Uint8Array, start: number, point: number, end: number): boolean {
  const isNegative = bytes[start] === MINUS
  const isBelowOne = bytes[isNegative ? start + 1 : start] === ZERO
  if (point === 0) return isNegative && isBelowOne
  return bytes[end] === ZERO || (isBelowOne && bytes[point + 1] === ZERO && bytes[point + 2] === ZERO)
}

/** Whether a character that `stringifyJson` escapes begins here. */
function isUnsafe(bytes: Uint8Array, at: number): boolean {
  const [first = 0, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  if (first === 0xc2) return second < 0xa0
  if (first === 0xd8) return second === 0x9c
  if (first !== 0xe2) return true
  if (second === 0x81) return third >= 0xa6 && third <= 0xa9
  return second === 0x80 && (third === 0x8e || third === 0x8f || (third >= 0xa8 && third <= 0xae))
}
