import type { BulkRow } from './bulk-row.ts'

/** The rows of a job one by one, with their positions; a batch is fetched when the one before is used up. */
export class RowSource<T> {
  readonly #batches: AsyncIterator<readonly BulkRow<T>[]>
  #batch: readonly BulkRow<T>[] = []
  #at = 0
  #isFetching = false
  isOver = false
  count = 0

  constructor(rows: AsyncIterable<readonly BulkRow<T>[]>) {
    this.#batches = rows[Symbol.asyncIterator]()
  }

  /** The next row; undefined if there is none now: after the last one, or until `fetch` calls back. */
  next(): { ordinal: number; row: BulkRow<T> } | undefined {
    const row = this.#batch[this.#at]
    if (!row) return undefined
    this.#at += 1
    this.count += 1
    return { ordinal: this.count - 1, row }
  }

  fetch(then: () => void, failed: (error: unknown) => void): void {
    if (this.#isFetching || this.isOver) return
    this.#isFetching = true
    this.#batches.next().then(({ done, value }) => {
      this.#isFetching = false
      this.isOver = done === true
      this.#batch = done ? [] : value
      this.#at = 0
      then()
    }, failed)
  }

  async close(): Promise<void> {
    if (!this.isOver) await this.#batches.return?.()
  }
}
