import { applyBatch, Entered } from './apply.ts'
import type { CopyPolicy } from './policy.ts'
import { type PreparedBatch, prepareBatch } from './prepare.ts'
import { type Applied, type MirroredReturn, NOTHING_APPLIED } from './record.ts'
import { type SyncState, writeState } from './state.ts'
import type { MirrorDb } from './tables.ts'

/** Of a transaction: each writes the beginnings and ends of its pages anew, and begins another part of the text index. */
const MANY_RETURNS = 600

/** Stores batches one after another, some in a transaction, while the next ones are made ready. */
export class BatchWriter {
  /** Of all that is stored. */
  readonly applied: Applied = { ...NOTHING_APPLIED }
  readonly #entered = new Entered()
  #prepared: PreparedBatch = new Map()
  #state: SyncState | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(
    private readonly connection: { db: MirrorDb; close(): Promise<void> },
    private readonly policy: CopyPolicy,
  ) {}

  /**
   * Makes it ready; enough of it begins to be stored, with how far a sync has come, once what was before is stored.
   *
   * @throws what went wrong with what was before
   */
  async take(batch: Iterable<MirroredReturn>, state: SyncState): Promise<void> {
    await prepareBatch(this.connection.db, batch, this.policy, this.#prepared)
    this.#state = state
    if (this.#prepared.size >= MANY_RETURNS) await this.#store()
  }

  async #store(): Promise<void> {
    await this.#writing
    const [prepared, state] = [this.#prepared, this.#state]
    if (state === undefined) return
    this.#prepared = new Map()
    this.#state = undefined
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

  /** When all is stored. @throws what went wrong with the last of it */
  async close(): Promise<void> {
    try {
      await this.#store()
      await this.#writing
    } finally {
      await this.connection.close()
    }
  }
}
