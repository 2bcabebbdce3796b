import type { MirrorDb } from './tables.ts'

/** Progress of copying, kept in one transaction with the copies. Times are in epoch milliseconds. */
export interface SyncState {
  /** Id of the sandbox's data that were copied; null for a live platform. */
  sandboxId: string | null
  /** A copy of everything that has not come to its end. */
  full: { position: number | null; startedMs: number; done: number; total: number | null } | null
  /** Everything that changed before then was copied, by the platform's clock; null: nothing was. */
  markMs: number | null
  /** How far the platform's clock was ahead of this machine's at the last answer; null: it told none. */
  clockAheadMs: number | null
  /** The end of the last sync, by this machine's clock. */
  syncedMs: number | null
  /** Same as `syncedMs`, for a full copy. */
  fullMs: number | null
  /** Returns that the platform counted at the last comparison, among those that are kept. */
  platformTotal: number | null
  /** Compared with the platform at the end of the last sync, and found to hold all of it. */
  isComplete: boolean
  /** The platform was seen to ignore the filter by change: each sync copies everything. */
  ignoresUpdates: boolean
  /** The platform was seen not to filter or sort by creation. */
  ignoresDates: boolean
}

export const NO_STATE: SyncState = {
  sandboxId: null,
  full: null,
  markMs: null,
  clockAheadMs: null,
  syncedMs: null,
  fullMs: null,
  platformTotal: null,
  isComplete: false,
  ignoresUpdates: false,
  ignoresDates: false,
}

export async function readState(db: MirrorDb): Promise<SyncState> {
  return { ...NO_STATE, ...((await readValue(db, 'sync_state', 'state')) as Partial<SyncState> | undefined) }
}

export function writeState(db: MirrorDb, state: SyncState): Promise<void> {
  return writeValue(db, 'sync_state', 'state', state)
}

export async function readValue(db: MirrorDb, table: 'sync_state' | 'meta', name: string): Promise<unknown> {
  const row = await db.selectFrom(table).select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? undefined : JSON.parse(row.value)
}

export async function writeValue(
  db: MirrorDb,
  table: 'sync_state' | 'meta',
  name: string,
  value: unknown,
): Promise<void> {
  const text = JSON.stringify(value)
  await db
    .insertInto(table)
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
    .execute()
}
