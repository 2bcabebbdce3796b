import { readBlock } from './column-blocks.ts'
import type { Meta, Queries } from './queries.ts'
import { ReturnColumns } from './return-columns.ts'

/** Changes after which they are written into the stored columns: as many load in about 0.2 s. */
const MERGE_AFTER = 20_000

/** The columns of all returns in memory, kept up to date with what this and other processes write. */
export class ColumnCache {
  readonly #queries: Queries
  readonly #mergeAfter: number
  readonly #onChange: (no?: number) => void
  #columns: ReturnColumns | undefined
  /** The last change that they hold. */
  #changed = 0

  /** `onChange` is told of each return that has changed, or may have: of all of them, with no number. */
  constructor(queries: Queries, onChange: (no?: number) => void = () => {}, mergeAfter = MERGE_AFTER) {
    this.#queries = queries
    this.#onChange = onChange
    this.#mergeAfter = mergeAfter
  }

  /** The columns as of a transaction's `meta`, whose changes must be there to stay: none is ever taken back. */
  current({ merged, changed }: Meta): ReturnColumns {
    // Of what others have merged, the single changes are gone.
    if (this.#columns === undefined || this.#changed < merged) {
      this.#columns = new ReturnColumns(
        this.#queries.blocks.all().map(([first, data]) => readBlock(first, data)),
      )
      this.#changed = merged
      this.#onChange()
    }
    if (this.#changed < changed) {
      for (const [no, shop, status, created, updated, refunded] of this.#queries.changesSince.all(
        this.#changed,
      )) {
        this.#onChange(no)
        this.#columns.put({ no, shop, status, created, updated, refunded: JSON.parse(refunded) })
      }
      this.#changed = changed
    }
    return this.#columns
  }

  /** Writes the changes into the stored columns if there are many. For the start of a transaction that writes. */
  merge(meta: Meta): void {
    if (meta.changed - meta.merged < this.#mergeAfter) return
    const columns = this.current(meta)
    const blocks = new Map<number, Uint8Array>()
    for (const [no] of this.#queries.changesSince.all(meta.merged)) {
      const block = columns.blockOf(no)
      if (block !== undefined) blocks.set(block.first, block.data)
    }
    for (const [first, data] of blocks) this.#queries.saveBlock.all(first, data)
    // The last one stays, so that numbers go on from it.
    this.#queries.forgetChanges.all(meta.changed)
    this.#queries.setMerged.all(meta.changed)
  }
}
