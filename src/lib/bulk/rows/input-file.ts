import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, errorCode, UNREADABLE } from '../../errors.ts'
import { decoded, detectEncoding, Utf8Check } from './encoding.ts'
import type { RowEncoding } from './row.ts'

const HEAD_BYTES = 65_536

/** What one pass over a file told about it. */
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
  readonly stamp: string
}

export interface OpenOptions {
  /** How errors call the file. */
  name: string
  /** Bytes read at a time. */
  chunkBytes?: number | undefined
  layout?: RowLayout | undefined
}

/** Of a table that is more than a header and rows. */
export interface RowLayout {
  /** Of a workbook. */
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
  const head: Buffer[] = []
  let bytes = 0
  await reading(name, async () => {
    for await (const chunk of chunksOf(path, 0, Math.max(chunkBytes, HEAD_BYTES))) {
      hash.update(chunk)
      utf8.add(chunk)
      if (bytes < HEAD_BYTES) head.push(chunk)
      bytes += chunk.length
    }
  })
  const start = Buffer.concat(head).subarray(0, HEAD_BYTES)
  return {
    path,
    name,
    bytes,
    sha256: hash.digest('hex'),
    head: start,
    ...detectEncoding(start, utf8.isValid()),
    chunkBytes,
    stamp: stampOf(stats),
  }
}

/** The bytes after the mark. @throws AppError `usage` if the file is not the one that was scanned */
export async function* fileBytes(file: InputFile): AsyncGenerator<Buffer> {
  await assertUnchanged(file)
  for await (const chunk of chunksOf(file.path, file.markBytes, file.chunkBytes)) {
    // Before anybody gets it: its rows may be sent long before the file's end is read.
    await assertUnchanged(file)
    yield chunk
  }
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

/** @throws AppError `usage` if the file was written to since the scan */
export async function assertUnchanged({ path, name, stamp }: InputFile): Promise<void> {
  if (stampOf(await reading(name, () => stat(path))) === stamp) return
  throw new AppError('usage', `${name} was changed while it was being read.`, {
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

async function* chunksOf(path: string, start: number, size: number): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { start, highWaterMark: size })) yield chunk
}

function stampOf({ size, mtimeMs, ino }: Stats): string {
  return `${ino}:${size}:${mtimeMs}`
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
