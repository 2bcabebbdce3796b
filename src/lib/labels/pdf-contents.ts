import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import type { PDFPage } from '@cantoo/pdf-lib'

const MAX_UNPACKED_BYTES = 200_000_000
/** Bytes of a dictionary searched for how its stream is packed. */
const DICTIONARY_BYTES = 400
const PACKED_TWICE = /\/(?:FlateDecode|LZWDecode|Fl|LZW)\b[^\]]*\/(?:FlateDecode|LZWDecode|Fl|LZW)\b/

/** True if streams unpack to more than 200 MB or are packed twice: the library keeps several copies in memory. */
export async function isPdfTooLarge(pdf: Buffer): Promise<boolean> {
  let unpacked = 0
  for (let at = pdf.indexOf('stream'); at !== -1; at = pdf.indexOf('stream', at + 6)) {
    if (pdf.subarray(at - 3, at).toString('latin1') === 'end') continue
    const start = at + (pdf[at + 6] === 0x0d ? 8 : 7)
    // Encrypted and other streams begin differently.
    if (((pdf[start] ?? 0) & 0x0f) !== 8 || pdf.readUInt16BE(Math.min(start, pdf.length - 2)) % 31 !== 0)
      continue
    if (PACKED_TWICE.test(lastDictionary(pdf, at))) return true
    const end = pdf.indexOf('endstream', start)
    unpacked += await unpackedBytes(
      pdf.subarray(start, end === -1 ? pdf.length : end),
      MAX_UNPACKED_BYTES - unpacked,
    )
    if (unpacked > MAX_UNPACKED_BYTES) return true
  }
  return false
}

function lastDictionary(pdf: Buffer, before: number): string {
  const text = pdf.subarray(Math.max(0, before - DICTIONARY_BYTES), before).toString('latin1')
  return text.slice(text.lastIndexOf('obj') + 1)
}

/** Counts until the limit is passed or the data are broken. The library reports broken data. */
async function unpackedBytes(packed: Buffer, limit: number): Promise<number> {
  let bytes = 0
  const count = (size: number) => {
    bytes += size
    return bytes <= limit
  }
  await unpack(packed, count).catch(() => undefined)
  return bytes
}

/** Unpacks without keeping anything until `isWanted` declines. @throws Error if the data are broken */
async function unpack(packed: Uint8Array, isWanted: (bytes: number) => boolean): Promise<void> {
  await pipeline([packed], createInflate(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) if (!isWanted(chunk.length)) return
  })
}

/** Size from which contents are made a form. Smaller ones unpack to at most 50 MB. */
const MANY_PACKED_BYTES = 50_000

/**
 * Moves large contents of a page into a form. The library holds unpacked contents of a page twice, but copies a form
 * packed.
 *
 * @throws Error if the contents are broken
 */
export async function keepPacked(lib: typeof import('@cantoo/pdf-lib'), page: PDFPage): Promise<void> {
  const { node } = page
  const { context } = page.doc
  const contents = node.Contents()
  const stream = contents instanceof lib.PDFArray && contents.size() === 1 ? contents.lookup(0) : contents
  if (!(stream instanceof lib.PDFRawStream) || stream.contents.length < MANY_PACKED_BYTES) return
  const [filter, parameters] = ['Filter', 'DecodeParms'].map((name) =>
    stream.dict.lookup(lib.PDFName.of(name)),
  )
  if (filter !== lib.PDFName.of('FlateDecode') || parameters !== undefined) return
  await unpack(stream.contents, () => true)
  const { x, y, width, height } = page.getMediaBox()
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Form',
    Filter: filter,
    BBox: [x, y, x + width, y + height],
    Resources: node.Resources() ?? {},
  })
  const form = context.register(lib.PDFRawStream.of(dict, stream.contents))
  node.delete(lib.PDFName.of('Contents'))
  node.set(lib.PDFName.of('Resources'), context.obj({}))
  page.pushOperators(lib.drawObject(node.newXObject('Contents', form)))
}
