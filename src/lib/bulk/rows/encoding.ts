import { isUtf8 } from 'node:buffer'
import type { RowEncoding } from './row.ts'

/** Windows-1252 where it is not Latin-1, 0x80 to 0x9F; the five that it leaves open stay control characters. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const MARKS: readonly [encoding: RowEncoding, mark: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Whether bytes that come in pieces are UTF-8, at a gigabyte a second. */
export class Utf8Check {
  #valid = true
  #rest = Buffer.alloc(0)

  add(chunk: Buffer): void {
    if (!this.#valid) return
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const end = wholeCharacters(bytes)
    this.#valid = isUtf8(bytes.subarray(0, end))
    // A copy: the reader may use the chunk's memory again.
    this.#rest = Buffer.from(bytes.subarray(end))
  }

  isValid(): boolean {
    return this.#valid && this.#rest.length === 0
  }
}

/** Returns the offset of a character that the end of the bytes cuts, or their length. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Decides by the byte-order mark, then by the positions of NULs, then by validity as UTF-8. */
export function detectEncoding(
  head: Buffer,
  isWholeUtf8: boolean,
): { encoding: RowEncoding; markBytes: number } {
  for (const [encoding, mark] of MARKS) {
    if (mark.every((byte, at) => head[at] === byte)) {
      // A mark before what is no UTF-8 all the same: some editors put one before Windows-1252.
      return encoding === 'utf-8' && !isWholeUtf8
        ? { encoding: 'windows-1252', markBytes: mark.length }
        : { encoding, markBytes: mark.length }
    }
  }
  return { encoding: utf16ByNuls(head) ?? (isWholeUtf8 ? 'utf-8' : 'windows-1252'), markBytes: 0 }
}

/** A header is mostly ASCII, of which UTF-16 makes every second byte NUL, always on the same side. */
function utf16ByNuls(head: Buffer): RowEncoding | undefined {
  const sample = head.subarray(0, 256)
  const nuls = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nuls
  const many = Math.max(1, sample.length * 0.3)
  if (odd >= many && even === 0) return 'utf-16le'
  if (even >= many && odd === 0) return 'utf-16be'
  return undefined
}

/** @throws TypeError if it is not the UTF-16 that it seemed to be */
export async function* decoded(bytes: AsyncIterable<Buffer>, encoding: RowEncoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const chunk of bytes) yield fromWindows1252(chunk)
    return
  }
  // The mark was skipped: another one would be text.
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  yield decoder.decode()
}

/** The beginning of a file, whose last character may be cut. */
export function fromHead(bytes: Buffer, encoding: RowEncoding): string {
  return encoding === 'windows-1252' ? fromWindows1252(bytes) : new TextDecoder(encoding).decode(bytes)
}

/** Own table: some releases of Node.js decode Windows-1252 as Latin-1. */
function fromWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (c) => WINDOWS[c.charCodeAt(0) - 0x80] ?? c)
}
