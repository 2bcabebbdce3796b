import { executionTimes, readBlock } from './column-blocks.ts'
import type { Meta, Queries } from './queries.ts'
import { refundsOf } from './return-cells.ts'
import { ReturnColumns } from './return-columns.ts'

/** Changes until they are merged into the stored columns: as many load in about 0.2 s. */
const MERGE_AFTER = 20_000

/** Columns of all returns in memory, kept up to date with the writes of all processes. */
export class ColumnCache {
  readonly #queries: Queries
  readonly #mergeAfter: number
  readonly #onChange: (no?: number) => void
  #columns: ReturnColumns | undefined
  #changed = 0

  /** `onChange` is told of each return that may have changed; without a number, of all. */
  constructor(queries: Queries, onChange: (no?: number) => void = () => {}, mergeAfter = MERGE_AFTER) {
    this.#queries = queries
    this.#onChange = onChange
    this.#mergeAfter = mergeAfter
  }

  /** The columns as of a transaction's `meta`, whose changes must be committed: none is taken back. */
  current({ merged, changed }: Meta): ReturnColumns {
    // Single changes that others have merged are gone.
    if (this.#columns === undefined || this.#changed < merged) {
      this.#columns = new ReturnColumns(
        this.#queries.blocks.all().map(([first, data]) => readBlock(first, data)),
      )
      this.#changed = merged
      this.#onChange()
    }
    if (this.#changed < changed) {
      const entries = this.#queries.changesSince
        .all(this.#changed)
        .map(([no, shop, status, created, updated, refunds]) => ({
          ...{ no, shop, status, created, updated },
          refunded: executionTimes(refundsOf(refunds)),
        }))
      for (const { no } of entries) this.#onChange(no)
      this.#columns.put(entries)
      this.#changed = changed
    }
    return this.#columns
  }

  /** Merges many changes into the stored columns, at the start of a writing transaction. */
  merge(meta: Meta): void {
    if (meta.changed - meta.merged < this.#mergeAfter) return
    const columns = this.current(meta)
    const blocks = new Map<number, Uint8Array>()
    for (const { no } of this.#queries.changedSince.each(meta.merged)) {
      const block = columns.blockOf(no)
      if (block !== undefined) blocks.set(block.first, block.data)
    }
    for (const [first, data] of blocks) this.#queries.saveBlock.all(first, data)
    // The last one stays: numbers go on from it.
    this.#queries.forgetChanges.all(meta.changed)
    this.#queries.setMerged.all(meta.changed)
  }
}
