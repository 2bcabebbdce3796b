import { type FileHandle, open } from 'node:fs/promises'
import {
  decodeRecord,
  type JournalReader,
  type JournalRecord,
  journalBytes,
  MAX_LINE_BYTES,
  type RowFailure,
  recover,
} from './journal-record.ts'
import { Ledger, type RowStatus } from './ledger.ts'

export interface UnsuccessfulRow extends RowFailure {
  ordinal: number
  status: Exclude<RowStatus, 'succeeded'>
  attempts: number
}

const WINDOW_BYTES = 2 * MAX_LINE_BYTES
const NEWLINE = 0x0a

/**
 * Failed, unknown and skipped rows in the input's order. Memory holds the offset of each outcome in the journal, 8
 * bytes a row; the rest is read again.
 */
export class UnsuccessfulRows implements AsyncIterable<UnsuccessfulRow>, JournalReader {
  readonly #offsets: number[] = []
  readonly ledger = new Ledger()

  constructor(readonly path: string) {}

  static async of(path: string): Promise<UnsuccessfulRows> {
    const listed = new UnsuccessfulRows(path)
    await recover(journalBytes(path), path, 0, listed)
    return listed
  }

  see(record: JournalRecord, offset: number) {
    if (record.type !== 'outcome' || !record.failure) return
    this.#offsets[record.ordinal] = offset
  }

  get count(): number {
    const { failed, unknown, skipped } = this.ledger.counts()
    return failed + unknown + skipped
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UnsuccessfulRow> {
    if (this.count === 0) return
    const file = await open(this.path, 'r')
    const window = new JournalWindow(file)
    try {
      for (const [ordinal, offset] of this.#offsets.entries()) {
        const state = this.ledger.state(ordinal)
        const status = state === 'doubtful' ? 'failed' : state
        if (status !== 'failed' && status !== 'unknown' && status !== 'skipped') continue
        const record = decodeRecord(await window.lineAt(offset))
        if (record?.type !== 'outcome' || !record.failure) continue
        yield { ...record.failure, ordinal, status, attempts: record.attempts }
      }
    } finally {
      await file.close()
    }
  }
}

class JournalWindow {
  readonly #bytes = Buffer.allocUnsafe(WINDOW_BYTES)
  #start = 0
  #length = 0

  constructor(private readonly file: FileHandle) {}

  /** Returns the line, valid until the next read. */
  async lineAt(offset: number): Promise<Uint8Array> {
    let end = this.#endOf(offset)
    if (end === undefined) {
      this.#start = Math.max(0, offset - WINDOW_BYTES / 4)
      const { bytesRead } = await this.file.read(this.#bytes, 0, WINDOW_BYTES, this.#start)
      this.#length = bytesRead
      end = this.#endOf(offset)
    }
    return this.#bytes.subarray(offset - this.#start, end ?? this.#length)
  }

  #endOf(offset: number) {
    const from = offset - this.#start
    if (from < 0 || from >= this.#length) return undefined
    const at = this.#bytes.subarray(0, this.#length).indexOf(NEWLINE, from)
    return at === -1 ? undefined : at
  }
}
