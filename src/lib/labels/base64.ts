/** Error for text that is not base64. `position` counts characters from 1. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error'

  constructor(
    readonly problem: string,
    readonly position: number,
  ) {
    super(`${problem} at character ${position}`)
  }
}

/** Characters decoded at once. A multiple of 4 leaves no rest between slices. */
const SLICE_CHARS = 1 << 18
const NOT_DIGIT = /[^A-Za-z0-9+/_-]/
const NEITHER_DIGIT_NOR_BLANK = /[^A-Za-z0-9+/_\-\t\n\f\r ]/
const BLANKS = /[\t\n\f\r ]+/g
/** Longer than any `data:application/pdf;name=…;base64,`. */
const MAX_PREFIX_CHARS = 1024

/**
 * Decodes pieces that may be cut anywhere. Accepts line breaks, a data-URL prefix, the URL-safe alphabet, and missing
 * padding.
 *
 * @throws Base64Error at the first fault; earlier bytes have been handed out
 */
export function* decodeBase64(source: string | Iterable<string>): Generator<Buffer, void, undefined> {
  const decoder = new Decoder()
  for (const slice of withoutPrefix(typeof source === 'string' ? [source] : source, decoder)) {
    for (let at = 0; at < slice.length; at += SLICE_CHARS) {
      const bytes = decoder.decode(slice.slice(at, at + SLICE_CHARS))
      if (bytes.length > 0) yield bytes
    }
  }
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}

/** Yields the pieces without a leading `data:…;base64,`. */
function* withoutPrefix(pieces: Iterable<string>, decoder: Decoder): Generator<string, void, undefined> {
  let beginning: string | undefined = ''
  for (const piece of pieces) {
    if (beginning === undefined) {
      yield piece
      continue
    }
    beginning += piece
    if (isUndecided(beginning)) continue
    yield cutPrefix(beginning, decoder)
    beginning = undefined
  }
  if (beginning) yield cutPrefix(beginning, decoder)
}

function isUndecided(beginning: string): boolean {
  if (beginning.length > MAX_PREFIX_CHARS) return false
  const start = beginning.trimStart().slice(0, 5).toLowerCase()
  return start.length < 5 ? 'data:'.startsWith(start) : start === 'data:' && !beginning.includes(',')
}

function cutPrefix(text: string, decoder: Decoder): string {
  const prefix = /^\s*data:[^,]{0,1024},/i.exec(text)?.[0]
  if (prefix === undefined) return text
  if (!/;\s*base64\s*,$/i.test(prefix)) throw new Base64Error('a data URL that is not base64', prefix.length)
  decoder.position += prefix.length
  return text.slice(prefix.length)
}

class Decoder {
  /** Characters before the current slice. */
  position = 0
  /** Up to 3 digits that wait for the next slice. */
  #rest = ''
  /** Position of the first padding character. */
  #paddedAt: number | undefined
  #padding = 0

  decode(slice: string): Buffer {
    if (this.#paddedAt === undefined && this.#rest === '' && slice.length % 4 === 0) {
      const bytes = Buffer.from(slice, 'base64')
      // Node.js skips other characters. A full count of bytes shows that it skipped none.
      if (bytes.length === (slice.length / 4) * 3) {
        this.position += slice.length
        return bytes
      }
    }
    let digits = slice
    if (this.#paddedAt !== undefined || NOT_DIGIT.test(slice)) digits = this.#cleaned(slice)
    this.position += slice.length
    if (this.#rest !== '') digits = this.#rest + digits
    const whole = digits.length - (digits.length % 4)
    this.#rest = digits.slice(whole)
    // Node.js reads both alphabets as `base64`.
    return Buffer.from(this.#rest === '' ? digits : digits.slice(0, whole), 'base64')
  }

  end(): Buffer {
    const digits = this.#rest
    const place = this.#paddedAt ?? this.position
    if (this.#padding > 0 && (digits.length === 0 || digits.length + this.#padding !== 4)) {
      throw new Base64Error('the padding does not fit the length', place)
    }
    const bytes = Buffer.from(digits, 'base64')
    // Encoders leave no spare bits, but truncated text nearly always does.
    if (bytes.toString('base64url') !== digits.replaceAll('+', '-').replaceAll('/', '_')) {
      throw new Base64Error('the text breaks off', place)
    }
    return bytes
  }

  /** Removes white space and padding. */
  #cleaned(slice: string): string {
    const from = this.#paddedAt === undefined ? slice.search(NEITHER_DIGIT_NOR_BLANK) : 0
    if (from < 0) return slice.replace(BLANKS, '')
    if (this.#paddedAt === undefined) {
      const place = this.position + from + 1
      if (slice[from] !== '=') {
        throw new Base64Error(`${JSON.stringify(slice[from])} is not a base64 character`, place)
      }
      this.#paddedAt = place
    }
    const tail = slice.slice(from)
    const more = tail.search(/[^=\t\n\f\r ]/)
    if (more >= 0) throw new Base64Error('there is more after the padding', this.position + from + more + 1)
    this.#padding += tail.replace(BLANKS, '').length
    return slice.slice(0, from).replace(BLANKS, '')
  }
}
