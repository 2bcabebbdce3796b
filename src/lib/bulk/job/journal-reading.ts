import { open } from 'node:fs/promises'
import { AppError, errorCode } from '../../errors.ts'
import {
  decodeRecord,
  JOURNAL_VERSION,
  type JournalRecord,
  MAX_LINE_BYTES,
  type RowFailure,
} from './journal-record.ts'
import { Ledger, type RowStatus } from './ledger.ts'

const CHUNK_BYTES = 256 * 1024
const NEWLINE = 0x0a

export interface Recovery {
  ledger: Ledger
  /** Up to the end of the last whole record; what follows was being written when the process ended. */
  validBytes: number
  tornBytes: number
}

/**
 * What a journal says, read once from front to back.
 *
 * @param knownBytes how long it was when it was last seen whole; its beginning is written before the job is there
 * @throws AppError `config` if whole records follow a broken one (no torn end, then, but damage), if it is shorter than
 * known or gone, or if a later version of the program wrote it
 */
export async function recover(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  knownBytes = 0,
): Promise<Recovery> {
  const ledger = new Ledger()
  let validBytes = 0
  let totalBytes = 0
  let isBroken = false
  for await (const { line, end } of lines(chunks)) {
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
    validBytes = end
  }
  if (validBytes === 0 || validBytes < knownBytes) throw lost(`The journal ${name} was cut`)
  return { ledger, validBytes, tornBytes: totalBytes - validBytes }
}

function replay(ledger: Ledger, record: JournalRecord): void {
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

/** Lines and where each ends; without `line` what can be no record: longer than any, or not ended by a newline. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ line?: Uint8Array; end: number }> {
  let rest: Uint8Array = new Uint8Array(0)
  let end = 0
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      end += at + 1 - from
      yield { line: bytes.subarray(from, at), end }
      from = at + 1
    }
    rest = Buffer.from(bytes.subarray(from))
    if (rest.length > MAX_LINE_BYTES) {
      end += rest.length
      yield { end }
      rest = new Uint8Array(0)
    }
  }
  if (rest.length > 0) yield { end: end + rest.length }
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

/** What it said of rows that were sent, nobody knows any more. */
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

/** A row that ended otherwise than by success, as the journal tells it. */
export interface ListedRow extends RowFailure {
  ordinal: number
  status: Exclude<RowStatus, 'succeeded'>
  attempts: number
}

/**
 * The rows of a job that are failed, unknown or skipped as things stand, in the input's order. Memory grows with their
 * number. A torn end is passed over; damage is found by `recover`.
 */
export async function listRows(path: string): Promise<ListedRow[]> {
  const listed = new Map<number, ListedRow>()
  for await (const { line } of lines(journalBytes(path))) {
    const record = line && decodeRecord(line)
    if (record) relist(listed, record)
  }
  return [...listed.values()].sort((one, other) => one.ordinal - other.ordinal)
}

function relist(listed: Map<number, ListedRow>, record: JournalRecord): void {
  if (record.type === 'pass') {
    for (const [ordinal, { status }] of listed) {
      if (status === 'failed' || (status === 'unknown' && record.unknown)) listed.delete(ordinal)
    }
  } else if (record.type === 'outcome') {
    const { ordinal, status, attempts, failure } = record
    if (status === 'succeeded' || !failure) listed.delete(ordinal)
    else listed.set(ordinal, { ...failure, ordinal, status, attempts })
  }
}
