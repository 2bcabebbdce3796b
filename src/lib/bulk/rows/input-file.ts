import { createHash } from 'node:crypto'
import { createWriteStream, type Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, errorCode, UNREADABLE } from '../../errors.ts'
import { decoded, detectEncoding, Utf8Check } from './encoding.ts'
import type { RowEncoding } from './row.ts'

const HEAD_BYTES = 65_536
const BLOCK_BYTES = 2 ** 20

/** Facts about a file from one pass over it. */
export interface InputFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  /** The first 64 KiB. */
  readonly head: Buffer
  readonly encoding: RowEncoding
  /** Bytes before the text: a byte-order mark, mostly. */
  readonly markBytes: number
  readonly chunkBytes: number
  /** SHA-256 of each MiB, for what is changed with its times restored. */
  readonly blocks: readonly string[]
  readonly stamp: string
}

export interface OpenOptions {
  /** How errors call the file. */
  name: string
  /** Bytes read at a time. */
  chunkBytes?: number | undefined
  layout?: RowLayout | undefined
}

/** Layout of a table that is more than a header and rows. */
export interface RowLayout {
  sheet?: string | undefined
  /** The header is the first row that has all of these; what stands above is no row. */
  columns: readonly string[]
  /** Whether a row below the header is one of the table; `cell` gives the text of a column. */
  isRow(cell: (column: string) => string): boolean
}

/**
 * Reads the whole file once: for its hash, and because only the last byte tells UTF-8 from Windows-1252.
 *
 * @throws AppError `usage` if it can't be read, or is not a file on the disk
 */
export async function scanFile(
  path: string,
  { name, chunkBytes = HEAD_BYTES }: OpenOptions,
): Promise<InputFile> {
  const stats = await reading(name, () => stat(path))
  if (!stats.isFile()) {
    throw new AppError('usage', `${name} is not a file on the disk.`, {
      hints: ['give a file, or pipe the rows into standard input (--file -)'],
    })
  }
  const hash = createHash('sha256')
  const utf8 = new Utf8Check()
  let head = Buffer.alloc(0)
  const blocks: string[] = []
  let bytes = 0
  await reading(name, async () => {
    for await (const block of blocksOf(path)) {
      hash.update(block)
      utf8.add(block)
      if (blocks.length === 0) head = Buffer.from(block.subarray(0, HEAD_BYTES))
      blocks.push(digestOf(block))
      bytes += block.length
    }
  })
  return {
    path,
    name,
    bytes,
    sha256: hash.digest('hex'),
    head,
    ...detectEncoding(head, utf8.isValid()),
    chunkBytes,
    blocks,
    stamp: stampOf(stats),
  }
}

/** The bytes after the mark. @throws AppError `usage` if the file is not the one that was scanned */
export async function* fileBytes(file: InputFile): AsyncGenerator<Buffer> {
  await assertUnchanged(file)
  let at = file.markBytes
  let number = 0
  for await (const block of blocksOf(file.path)) {
    // Before anybody gets it: its rows may be sent long before the file's end is read.
    if (digestOf(block) !== file.blocks[number]) throw wasChanged(file.name)
    number += 1
    for (; at < block.length; at += file.chunkBytes) {
      await assertUnchanged(file)
      yield block.subarray(at, at + file.chunkBytes)
    }
    at = 0
  }
  if (number !== file.blocks.length) throw wasChanged(file.name)
  await assertUnchanged(file)
}

/** The same as text. @throws AppError `usage` also if it is not the UTF-16 that it seemed to be */
export async function* fileText(file: InputFile): AsyncGenerator<string> {
  try {
    yield* decoded(fileBytes(file), file.encoding)
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause
    throw new AppError('usage', `${file.name} holds bytes that are not ${file.encoding.toUpperCase()}.`, {
      hints: ['save it again in UTF-8'],
      cause,
    })
  }
}

/** Compares size and times. @throws AppError `usage` if the file was written to since the scan */
export async function assertUnchanged({ path, name, stamp }: InputFile): Promise<void> {
  if (stampOf(await reading(name, () => stat(path))) !== stamp) throw wasChanged(name)
}

/** Compares every byte. @throws AppError `usage` if the file is not the one that was scanned */
export async function assertSameBytes(file: InputFile): Promise<void> {
  for await (const _ of fileBytes(file));
}

function wasChanged(name: string): AppError {
  return new AppError('usage', `${name} was changed while it was being read.`, {
    hints: ['run it again when nothing writes to the file any more'],
  })
}

/**
 * Puts standard input into a file that nobody else may read, so that it can be read again.
 *
 * @throws AppError `unavailable` if there is no room for it
 */
export async function spool(input: Readable, path: string): Promise<void> {
  try {
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (cause) {
    const code = errorCode(cause)
    // A file of that name is nobody's fault but ours.
    if (code === undefined || code === 'EEXIST') throw cause
    throw new AppError('unavailable', `The standard input can't be kept in ${path} (${code}).`, {
      hints: ['make room on that disk, or give a file', 'or keep such things elsewhere: RMA_DATA_DIR'],
      cause,
    })
  }
}

/** All of the same size but for the last. */
async function* blocksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    for (let length = BLOCK_BYTES; length === BLOCK_BYTES; ) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES)
      length = 0
      for (let bytesRead = -1; bytesRead !== 0 && length < BLOCK_BYTES; length += bytesRead) {
        bytesRead = (await file.read(block, length, BLOCK_BYTES - length)).bytesRead
      }
      if (length > 0) yield block.subarray(0, length)
    }
  } finally {
    await file.close()
  }
}

function digestOf(block: Buffer): string {
  return createHash('sha256').update(block).digest('base64')
}

/** The time of the last change of all (ctime) is one that nobody sets. */
function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${ino}:${size}:${mtimeMs}:${ctimeMs}`
}

async function reading<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const code = errorCode(cause)
    if (cause instanceof AppError || code === undefined) throw cause
    throw new AppError('usage', `${name} can't be read: ${UNREADABLE[code] ?? code}.`, { cause })
  }
}
