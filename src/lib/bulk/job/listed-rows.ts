import { type FileHandle, open } from 'node:fs/promises'
import { type JournalReader, journalBytes, lines, replay } from './journal-reading.ts'
import { decodeRecord, type JournalRecord, MAX_LINE_BYTES, type RowFailure } from './journal-record.ts'
import { Ledger, type RowStatus } from './ledger.ts'

/** A row that ended otherwise than by success, as the journal tells it. */
export interface ListedRow extends RowFailure {
  ordinal: number
  status: Exclude<RowStatus, 'succeeded'>
  attempts: number
}

/** Outcomes stand in the journal nearly in the input's order: one read brings those of many rows. */
const WINDOW_BYTES = 2 * MAX_LINE_BYTES
const NEWLINE = 0x0a

/**
 * The rows of a job that are failed, unknown or skipped as things stand, in the input's order. In memory is where in
 * the journal each one's outcome begins, at 8 bytes a row of the job; the rest is read again as it is gone through.
 */
export class ListedRows implements AsyncIterable<ListedRow>, JournalReader {
  #places = new Float64Array(4096)
  readonly ledger = new Ledger()

  /** Empty, to be read into. */
  constructor(readonly path: string) {}

  /** A torn end is passed over; damage is found by `recover`. */
  static async of(path: string): Promise<ListedRows> {
    const listed = new ListedRows(path)
    for await (const batch of lines(journalBytes(path))) {
      for (const { line, end } of batch) {
        const record = line && decodeRecord(line)
        if (!record) continue
        replay(listed.ledger, record)
        listed.see(record, end - 1 - line.length)
      }
    }
    return listed
  }

  see(record: JournalRecord, place: number): void {
    if (record.type === 'outcome' && record.failure) this.#put(record.ordinal, place)
  }

  get count(): number {
    const { failed, unknown, skipped } = this.ledger.counts()
    return failed + unknown + skipped
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ListedRow> {
    if (this.count === 0) return
    const file = await open(this.path, 'r')
    const window = new JournalWindow(file)
    try {
      for (const [ordinal, place] of this.#places.entries()) {
        const status = this.ledger.state(ordinal)
        if (status !== 'failed' && status !== 'unknown' && status !== 'skipped') continue
        const record = decodeRecord(await window.lineAt(place))
        if (record?.type !== 'outcome' || !record.failure) continue
        const { row, key, code, message } = record.failure
        yield { row, key, code, message, ordinal, status, attempts: record.attempts }
      }
    } finally {
      await file.close()
    }
  }

  #put(ordinal: number, place: number): void {
    if (ordinal >= this.#places.length) {
      const larger = new Float64Array(Math.max(ordinal + 1, 2 * this.#places.length))
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[ordinal] = place
  }
}

/** A part of a file, moved along. */
class JournalWindow {
  readonly #bytes = Buffer.allocUnsafe(WINDOW_BYTES)
  #start = 0
  #length = 0

  constructor(private readonly file: FileHandle) {}

  /** Returns the line without its newline, valid until the next read. */
  async lineAt(place: number): Promise<Uint8Array> {
    let end = this.#endOf(place)
    if (end === undefined) {
      // The next ones may stand somewhat before it.
      this.#start = Math.max(0, place - WINDOW_BYTES / 4)
      const { bytesRead } = await this.file.read(this.#bytes, 0, WINDOW_BYTES, this.#start)
      this.#length = bytesRead
      end = this.#endOf(place)
    }
    return this.#bytes.subarray(place - this.#start, end ?? this.#length)
  }

  #endOf(place: number): number | undefined {
    const from = place - this.#start
    if (from < 0 || from >= this.#length) return undefined
    const at = this.#bytes.subarray(0, this.#length).indexOf(NEWLINE, from)
    return at === -1 ? undefined : at
  }
}
