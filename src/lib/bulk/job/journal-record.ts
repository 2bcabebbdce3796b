import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { appError, causedBy, errorCode } from '../../errors.ts'
import type { NotApplied } from '../../wire/tracking/status-code.ts'
import { Ledger, type RowStatus } from './ledger.ts'

/*
 * A journal is lines of text: the CRC-32 of the rest in hexadecimal, a space, a letter, and its arguments. Lines have
 * no length prefix: records after a broken line can still be read, which tells damage from a torn end.
 *
 *   j 1                          the first line: a journal, of this version
 *   i 0 1 5                      rows about to be sent
 *   w 5                          rows that certainly were not sent, or had no effect
 *   s 0 1                        row 0 succeeded, in one attempt; also f (failed), u (unknown), k (skipped)
 *   d 0 1                        the same, but the platform had it already; t, if it had a later one
 *   f 1 4 {"row":3,"key":…}      with the row's number and key in the input, and what was wrong
 *   a 1 4 {"row":3,"key":…}      the same, but one of its requests may still take effect
 *   p f, p fu                    a new pass over the failed rows, or over the failed and the unknown
 */

export interface RowFailure {
  row: number
  key: string
  code: string
  message: string
}

export interface RowOutcome {
  status: RowStatus
  attempts: number
  notApplied?: NotApplied
  /** True if a request may still take effect. */
  isDoubtful?: boolean
  failure?: RowFailure
}

export function stateAfter({ status, notApplied, isDoubtful }: RowOutcome) {
  return notApplied ?? (isDoubtful && status === 'failed' ? 'doubtful' : status)
}

export type JournalRecord =
  | { type: 'header'; version: number }
  | { type: 'intent' | 'withdrawn'; ordinals: readonly number[] }
  | ({ type: 'outcome'; ordinal: number } & RowOutcome)
  | { type: 'pass'; unknown: boolean }

export const JOURNAL_VERSION = 1

export const MAX_LINE_BYTES = 64 * 1024
const MAX_TEXT = 2000

const LETTERS = {
  succeeded: 's',
  failed: 'f',
  unknown: 'u',
  skipped: 'k',
  duplicate: 'd',
  stale: 't',
  doubtful: 'a',
} as const
const OUTCOMES: Readonly<Record<string, Omit<RowOutcome, 'attempts'>>> = {
  s: { status: 'succeeded' },
  f: { status: 'failed' },
  u: { status: 'unknown' },
  k: { status: 'skipped' },
  d: { status: 'succeeded', notApplied: 'duplicate' },
  t: { status: 'succeeded', notApplied: 'stale' },
  a: { status: 'failed', isDoubtful: true },
}

export function encodeRecord(record: JournalRecord): string {
  const text = payload(record)
  return `${checksum(text)}${text}\n`
}

function checksum(payload: string | Uint8Array) {
  return `${crc32(payload).toString(16).padStart(8, '0')} `
}

function payload(record: JournalRecord) {
  switch (record.type) {
    case 'header':
      return `j ${record.version}`
    case 'intent':
      return `i ${record.ordinals.join(' ')}`
    case 'withdrawn':
      return `w ${record.ordinals.join(' ')}`
    case 'pass':
      return record.unknown ? 'p fu' : 'p f'
    case 'outcome': {
      const start = `${LETTERS[stateAfter(record)]} ${record.ordinal} ${record.attempts}`
      return record.failure ? `${start} ${failureText(record.failure)}` : start
    }
  }
}

function failureText({ row, key, code, message }: RowFailure) {
  const cut = (text: string) => text.slice(0, MAX_TEXT)
  // A surrogate pair may be cut in half, which JSON escapes.
  return JSON.stringify({ row, key: cut(key), code: cut(code), message: cut(message) })
}

/** Returns undefined for a broken record. */
export function decodeRecord(line: Uint8Array): JournalRecord | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString()
  if (text.slice(0, 9) !== checksum(line.subarray(9))) return undefined
  const letter = text.charAt(9)
  const rest = text.slice(11)
  const outcome = OUTCOMES[letter]
  if (outcome !== undefined) {
    const [, ordinal, attempts, failure] = /^(\d+) (\d+)(?: (.*))?$/s.exec(rest) ?? []
    return {
      type: 'outcome',
      ordinal: Number(ordinal),
      attempts: Number(attempts),
      ...outcome,
      failure: failure === undefined ? undefined : JSON.parse(failure),
    }
  }
  if (letter === 'i') return { type: 'intent', ordinals: rest.split(' ').map(Number) }
  if (letter === 'w') return { type: 'withdrawn', ordinals: rest.split(' ').map(Number) }
  if (letter === 'p') return { type: 'pass', unknown: rest === 'fu' }
  if (letter === 'j') return { type: 'header', version: Number(rest) }
  return undefined
}

const CHUNK_BYTES = 256 * 1024
const NEWLINE = 0x0a

export interface JournalReader {
  readonly ledger: Ledger
  see?(record: JournalRecord, byteOffset: number): void
}

/**
 * @param knownBytes length when the journal was last seen whole. @throws AppError `config` if whole records follow a
 * broken one (damage, not a torn end), or if the journal is cut, gone, or of a later version
 */
export async function recover(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  knownBytes = 0,
  reader: JournalReader = { ledger: new Ledger() },
) {
  const { ledger } = reader
  let validBytes = 0
  let isBroken = false
  for await (const batch of lines(chunks)) {
    for (const { line, end } of batch) {
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
  return { ledger, validBytes }
}

function replay(ledger: Ledger, record: JournalRecord) {
  switch (record.type) {
    case 'intent':
      for (const ordinal of record.ordinals) ledger.set(ordinal, 'sent')
      return
    case 'withdrawn':
      for (const ordinal of record.ordinals) ledger.set(ordinal, 'new')
      return
    case 'outcome':
      ledger.set(record.ordinal, stateAfter(record))
      return
    case 'pass':
      ledger.reopen({ unknown: record.unknown })
      return
    case 'header':
  }
}

interface Line {
  /** Absent if the line is too long or has no end. */
  line?: Uint8Array
  end: number
}

/** Yields lines in batches: a step of an asynchronous generator costs more than a line. */
async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
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

function checkVersion(version: number, name: string) {
  if (version === JOURNAL_VERSION) return
  throw appError(
    'config',
    `${name} was written by a later version of rma.`,
    'update rma, then resume the job',
  )
}

function damaged(name: string, offset: number) {
  return lost(
    `The journal ${name} is damaged at byte ${offset}`,
    'whole records follow the damage, so what was sent can no longer be told',
  )
}

function lost(what: string, why = 'what was sent can no longer be told') {
  return appError(
    'config',
    `${what}. Nothing was sent.`,
    `${why}: put the file back from a backup`,
    'or start a new job, with the rows that the service does not have yet',
  )
}

export async function* journalBytes(path: string): AsyncGenerator<Uint8Array> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'r')
  } catch (cause) {
    const code = errorCode(cause)
    if (code === 'ENOENT') throw lost(`The journal ${path} is gone`)
    throw causedBy(cause, 'config', `The journal ${path} can't be read (${code}).`)
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
