import { open } from 'node:fs/promises'
import { AppError, errorCode } from '../../errors.ts'
import { decodeRecord, JOURNAL_VERSION, type JournalRecord, MAX_LINE_BYTES } from './journal-record.ts'
import { Ledger } from './ledger.ts'

const CHUNK_BYTES = 256 * 1024
const NEWLINE = 0x0a

export interface Recovery {
  ledger: Ledger
  /** Up to the end of the last whole record; what follows was being written when the process ended. */
  validBytes: number
  tornBytes: number
}

/** Receiver of a journal's records. */
export interface JournalReader {
  readonly ledger: Ledger
  /** Called with each record after it is in the ledger, and with its offset in bytes. */
  see?(record: JournalRecord, place: number): void
}

/**
 * Reads a journal once, from front to back.
 *
 * @param knownBytes length when it was last seen whole; its beginning is written before the job exists
 * @throws AppError `config` if whole records follow a broken one (damage, no torn end), if it is shorter than known or
 * gone, or if a later version of the program wrote it
 */
export async function recover(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  knownBytes = 0,
  reader: JournalReader = { ledger: new Ledger() },
): Promise<Recovery> {
  const { ledger } = reader
  let validBytes = 0
  let totalBytes = 0
  let isBroken = false
  for await (const batch of lines(chunks)) {
    for (const { line, end } of batch) {
      totalBytes = end
      const record = line && decodeRecord(line)
      if (!record) {
        isBroken = true
        continue
      }
      if (isBroken) throw damaged(name, validBytes)
      if (record.type === 'header') checkVersion(record.version, name)
      else if (validBytes === 0) throw damaged(name, 0)
      replay(ledger, record)
      reader.see?.(record, validBytes)
      validBytes = end
    }
  }
  if (validBytes === 0 || validBytes < knownBytes) throw lost(`The journal ${name} was cut`)
  return { ledger, validBytes, tornBytes: totalBytes - validBytes }
}

export function replay(ledger: Ledger, record: JournalRecord): void {
  switch (record.type) {
    case 'intent':
      for (const ordinal of record.ordinals) ledger.set(ordinal, 'sent')
      return
    case 'withdrawn':
      for (const ordinal of record.ordinals) ledger.set(ordinal, 'new')
      return
    case 'outcome':
      ledger.set(record.ordinal, record.notApplied ?? record.status)
      return
    case 'pass':
      ledger.reopen({ unknown: record.unknown })
      return
    case 'header':
  }
}

interface Line {
  /** Line without its newline; undefined if it is too long or has no end. */
  line?: Uint8Array
  end: number
}

/** Yields lines by chunk, since a step of an asynchronous generator takes longer than a line. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest: Uint8Array = new Uint8Array(0)
  let end = 0
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const batch: Line[] = []
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      end += at + 1 - from
      batch.push({ line: bytes.subarray(from, at), end })
      from = at + 1
    }
    rest = Buffer.from(bytes.subarray(from))
    if (rest.length > MAX_LINE_BYTES) {
      end += rest.length
      batch.push({ end })
      rest = new Uint8Array(0)
    }
    yield batch
  }
  if (rest.length > 0) yield [{ end: end + rest.length }]
}

function checkVersion(version: number, name: string): void {
  if (version === JOURNAL_VERSION) return
  throw new AppError('config', `${name} was written by a later version of rma.`, {
    hints: ['update rma, then resume the job'],
  })
}

function damaged(name: string, offset: number): AppError {
  return new AppError('config', `The journal ${name} is damaged at byte ${offset}. Nothing was sent.`, {
    hints: [
      'whole records follow the damage, so what was sent can no longer be told: put the file back from a backup',
      'or start a new job, with the rows that the service does not have yet',
    ],
  })
}

/** Reports lost records: the outcome of their rows is unknown. */
function lost(what: string): AppError {
  return new AppError('config', `${what}. Nothing was sent.`, {
    hints: [
      'what was sent can no longer be told: put the file back from a backup',
      'or start a new job, with the rows that the service does not have yet',
    ],
  })
}

/** The bytes of a journal. @throws AppError `config` if there is no such file, or it can't be read */
export async function* journalBytes(path: string): AsyncGenerator<Uint8Array> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'r')
  } catch (cause) {
    const code = errorCode(cause)
    if (code === 'ENOENT') throw lost(`The journal ${path} is gone`)
    throw new AppError('config', `The journal ${path} can't be read (${code}).`, { cause })
  }
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
