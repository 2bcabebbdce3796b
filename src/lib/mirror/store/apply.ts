import { stringifyJson } from '../../wire/json.ts'
import { returnKey } from '../../wire/plain.ts'
import type { Return } from '../../wire/returns.ts'
import { clearIndex, indexReturns, unindexReturns } from '../search/text-index.ts'
import { factColumns } from '../stats/facts.ts'
import { tombstoneReturns } from './forget.ts'
import { type Applied, type MirroredReturn, readByIds } from './read.ts'
import { deliveredAt, PART_ROWS, returnRow } from './rows.ts'
import { leaveOut, readPolicy, type SyncState, writeState } from './state.ts'
import { insertRows, type MirrorDb, PARTS, type RowOf } from './tables.ts'

interface Accepted extends MirroredReturn {
  row: RowOf<'returns'>
}

interface Change extends Accepted {
  before: Awaited<ReturnType<typeof storedRows>>[number] | undefined
  isSame: boolean
}

/**
 * Stores records and the progress of a sync in one transaction. An unchanged record without transports and
 * refunds keeps those copied earlier.
 */
export async function applyReturns(
  mirror: MirrorDb,
  batch: Iterable<MirroredReturn>,
  state?: SyncState,
): Promise<Applied> {
  const policy = await readPolicy(mirror)
  // The later copy of a record counts.
  const byKey = new Map([...batch].map((one) => [returnKey(one.record), one]))
  const accepted: Accepted[] = []
  const forgotten = new Map<string, Return>()
  for (const [id, sent] of byKey) {
    const record = leaveOut(sent.record, policy.choices)
    const row = returnRow(record)
    // The key of a record without an id may come from fields that are left out.
    Object.assign(row, { id, document: stringifyJson(record), synced_at: sent.syncedAt })
    if (policy.isForgotten(sent.record)) forgotten.set(id, sent.record)
    else if (!policy.isTooOld(row.created_at)) accepted.push({ ...sent, record, row })
  }
  return mirror.transaction().execute(async (db) => {
    const applied = await applyAll(db, accepted)
    await tombstoneReturns(db, forgotten)
    if (state !== undefined) await writeState(db, state)
    return { ...applied, refused: byKey.size - accepted.length }
  })
}

async function applyAll(db: MirrorDb, accepted: readonly Accepted[]) {
  const applied = { added: 0, changed: 0, same: 0 }
  const stored = new Map((await storedRows(db, idsOf(accepted))).map((row) => [row.id, row]))
  const unchanged: Accepted[] = []
  const changes: Change[] = []
  for (const one of accepted) {
    const before = stored.get(one.row.id)
    const isSame = before?.document === one.row.document
    applied[before === undefined ? 'added' : isSame ? 'same' : 'changed'] += 1
    if (isSame && !one.transportations && !one.refunds) unchanged.push(one)
    else changes.push({ ...one, before, isSame })
  }
  const [first] = unchanged
  if (first !== undefined) {
    const touched = db.updateTable('returns').set({ synced_at: first.row.synced_at })
    await touched.where('id', 'in', idsOf(unchanged)).execute()
  }
  const newOrChanged = changes.filter(({ isSame }) => !isSame)
  await unindexReturns(db, idsOf(newOrChanged.filter(({ before }) => before)))
  await completeRows(db, changes)
  await replaceRows(db, changes)
  await indexReturns(db, newOrChanged)
  return applied
}

function idsOf(accepted: readonly Accepted[]) {
  return accepted.map(({ row }) => row.id)
}

async function storedRows(db: MirrorDb, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db.selectFrom('returns').select(['id', 'document', 'delivered_at']).where('id', 'in', ids).execute()
}

async function completeRows(db: MirrorDb, changes: readonly Change[]) {
  // Transports and refunds copied before a change don't show what is due now.
  const same = changes.filter(({ isSame }) => isSame)
  const copies = await readByIds(db, idsOf(same))
  const former = new Map(same.map((change, index) => [change, copies[index]]))
  for (const change of changes) {
    const { row, record, before } = change
    const transportations = change.transportations ?? former.get(change)?.transportations
    const refunds = change.refunds ?? former.get(change)?.refunds
    Object.assign(row, factColumns({ record, transportations, refunds }), {
      delivered_at: change.transportations ? deliveredAt(change.transportations) : before?.delivered_at,
      has_transports: transportations && 1,
      has_refunds: refunds && 1,
    })
  }
}

async function replaceRows(db: MirrorDb, changes: readonly Change[]) {
  const old = changes.filter(({ before }) => before)
  const remove = async (tables: readonly (typeof PARTS)[number][], replaced: readonly Change[]) => {
    if (replaced.length === 0) return
    for (const table of tables) await db.deleteFrom(table).where('return_id', 'in', idsOf(replaced)).execute()
  }
  await remove(['return_items'], old)
  if (old.length > 0) await db.deleteFrom('returns').where('id', 'in', idsOf(old)).execute()
  // Rows of earlier transports stay until the transports are read again.
  await remove(
    ['transports', 'tracking_events', 'identifiers'],
    old.filter(({ transportations }) => transportations),
  )
  await remove(
    ['refunds'],
    old.filter(({ refunds }) => refunds),
  )
  await insertRows(
    db,
    'returns',
    changes.map(({ row }) => row),
  )
  const insert = <T extends (typeof PARTS)[number]>(table: T) =>
    insertRows<T>(
      db,
      table,
      changes.flatMap((change) => PART_ROWS[table](change, change.row.id)),
    )
  for (const table of PARTS) await insert(table)
}

/** Removes all copies and the sync progress. Keeps choices and forgotten people. */
export function clearMirror(mirror: MirrorDb) {
  return mirror.transaction().execute(async (db) => {
    for (const table of ['returns', ...PARTS, 'sync_state'] as const) await db.deleteFrom(table).execute()
    await clearIndex(db)
  })
}
