import { parseJson } from '../../wire/json.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { EnteredWords, indexReturns, unindexReturns } from '../search/maintain.ts'
import { factColumns } from '../stats/facts.ts'
import { dialectOf, insertRows } from './dialect.ts'
import type { PreparedBatch, PreparedReturn, Refused } from './prepare.ts'
import { readByIds } from './read.ts'
import type { Applied } from './record.ts'
import { buryReturns } from './remove.ts'
import type { InsertableRow } from './rows.ts'
import type { MirrorDb } from './tables.ts'

interface StoredReturn {
  id: string
  document: string
  version: number
  transports_version: number | null
  refunds_version: number | null
  delivered_at: string | null
}

/** A return that is written, and what was there before. */
interface Change {
  prepared: PreparedReturn
  before: StoredReturn | undefined
  /** Only its transports or refunds are new. */
  isSame: boolean
}

/** To be called inside a transaction. */
export async function applyBatch(
  db: MirrorDb,
  batch: PreparedBatch,
  known = new EnteredWords(),
): Promise<Applied> {
  const returns: PreparedReturn[] = []
  const refused: Refused[] = []
  for (const one of batch.values()) {
    if ('buried' in one) refused.push(one)
    else returns.push(one)
  }
  const applied: Applied = { added: 0, changed: 0, same: 0, refused: refused.length }
  const stored = await storedReturns(
    db,
    returns.map(({ id }) => id),
  )
  const unchanged: PreparedReturn[] = []
  const changes: Change[] = []
  for (const prepared of returns) {
    const before = stored.get(prepared.id)
    const isSame = before !== undefined && before.document === textOf(prepared.row.document)
    applied[before === undefined ? 'added' : isSame ? 'same' : 'changed'] += 1
    const { transports, refunds } = prepared
    if (isSame && transports === undefined && refunds === undefined) unchanged.push(prepared)
    else changes.push({ prepared, before, isSame })
  }
  await touch(db, unchanged)
  const news = changes.filter(({ isSame }) => !isSame)
  await unindexReturns(db, idsOf(replacing(news)), known)
  await refreshFacts(db, changes)
  await replaceRows(db, changes)
  await indexReturns(
    db,
    news.map(({ prepared }) => prepared.entry),
    known,
  )
  await buryReturns(
    db,
    refused.map(({ buried }) => buried).filter((record) => record !== undefined),
  )
  return applied
}

function textOf(document: string | Uint8Array): string {
  return typeof document === 'string' ? document : Buffer.from(document).toString()
}

function replacing(changes: readonly Change[]): Change[] {
  return changes.filter(({ before }) => before !== undefined)
}

function idsOf(changes: readonly Change[]): string[] {
  return changes.map(({ prepared }) => prepared.id)
}

async function storedReturns(db: MirrorDb, ids: readonly string[]): Promise<Map<string, StoredReturn>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('returns')
    .select(['id', 'document', 'version', 'transports_version', 'refunds_version', 'delivered_at'])
    .where('id', 'in', dialectOf(db).among(ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function touch(db: MirrorDb, unchanged: readonly PreparedReturn[]): Promise<void> {
  const [first] = unchanged
  if (first === undefined) return
  await db
    .updateTable('returns')
    .set({ synced_at: first.row.synced_at })
    .where(
      'id',
      'in',
      unchanged.map(({ id }) => id),
    )
    .execute()
}

async function replaceRows(db: MirrorDb, changes: readonly Change[]): Promise<void> {
  const old = replacing(changes)
  const hasItems = dialectOf(db).isServer
  if (hasItems) await removeRows(db, ['return_items'], idsOf(old))
  if (old.length > 0) await db.deleteFrom('returns').where('id', 'in', idsOf(old)).execute()
  // Rows of earlier transports stay until the transports are read again.
  const [transports, refunds] = [
    old.filter(({ prepared }) => prepared.transports !== undefined),
    old.filter(({ prepared }) => prepared.refunds !== undefined),
  ]
  await removeRows(db, ['transports', 'tracking_events', 'identifiers'], idsOf(transports))
  await removeRows(db, ['refunds'], idsOf(refunds))
  const prepared = changes.map((change) => change.prepared)
  await insertRows(db, 'returns', changes.map(wholeRow))
  if (hasItems) {
    await insertRows(
      db,
      'return_items',
      prepared.flatMap(({ items = [] }) => items),
    )
  }
  await insertRows(
    db,
    'identifiers',
    prepared.flatMap(({ identifiers }) => identifiers),
  )
  await insertRows(
    db,
    'transports',
    prepared.flatMap((one) => one.transports?.rows ?? []),
  )
  await insertRows(
    db,
    'tracking_events',
    prepared.flatMap((one) => one.transports?.events ?? []),
  )
  await insertRows(
    db,
    'refunds',
    prepared.flatMap((one) => one.refunds ?? []),
  )
}

function wholeRow({ prepared, before, isSame }: Change): InsertableRow<'returns'> {
  const { row, transports, refunds } = prepared
  const version = (before?.version ?? 0) + (isSame ? 0 : 1)
  row.version = version
  row.delivered_at = transports ? transports.deliveredAt : (before?.delivered_at ?? null)
  row.transports_version = transports ? version : (before?.transports_version ?? null)
  row.refunds_version = refunds ? version : (before?.refunds_version ?? null)
  return row
}

async function removeRows(
  db: MirrorDb,
  tables: readonly ('return_items' | 'identifiers' | 'transports' | 'tracking_events' | 'refunds')[],
  returnIds: readonly string[],
): Promise<void> {
  if (returnIds.length === 0) return
  for (const table of tables) await db.deleteFrom(table).where('return_id', 'in', returnIds).execute()
}

/** Facts of returns whose transports or refunds were copied before and stay. */
async function refreshFacts(db: MirrorDb, changes: readonly Change[]): Promise<void> {
  const kept = changes.filter(({ prepared, before }) => keepsParts(prepared, before))
  const copies = await readByIds(db, idsOf(kept))
  for (const [index, { prepared }] of kept.entries()) {
    const { row, transports, refunds } = prepared
    const documents = (rows: readonly { document: string }[]) =>
      rows.map(({ document }) => parseJson(document))
    const facts = {
      record: parseJson(textOf(row.document)) as Return,
      transportations: transports
        ? (documents(transports.rows) as Transportation[])
        : copies[index]?.transportations,
      refunds: refunds ? (documents(refunds) as Refund[]) : copies[index]?.refunds,
    }
    Object.assign(row, factColumns(facts))
  }
}

/** Whether transports or refunds that were copied before stay. */
function keepsParts({ transports, refunds }: PreparedReturn, before: StoredReturn | undefined): boolean {
  return (
    (transports === undefined && (before?.transports_version ?? null) !== null) ||
    (refunds === undefined && (before?.refunds_version ?? null) !== null)
  )
}
