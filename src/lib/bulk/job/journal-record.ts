import { crc32 } from 'node:zlib'
import type { NotApplied } from '../../wire/tracking/status-code.ts'
import type { RowStatus } from './ledger.ts'

/*
 * A journal is lines of text: the CRC-32 of the rest in hexadecimal, a space, a letter, and what it is about. A line
 * needs no length before it, so that whatever follows a broken one can still be read, and told from a torn end.
 *
 *   j 1                          the first line: a journal, of this version
 *   i 0 1 5                      rows about to be sent
 *   w 5                          rows that certainly were not sent, or had no effect
 *   s 0 1                        row 0 succeeded, in one attempt; also f (failed), u (unknown), k (skipped)
 *   d 0 1                        the same, but the platform had it already; t, if it had something later
 *   f 1 4 {"row":3,"key":…}      with the row's number and key in the input, and what was wrong
 *   p f, p fu                    a new pass over the failed rows, or over the failed and the unknown
 */

/** Why a row did not succeed; `row` and `key` as in the input. */
export interface RowFailure {
  row: number
  key: string
  code: string
  message: string
}

export type JournalRecord =
  | { type: 'header'; version: number }
  | { type: 'intent' | 'withdrawn'; ordinals: readonly number[] }
  | {
      type: 'outcome'
      ordinal: number
      status: RowStatus
      attempts: number
      notApplied?: NotApplied | undefined
      failure?: RowFailure | undefined
    }
  | { type: 'pass'; unknown: boolean }

export const JOURNAL_VERSION = 1

/** A line longer than this is none of ours. */
export const MAX_LINE_BYTES = 64 * 1024
/** An outcome's message is cut here; it is told to a person, who has the service's log for the rest. */
const MAX_TEXT = 2000

const LETTERS = {
  succeeded: 's',
  failed: 'f',
  unknown: 'u',
  skipped: 'k',
  duplicate: 'd',
  stale: 't',
} as const
interface OutcomeEnd {
  status: RowStatus
  notApplied?: NotApplied
}

const ENDS: Readonly<Record<string, OutcomeEnd>> = {
  s: { status: 'succeeded' },
  f: { status: 'failed' },
  u: { status: 'unknown' },
  k: { status: 'skipped' },
  d: { status: 'succeeded', notApplied: 'duplicate' },
  t: { status: 'succeeded', notApplied: 'stale' },
}

export function encodeRecord(record: JournalRecord): string {
  const text = payload(record)
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`
}

function payload(record: JournalRecord): string {
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
      const start = `${LETTERS[record.notApplied ?? record.status]} ${record.ordinal} ${record.attempts}`
      return record.failure ? `${start} ${failureText(record.failure)}` : start
    }
  }
}

function failureText({ row, key, code, message }: RowFailure): string {
  const cut = (text: string) => text.slice(0, MAX_TEXT)
  // A key is the input's own, and as long as that was; half of a surrogate pair is escaped by JSON.
  return JSON.stringify({ row, key: cut(key), code: cut(code), message: cut(message) })
}

/** Reads a line without its end; undefined if it is not a whole record. */
export function decodeRecord(line: Uint8Array): JournalRecord | undefined {
  if (line.length < 11 || line[8] !== 0x20 || sumOf(line) !== crc32(line.subarray(9))) return undefined
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('utf8', 9)
  const letter = text.charAt(0)
  const rest = text.slice(2)
  const end = ENDS[letter]
  if (end !== undefined) return decodeOutcome(rest, end)
  if (letter === 'i') return { type: 'intent', ordinals: rest.split(' ').map(Number) }
  if (letter === 'w') return { type: 'withdrawn', ordinals: rest.split(' ').map(Number) }
  if (letter === 'p') return { type: 'pass', unknown: rest === 'fu' }
  if (letter === 'j') return { type: 'header', version: Number(rest) }
  return undefined
}

/** The eight digits that a line begins with; NaN if they are none. */
function sumOf(line: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < 8; at += 1) {
    const code = line[at] ?? 0
    const isDigit = code >= 0x30 && code <= 0x39
    if (!isDigit && (code < 0x61 || code > 0x66)) return Number.NaN
    sum = sum * 16 + code - (isDigit ? 0x30 : 0x57)
  }
  return sum
}

/** Written out, not spread: that took longer than all the rest. */
function decodeOutcome(rest: string, { status, notApplied }: OutcomeEnd): JournalRecord {
  const first = rest.indexOf(' ')
  const second = rest.indexOf(' ', first + 1)
  const ordinal = Number(rest.slice(0, first))
  if (second === -1) {
    return { type: 'outcome', ordinal, status, attempts: Number(rest.slice(first + 1)), notApplied }
  }
  const attempts = Number(rest.slice(first + 1, second))
  const failure = decodeFailure(rest.slice(second + 1))
  return { type: 'outcome', ordinal, status, attempts, notApplied, failure }
}

function decodeFailure(text: string): RowFailure | undefined {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return undefined
  if (!('row' in value && 'key' in value && 'code' in value && 'message' in value)) return undefined
  const { row, key, code, message } = value
  return { row: Number(row), key: String(key), code: String(code), message: String(message) }
}
