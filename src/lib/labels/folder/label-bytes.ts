import type { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'

/** Format by content, as carriers may answer in another one than asked (spec §4.2). */
export type LabelFormat = (typeof FINAL_LABEL_FORMATS)[number]

/** PDF readers accept the header within the first kilobyte. */
export const HEAD_BYTES = 1024

/** Zebra's Windows driver writes `CT~~CD,~CC^~CT~` before `^XA`, and downloads (`~DG`, `~DY`) can exceed the head. */
const LABELS: readonly (readonly [RegExp, LabelFormat])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'PNG'],
  [/^(?:\xef\xbb\xbf)?[\s\0]*%PDF-/, 'PDF'],
  [/^(?:\xef\xbb\xbf)?[\s\0\x10]*(?:\^XA|~D[BEGNSTUY]|(?:CT~)?~[A-Z]{2}[^<]*\^XA)/i, 'ZPL'],
]

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(?:!doctype html|html|head|body)/i, 'an HTML page'],
  [/^\s*<\?xml|^\s*<svg/i, 'an XML document'],
  [/^\s*[{[]/, 'JSON'],
  [/^\xff\xd8\xff/, 'a JPEG image'],
  [/^GIF8/, 'a GIF image'],
  [/^PK\x03\x04/, 'a ZIP archive'],
  [/^\x1f\x8b/, 'gzip data'],
  [/^JVBERi|^XlhB|^iVBORw0KG/, 'base64 text that was encoded twice'],
]

export function sniffFormat(head: Uint8Array): LabelFormat | undefined {
  return kindOf(latin1(head), LABELS)
}

function kindOf<T>(text: string, kinds: readonly (readonly [RegExp, T])[]): T | undefined {
  return kinds.find(([pattern]) => pattern.test(text))?.[1]
}

/** Describes other content in an error message: `an HTML page titled "Sign in"`. */
export function describeUnknown(head: Uint8Array): string {
  if (head.length === 0) return 'nothing'
  const text = latin1(head)
  const kind = kindOf(text, OTHERS) ?? 'unknown data'
  const title = kind === 'an HTML page' ? /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim() : undefined
  const beginning = (title || text.slice(0, 60))
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '.')
    .trim()
  return `${kind} ${title ? 'titled' : 'that begins with'} "${beginning}"`
}

function latin1(head: Uint8Array): string {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES)).toString('latin1')
}

export class Base64Error extends Error {
  override readonly name = 'Base64Error'

  constructor(
    problem: string,
    readonly position: number,
  ) {
    super(`${problem} at character ${position}`)
  }
}

const BLANKS = /[\t\n\f\r ]+/g

/** Takes line breaks, a data-URL prefix, the URL-safe alphabet, and missing padding. */
export function decodeBase64(text: string): Buffer {
  // Much faster than to look for faults: Node.js leaves out what is no digit, so that the length tells.
  const usual = Buffer.from(text, 'base64')
  const lastFour = text.slice(-4)
  const lastBytes = Buffer.from(lastFour, 'base64')
  const isWhole = usual.length === (text.length / 4 - 1) * 3 + lastBytes.length
  if (isWhole && lastBytes.toString('base64') === lastFour) return usual
  const prefix = /^\s*data:[^,]{0,1024},/i.exec(text)?.[0] ?? ''
  if (prefix && !/;\s*base64\s*,$/i.test(prefix)) {
    throw new Base64Error('a data URL that is not base64', prefix.length)
  }
  const from = prefix.length
  const found = text.slice(from).search(/[^A-Za-z0-9+/_\-\t\n\f\r ]/)
  const end = found === -1 ? text.length : from + found
  const tail = text.slice(end)
  if (/^[^=]/.test(tail)) {
    throw new Base64Error(`${JSON.stringify(tail[0])} is not a base64 character`, end + 1)
  }
  const more = tail.search(/[^=\t\n\f\r ]/)
  if (more !== -1) throw new Base64Error('there is more after the padding', end + more + 1)
  const digits = text.slice(from, end).replace(BLANKS, '')
  const padding = tail.replace(BLANKS, '').length
  const rest = digits.length % 4
  const place = Math.min(end + 1, text.length)
  if (padding > 0 && (rest === 0 || rest + padding !== 4)) {
    throw new Base64Error('the padding does not fit the length', place)
  }
  // Node.js reads both alphabets as `base64`.
  const bytes = Buffer.from(digits, 'base64')
  const last = digits.slice(digits.length - rest)
  // Encoders leave no spare bits, but truncated text nearly always does.
  if (Buffer.from(last, 'base64').toString('base64url') !== last.replaceAll('+', '-').replaceAll('/', '_')) {
    throw new Base64Error('the text breaks off', place)
  }
  return bytes
}
