import { amongValues, insertRows } from './insert.ts'
import { storesItems } from './items.ts'
import { measure, measureStored, unmeasure } from './measures.ts'
import type { PreparedBatch, PreparedReturn, Refused } from './prepare.ts'
import type { Applied } from './record.ts'
import { buryReturns } from './remove.ts'
import type { InsertableRow } from './rows.ts'
import { EnteredWords, indexReturns, unindexReturns } from './search/maintain.ts'
import type { KnownTraits } from './stats-lines.ts'
import type { MirrorDb } from './tables.ts'

interface KnownReturn {
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
  before: KnownReturn | undefined
  /** Only its transports or refunds are new. */
  isSame: boolean
}

/** What is in the mirror for certain, so that it is not looked for again. */
export class Entered {
  readonly words = new EnteredWords()
  readonly traits: KnownTraits = new Map()
}

/** To be called inside a transaction. */
export async function applyBatch(
  db: MirrorDb,
  batch: PreparedBatch,
  entered = new Entered(),
): Promise<Applied> {
  const returns: PreparedReturn[] = []
  const refused: Refused[] = []
  for (const one of batch.values()) {
    if ('buried' in one) refused.push(one)
    else returns.push(one)
  }
  const applied: Applied = { added: 0, changed: 0, same: 0, refused: refused.length }
  const known = await knownReturns(
    db,
    returns.map(({ id }) => id),
  )
  const unchanged: PreparedReturn[] = []
  const changes: Change[] = []
  for (const prepared of returns) {
    const before = known.get(prepared.id)
    const isSame = before !== undefined && before.document === textOf(prepared.row.document)
    applied[before === undefined ? 'added' : isSame ? 'same' : 'changed'] += 1
    const { transports, refunds } = prepared
    if (isSame && transports === undefined && refunds === undefined) unchanged.push(prepared)
    else changes.push({ prepared, before, isSame })
  }
  await touch(db, unchanged)
  const news = changes.filter(({ isSame }) => !isSame)
  await unindexReturns(db, idsOf(replacing(news)), entered.words)
  await replaceRows(db, changes)
  await measureChanges(db, changes, entered.traits)
  await indexReturns(
    db,
    news.map(({ prepared }) => prepared.entry),
    entered.words,
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

async function knownReturns(db: MirrorDb, ids: readonly string[]): Promise<Map<string, KnownReturn>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('returns')
    .select(['id', 'document', 'version', 'transports_version', 'refunds_version', 'delivered_at'])
    .where('id', 'in', amongValues(db, ids))
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
  if (storesItems(db)) await removeRows(db, ['return_items'], idsOf(old))
  if (old.length > 0) await db.deleteFrom('returns').where('id', 'in', idsOf(old)).execute()
  // What was read off earlier transports stays until they are read again.
  const [transports, refunds] = [
    old.filter(({ prepared }) => prepared.transports !== undefined),
    old.filter(({ prepared }) => prepared.refunds !== undefined),
  ]
  await removeRows(db, ['transports', 'tracking_events', 'identifiers'], idsOf(transports))
  await removeRows(db, ['refunds'], idsOf(refunds))
  const prepared = changes.map((change) => change.prepared)
  await insertRows(db, 'returns', changes.map(wholeRow))
  if (storesItems(db)) {
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

async function measureChanges(db: MirrorDb, changes: readonly Change[], known: KnownTraits): Promise<void> {
  const stored = changes.filter(({ prepared, before }) => keepsParts(prepared, before))
  const whole = changes.filter((change) => !stored.includes(change))
  await unmeasure(db, idsOf(replacing(whole)))
  await measure(
    db,
    whole.map((change) => change.prepared.measures),
    known,
  )
  await measureStored(db, idsOf(stored))
}

/** Whether transports or refunds that were copied before stay. */
function keepsParts({ transports, refunds }: PreparedReturn, before: KnownReturn | undefined): boolean {
  return (
    (transports === undefined && (before?.transports_version ?? null) !== null) ||
    (refunds === undefined && (before?.refunds_version ?? null) !== null)
  )
}
