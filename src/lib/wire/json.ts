import { isUtf8 } from 'node:buffer'
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { JsonScan, type RecordPlace } from './json-scan.ts'
import { asText, at, isRecord } from './raw.ts'

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const QUOTE = 0x22
/** Stands for itself in JSON. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/
/** Delete, C1 controls, line separators, bidi marks: terminals obey them, and `JSON.stringify` leaves them. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * Reads JSON, a number beyond a double as `LosslessNumber`. A byte-order mark is ignored; of equal keys the last
 * counts.
 * @throws SyntaxError for what is not JSON, `JsonTooComplex` beyond 1,000 levels or about `maxValues`
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): unknown {
  return parseScanned(text, new JsonScan(Buffer.from(text), maxValues).mayBeInexact)
}

/** Reader of each item of a list in the outermost object. */
export interface ItemReader {
  key: string
  /** Member of the items that is read without parsing them. */
  member?: string
  take(item: SentItem): unknown
}

/** An item as it was sent, whose values are made when they are asked for, and need not be kept. */
export interface SentItem {
  /** Parsed alone, anew each time. @throws SyntaxError */
  read(): unknown
  /** Returns what `stringifyJson` gives for the item, in UTF-8 (whole numbers as keys keep their places). */
  jsonOf(item: unknown): Uint8Array
  /** Returns undefined if there is none, or it is no text. @throws SyntaxError */
  textMember(): string | undefined
  readonly isObject: boolean
}

/**
 * `parseJson` of UTF-8; `items` puts what it makes of items in their places. Throws as `parseJson` does, but for what
 * an item throws once it is read.
 */
export function parseJsonBytes(bytes: Buffer, maxValues: number, items?: ItemReader): unknown {
  const { mayBeInexact, records = [] } = new JsonScan(bytes, maxValues, items?.key, items?.member)
  const body = parseScanned(frameOf(bytes, records).toString(), mayBeInexact)
  const list = at(body, items?.key ?? '')
  if (items === undefined || !Array.isArray(list)) return body
  const text: SentText = { bytes, mayBeInexact, isValid: isUtf8(bytes), member: items.member ?? '' }
  let next = 0
  for (const [index, item] of list.entries()) {
    const place = isRecord(item) ? records[next++] : undefined
    list[index] = items.take(place === undefined ? new ReadItem(item, text) : new PlacedItem(place, text))
  }
  return body
}

interface SentText {
  bytes: Buffer
  mayBeInexact: boolean
  /** It is UTF-8. */
  isValid: boolean
  /** `ItemReader.member` */
  member: string
}

/** No object, or in a list of which places can't be told. */
class ReadItem implements SentItem {
  get isObject(): boolean {
    return isRecord(this.item)
  }

  constructor(
    private readonly item: unknown,
    private readonly text: SentText,
  ) {}

  read(): unknown {
    return this.item
  }

  jsonOf(item: unknown): Uint8Array {
    return Buffer.from(stringifyJson(item))
  }

  textMember(): string | undefined {
    return asText(at(this.item, this.text.member))
  }
}

class PlacedItem implements SentItem {
  readonly isObject = true

  constructor(
    private readonly place: RecordPlace,
    private readonly text: SentText,
  ) {}

  read(): unknown {
    const { start, end, isAsWritten } = this.place
    const { bytes, mayBeInexact } = this.text
    return parseScanned(bytes.toString('utf8', start, end), mayBeInexact && !isAsWritten)
  }

  jsonOf(item: unknown): Uint8Array {
    const { start, end, keys, isAsWritten } = this.place
    // To write it anew takes as long as to read it. Of equal keys the last counts: then there are fewer.
    return this.text.isValid && isAsWritten && keysIn(item) === keys
      ? this.text.bytes.subarray(start, end)
      : Buffer.from(stringifyJson(item))
  }

  textMember(): string | undefined {
    const { memberAt } = this.place
    if (memberAt === 0) return undefined
    const { bytes, member } = this.text
    const end = memberAt === undefined ? -1 : bytes.indexOf(QUOTE, memberAt + 1)
    const text = end < 0 ? undefined : bytes.toString('utf8', (memberAt ?? 0) + 1, end)
    // Anything but a plain text is left to the parser.
    const isPlain = text !== undefined && bytes[memberAt ?? 0] === QUOTE && PLAIN_TEXT.test(text)
    return isPlain ? text : asText(at(this.read(), member))
  }
}

/** The same JSON with nothing in the records. */
function frameOf(bytes: Buffer, records: readonly RecordPlace[]): Buffer {
  if (records.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const { start, end } of records) {
    // Their brackets stay.
    parts.push(bytes.subarray(at, start + 1))
    at = end - 1
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

function keysIn(value: unknown): number {
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += keysIn(item)
  else if (isRecord(value)) for (const name in value) count += 1 + keysIn(value[name])
  return count
}

function parseScanned(text: string, mayBeInexact: boolean): unknown {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  if (!mayBeInexact) return JSON.parse(json)
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

/** Parses numbers like `JSON.parse`; undefined for what is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A number as text with the value sent; empty for a missing one, JSON for what is no plain value. */
export function numberText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' && !isLosslessNumber(value) ? stringifyJson(value) : String(value)
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
