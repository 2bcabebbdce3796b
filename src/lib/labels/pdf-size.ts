import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'

const MAX_UNPACKED_BYTES = 200_000_000
/** Bytes of a dictionary searched for how its stream is packed. */
const DICTIONARY_BYTES = 400
const PACKED_TWICE = /\/(?:FlateDecode|LZWDecode|Fl|LZW)\b[^\]]*\/(?:FlateDecode|LZWDecode|Fl|LZW)\b/

/**
 * Whether packed streams hold more than 200 MB, or are packed twice: the library would keep them in memory several
 * times. Nothing is kept here.
 */
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

/** Counted to just beyond the limit, or to where it is broken: that is left for the library to judge. */
async function unpackedBytes(packed: Buffer, limit: number): Promise<number> {
  let bytes = 0
  const count = (size: number) => {
    bytes += size
    return bytes <= limit
  }
  await unpack(packed, count).catch(() => undefined)
  return bytes
}

/** Unpacks a deflated text, of which nothing is kept, until `isWanted` declines. @throws Error if it is broken */
export async function unpack(packed: Uint8Array, isWanted: (bytes: number) => boolean): Promise<void> {
  await pipeline([packed], createInflate(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) if (!isWanted(chunk.length)) return
  })
}
