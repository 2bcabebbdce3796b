import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { AppError, causedBy, errorCode, UNREADABLE, usageError } from '../../errors.ts'
import type { RowEncoding } from './row.ts'

const BLOCK_BYTES = 65_536

export type InputFile = Awaited<ReturnType<typeof scanFile>>

/**
 * Reads the whole file once: only the last byte tells UTF-8 from Windows-1252. @param name how errors call the file.
 * @throws AppError `usage`
 */
export async function scanFile(path: string, name: string, blockBytes = BLOCK_BYTES) {
  const hash = createHash('sha256')
  const blocks: string[] = []
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  const check = (block?: Buffer) => {
    try {
      if (isUtf8) utf8.decode(block, { stream: block !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  let head = Buffer.alloc(0)
  let bytes = 0
  let stamp: string
  try {
    stamp = await stampOf(path)
    await assertIsFile(path, name)
    for await (const block of blocksOf(path, blockBytes)) {
      hash.update(block)
      blocks.push(digestOf(block))
      check(block)
      if (head.length < BLOCK_BYTES) head = Buffer.concat([head, block])
      bytes += block.length
    }
  } catch (cause) {
    const code = errorCode(cause)
    if (cause instanceof AppError || code === undefined) throw cause
    throw causedBy(cause, 'usage', `${name} can't be read: ${UNREADABLE[code] ?? code}.`)
  }
  check()
  return {
    path,
    name,
    bytes,
    sha256: hash.digest('hex'),
    /** The first 64 KiB. */
    head,
    ...detectEncoding(head, isUtf8),
    blockBytes,
    blocks,
    stamp,
  }
}

/** Refuses pipes, since files are read more than once. @throws AppError `usage` */
export async function assertIsFile(path: string, name = path) {
  if ((await stat(path)).isFile()) return
  throw usageError(
    `${name} is not a file on the disk.`,
    'give a file; what another program prints has to be saved to one',
  )
}

/**
 * Yields only verified blocks, since rows may be sent before the file's end is read. @throws AppError
 * `usage` if the file is not the one that was scanned
 */
export async function* fileBytes(file: InputFile): AsyncGenerator<Buffer> {
  let skipped = file.bomBytes
  let count = 0
  for await (const block of blocksOf(file.path, file.blockBytes)) {
    if (digestOf(block) !== file.blocks[count]) throw wasChanged(file)
    count += 1
    await assertUnchanged(file)
    if (block.length > skipped) yield block.subarray(skipped)
    skipped = Math.max(0, skipped - block.length)
  }
  if (count !== file.blocks.length) throw wasChanged(file)
  await assertUnchanged(file)
}

export async function* fileText(file: InputFile): AsyncGenerator<string> {
  if (file.encoding === 'windows-1252') {
    for await (const chunk of fileBytes(file)) yield fromWindows1252(chunk)
    return
  }
  // The byte order mark is skipped already; a second one is text.
  const decoder = new TextDecoder(file.encoding, { fatal: true, ignoreBOM: true })
  try {
    for await (const chunk of fileBytes(file)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause
    throw causedBy(
      cause,
      'usage',
      `${file.name} holds bytes that are not ${file.encoding.toUpperCase()}.`,
      'save it again in UTF-8',
    )
  }
}

export function headText({ head, bomBytes, encoding }: InputFile): string {
  const bytes = head.subarray(bomBytes)
  return encoding === 'windows-1252' ? fromWindows1252(bytes) : new TextDecoder(encoding).decode(bytes)
}

export async function assertUnchanged(file: InputFile) {
  if ((await stampOf(file.path)) !== file.stamp) throw wasChanged(file)
}

/** Includes the ctime, which programs can't set. */
async function stampOf(path: string) {
  const { size, mtimeMs, ctimeMs, ino } = await stat(path)
  return [ino, size, mtimeMs, ctimeMs].join(':')
}

function wasChanged({ name }: InputFile) {
  return usageError(
    `${name} was changed while it was being read.`,
    'run it again when nothing writes to the file any more',
  )
}

async function* blocksOf(path: string, blockBytes: number): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    for (let length = blockBytes; length === blockBytes; ) {
      const block = Buffer.allocUnsafe(blockBytes)
      length = 0
      for (let bytesRead = -1; bytesRead !== 0 && length < blockBytes; length += bytesRead) {
        bytesRead = (await file.read(block, length, blockBytes - length)).bytesRead
      }
      if (length > 0) yield block.subarray(0, length)
    }
  } finally {
    await file.close()
  }
}

function digestOf(block: Buffer) {
  return createHash('sha256').update(block).digest('base64')
}

const BYTE_ORDER_MARKS: readonly [encoding: RowEncoding, mark: readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

function detectEncoding(head: Buffer, isUtf8: boolean): { encoding: RowEncoding; bomBytes: number } {
  const eightBit = isUtf8 ? 'utf-8' : 'windows-1252'
  for (const [encoding, mark] of BYTE_ORDER_MARKS) {
    if (!mark.every((byte, at) => head[at] === byte)) continue
    // Some editors put a UTF-8 mark before Windows-1252.
    return { encoding: encoding === 'utf-8' ? eightBit : encoding, bomBytes: mark.length }
  }
  return { encoding: utf16ByNuls(head) ?? eightBit, bomBytes: 0 }
}

/** A header is mostly ASCII, so that every second byte is NUL in UTF-16. */
function utf16ByNuls(head: Buffer): RowEncoding | undefined {
  const sample = [...head.subarray(0, 256)]
  const nulsOf = (side: number) => sample.filter((byte, at) => byte === 0 && at % 2 === side).length
  const [even, odd] = [nulsOf(0), nulsOf(1)]
  const many = Math.max(1, sample.length * 0.3)
  if (odd >= many && even === 0) return 'utf-16le'
  return even >= many && odd === 0 ? 'utf-16be' : undefined
}

/** Returns the line of the first bad byte, unless bad bytes are so many that the file is Windows-1252. */
export async function strayByteLine({ path, blockBytes }: InputFile): Promise<number | undefined> {
  const decoder = new TextDecoder()
  let [line, first, good, bad] = [1, 0, 0, 0]
  for await (const block of blocksOf(path, blockBytes)) {
    for (const [found] of decoder.decode(block, { stream: true }).matchAll(/[\n\x80-\u{10ffff}]/gu)) {
      if (found === '\n') line += 1
      else if (found !== '\ufffd') good += 1
      else {
        first ||= line
        bad += 1
      }
    }
  }
  return 10 * good > bad ? first || line : undefined
}

/** Characters of Windows-1252 from 0x80 to 0x9F. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Some releases of Node.js decode Windows-1252 as Latin-1. */
function fromWindows1252(bytes: Buffer) {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (c) => WINDOWS[c.charCodeAt(0) - 0x80] ?? c)
}
