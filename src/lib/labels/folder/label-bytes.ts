import type { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'

/** Read from the content, as carriers may not send the requested format (spec §4.2). */
export type LabelFormat = (typeof FINAL_LABEL_FORMATS)[number]

export const HEAD_BYTES = 1024

/** ZPL may begin with the prefix of Zebra's driver (`CT~~CD,~CC^~CT~`) or with downloads (`~DG`, `~DY`) longer than the head. */
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

function kindOf<T>(text: string, kinds: readonly (readonly [RegExp, T])[]) {
  return kinds.find(([pattern]) => pattern.test(text))?.[1]
}

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

function latin1(head: Uint8Array) {
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

/** Accepts blanks, a data-URL prefix, the URL-safe alphabet, and missing padding. @throws Base64Error */
export function decodeBase64(text: string): Buffer {
  const start = /^\s*data:[^,]{0,1024};\s*base64\s*,/i.exec(text)?.[0].length ?? 0
  const rest = text.slice(start)
  const fault = rest.search(/[^A-Za-z0-9+/_\-=\t\n\f\r ]|=(?=[^=]*[^=\t\n\f\r ])/)
  if (fault !== -1) throw new Base64Error(`${JSON.stringify(rest[fault])} is out of place`, start + fault + 1)
  const digits = rest.replace(/[=\t\n\f\r ]+/g, '')
  const last = digits.slice(digits.length - (digits.length % 4))
  const padding = rest.split('=').length - 1
  // Encoders set spare bits to zero; in truncated text they rarely are.
  const isComplete =
    Buffer.from(last, 'base64').toString('base64url') === last.replaceAll('+', '-').replaceAll('/', '_')
  if (!isComplete || padding > 2 || (padding > 0 && (digits.length + padding) % 4 !== 0))
    throw new Base64Error('the text breaks off', text.length)
  // Node.js decodes both alphabets as `base64`.
  return Buffer.from(digits, 'base64')
}
