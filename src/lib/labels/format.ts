/** Format by content, as a carrier may answer in another one than asked (spec §4.2). */
export type LabelFormat = 'PDF' | 'ZPL' | 'PNG'

/** PDF readers accept the header within the first kilobyte. */
export const HEAD_BYTES = 1024

const PDF = /^(?:\xef\xbb\xbf)?[\s\0]*%PDF-/
/**
 * `^XA`, or what may precede it: Zebra's Windows driver writes `CT~~CD,~CC^~CT~`, and downloads of graphics and fonts
 * (`~DG`, `~DY`, …) can exceed the head.
 */
const ZPL = /^(?:\xef\xbb\xbf)?[\s\0\x10]*(?:\^XA|~D[BEGNSTUY]|(?:CT~)?~[A-Z]{2}[^<]*\^XA)/i
const PNG = /^\x89PNG\r\n\x1a\n/

const KNOWN_OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(?:!doctype html|html|head|body)/i, 'an HTML page'],
  [/^\s*<\?xml|^\s*<svg/i, 'an XML document'],
  [/^\s*[{[]/, 'JSON'],
  [/^\xff\xd8\xff/, 'a JPEG image'],
  [/^GIF8/, 'a GIF image'],
  [/^PK\x03\x04/, 'a ZIP archive'],
  [/^\x1f\x8b/, 'gzip data'],
  [/^JVBERi|^XlhB|^iVBORw0KG/, 'base64 text that was encoded twice'],
]

/** Returns the format of a document by its first `HEAD_BYTES` bytes. */
export function sniffFormat(head: Uint8Array): LabelFormat | undefined {
  const text = latin1(head)
  if (PNG.test(text)) return 'PNG'
  if (PDF.test(text)) return 'PDF'
  return ZPL.test(text) ? 'ZPL' : undefined
}

/** Describes other content in an error message: `an HTML page titled "Sign in"`. */
export function describeUnknown(head: Uint8Array): string {
  if (head.length === 0) return 'nothing'
  const text = latin1(head)
  const kind = KNOWN_OTHERS.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown data'
  const title = kind === 'an HTML page' ? /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim() : undefined
  const beginning = (title || text.slice(0, 60))
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '.')
    .trim()
  return title ? `${kind} titled "${beginning}"` : `${kind} that begins with "${beginning}"`
}

function latin1(head: Uint8Array): string {
  return Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES)).toString('latin1')
}
