import { isUtf8 } from 'node:buffer'
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { JsonScan, type RecordPlace } from './json-scan.ts'
import { at, isRecord } from './raw.ts'

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
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

/** What is to become of each item of a list in the outermost object; it is parsed alone, and need not be kept. */
export interface ItemReader {
  key: string
  /** `json` is what `stringifyJson` gives for the item, in UTF-8 (whole numbers as keys stand where they stood). */
  read(item: unknown, json: () => Uint8Array): unknown
}

/** `parseJson` of UTF-8; `items` puts what it reads in the items' places. Throws as `parseJson` does. */
export function parseJsonBytes(bytes: Buffer, maxValues: number, items?: ItemReader): unknown {
  const { mayBeInexact, records = [] } = new JsonScan(bytes, maxValues, items?.key)
  const body = parseScanned(frameOf(bytes, records).toString(), mayBeInexact)
  const list = at(body, items?.key ?? '')
  if (items === undefined || !Array.isArray(list)) return body
  const isValid = isUtf8(bytes)
  let next = 0
  for (const [index, item] of list.entries()) {
    const place = isRecord(item) ? records[next++] : undefined
    if (place === undefined) {
      list[index] = items.read(item, () => Buffer.from(stringifyJson(item)))
      continue
    }
    const { start, end, keys, isAsWritten } = place
    const record = parseScanned(bytes.toString('utf8', start, end), mayBeInexact && !isAsWritten)
    // To write it anew takes as long as to read it. Of equal keys the last counts: then there are fewer.
    list[index] = items.read(record, () =>
      isValid && isAsWritten && keysIn(record) === keys
        ? bytes.subarray(start, end)
        : Buffer.from(stringifyJson(record)),
    )
  }
  return body
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

/** Undefined for what is not JSON, numbers as `JSON.parse` reads them. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
