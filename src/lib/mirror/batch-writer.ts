import { applyBatch, Entered } from './apply.ts'
import type { CopyPolicy } from './policy.ts'
import { type PreparedBatch, prepareBatch } from './prepare.ts'
import { type Applied, type MirroredReturn, NOTHING_APPLIED } from './record.ts'
import { type SyncState, writeState } from './state.ts'
import type { MirrorDb } from './tables.ts'

/** Stores batches one after another, each in a transaction, while the next one is made ready. */
export class BatchWriter {
  /** Of all that is stored. */
  readonly applied: Applied = { ...NOTHING_APPLIED }
  readonly #entered = new Entered()
  #writing: Promise<void> = Promise.resolve()

  constructor(
    private readonly connection: { db: MirrorDb; close(): Promise<void> },
    private readonly policy: CopyPolicy,
  ) {}

  /**
   * Begins to store it, with how far a sync has come, once the batch before is stored.
   *
   * @throws what went wrong with that one
   */
  async take(batch: Iterable<MirroredReturn>, state: SyncState): Promise<void> {
    const prepared = await prepareBatch(this.connection.db, batch, this.policy)
    await this.#writing
    this.#writing = this.#write(prepared, state)
    // Whoever waits for it is told.
    this.#writing.catch(() => {})
  }

  async #write(prepared: PreparedBatch, state: SyncState): Promise<void> {
    const applied = await this.connection.db.transaction().execute(async (db) => {
      const counts = await applyBatch(db, prepared, this.#entered)
      await writeState(db, state)
      return counts
    })
    for (const key of ['added', 'changed', 'same', 'refused'] as const) this.applied[key] += applied[key]
  }

  /** When all is stored. @throws what went wrong with the last batch */
  async close(): Promise<void> {
    try {
      await this.#writing
    } finally {
      await this.connection.close()
    }
  }
}
