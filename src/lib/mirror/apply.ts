import { setImmediate } from 'node:timers/promises'
import { keyOf } from '../walk/return-key.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import type { Transportation } from '../wire/transportations.ts'
import { identifiersOf } from './identifiers.ts'
import { insertRows } from './insert.ts'
import { type MeasuredReturn, measure, measureStored, unmeasure } from './measures.ts'
import { type CopyPolicy, emailsOf, leaveOut, readPolicy } from './policy.ts'
import type { Applied, MirroredReturn } from './record.ts'
import { buryReturns } from './remove.ts'
import { deliveredAt, eventRows, itemRows, type RowOf, refundRows, returnRow, transportRows } from './rows.ts'
import {
  type IndexedRow,
  indexReturns,
  type TextEntry,
  textEntry,
  unindexReturns,
} from './search/maintain.ts'
import type { MirrorDb } from './tables.ts'

interface KnownReturn {
  id: string
  document: string
  version: number
  transports_version: number | null
  refunds_version: number | null
  delivered_at: string | null
}

/** Rows take several times the room of their records, so that few are made at once; entries of the text index do not. */
const PART_SIZE = 50

/** To be called inside a transaction. */
export async function applyBatch(db: MirrorDb, batch: readonly MirroredReturn[]): Promise<Applied> {
  const policy = await readPolicy(db)
  const sum: Applied = { added: 0, changed: 0, same: 0, refused: 0 }
  // Of a record that came twice, the later one counts.
  const wanted = [...new Map(batch.map((one) => [keyOf(one.record), one]))]
  const entries: TextEntry[] = []
  for (let at = 0; at < wanted.length; at += PART_SIZE) {
    const { applied, news } = await applyPart(db, wanted.slice(at, at + PART_SIZE), policy)
    for (const key of ['added', 'changed', 'same', 'refused'] as const) sum[key] += applied[key]
    for (const one of news) entries.push(textEntry(one))
    // SQLite answers without a turn of the event loop: the request for the next page would wait for the whole batch.
    await setImmediate()
  }
  await indexReturns(db, entries)
  return sum
}

async function applyPart(
  db: MirrorDb,
  wanted: readonly (readonly [id: string, one: MirroredReturn])[],
  policy: CopyPolicy,
): Promise<{ applied: Applied; news: IndexedRow[] }> {
  const known = await knownReturns(
    db,
    wanted.map(([id]) => id),
  )
  const applied: Applied = { added: 0, changed: 0, same: 0, refused: 0 }
  const rows = new Rows()
  const refused: Return[] = []
  const news: IndexedRow[] = []
  const measured: MeasuredReturn[] = []
  const stored: string[] = []
  for (const [id, one] of wanted) {
    const before = known.get(id)
    const record = leaveOut(one.record, policy.choices)
    // A record without an id might be known by what is left out of it.
    const row = { ...returnRow(record), id }
    if (emailsOf(one.record).some(policy.isForgotten)) refused.push(one.record)
    if (refused.includes(one.record) || isTooOld(row.created_at, policy)) {
      applied.refused += 1
      continue
    }
    const outcome = before === undefined ? 'added' : before.document === row.document ? 'same' : 'changed'
    applied[outcome] += 1
    const isWritten = rows.add(row, { ...one, record }, before, outcome === 'same')
    if (outcome !== 'same') news.push({ ...row, record })
    if (!isWritten) continue
    if (keepsParts(one, before)) stored.push(id)
    else measured.push({ id, facts: { ...one, record } })
  }
  await unindexReturns(
    db,
    news.map(({ id }) => id).filter((id) => known.has(id)),
  )
  await rows.write(db, known)
  const isKnown = ({ id }: MeasuredReturn) => known.has(id)
  await unmeasure(
    db,
    measured.filter(isKnown).map(({ id }) => id),
  )
  await measure(db, measured)
  await measureStored(db, stored)
  await buryReturns(db, refused)
  return { applied, news }
}

/** Whether transports or refunds that were copied before stay. */
function keepsParts(one: MirroredReturn, before: KnownReturn | undefined): boolean {
  return (
    (one.transportations === undefined && (before?.transports_version ?? null) !== null) ||
    (one.refunds === undefined && (before?.refunds_version ?? null) !== null)
  )
}

function isTooOld(createdAt: string | null, { createdFrom }: CopyPolicy): boolean {
  return createdFrom !== undefined && createdAt !== null && createdAt < createdFrom
}

async function knownReturns(db: MirrorDb, ids: readonly string[]): Promise<Map<string, KnownReturn>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('returns')
    .select(['id', 'document', 'version', 'transports_version', 'refunds_version', 'delivered_at'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a batch leaves in each table, and what has to go before. */
class Rows {
  readonly #returns: RowOf<'returns'>[] = []
  readonly #unchanged: string[] = []
  readonly #items: RowOf<'return_items'>[] = []
  readonly #identifiers: RowOf<'identifiers'>[] = []
  readonly #transports: RowOf<'transports'>[] = []
  readonly #events: RowOf<'tracking_events'>[] = []
  readonly #refunds: RowOf<'refunds'>[] = []
  readonly #withTransports: string[] = []
  readonly #withRefunds: string[] = []
  #syncedAt = ''

  /** @returns whether anything but its time is to be written */
  add(
    row: ReturnType<typeof returnRow>,
    { record, transportations, refunds, syncedAt }: MirroredReturn,
    before: KnownReturn | undefined,
    isSame: boolean,
  ): boolean {
    this.#syncedAt = syncedAt
    if (isSame && transportations === undefined && refunds === undefined) {
      this.#unchanged.push(row.id)
      return false
    }
    const version = (before?.version ?? 0) + (isSame ? 0 : 1)
    const events = this.#addTransports(row.id, transportations)
    this.#addRefunds(row.id, refunds)
    this.#addRecord(row.id, record, transportations)
    this.#returns.push({
      ...row,
      delivered_at: transportations ? deliveredAt(events) : (before?.delivered_at ?? null),
      synced_at: syncedAt,
      version,
      transports_version: transportations ? version : (before?.transports_version ?? null),
      refunds_version: refunds ? version : (before?.refunds_version ?? null),
    })
    return true
  }

  #addRecord(id: string, record: Return, transportations: readonly Transportation[] | undefined): void {
    this.#items.push(...itemRows(record, id))
    const values = identifiersOf(record, transportations)
    this.#identifiers.push(...values.map((value) => ({ value, return_id: id })))
  }

  #addTransports(id: string, transports: readonly Transportation[] | undefined): RowOf<'tracking_events'>[] {
    if (transports === undefined) return []
    const events = eventRows(transports, id)
    this.#transports.push(...transportRows(transports, id))
    this.#events.push(...events)
    this.#withTransports.push(id)
    return events
  }

  #addRefunds(id: string, refunds: readonly Refund[] | undefined): void {
    if (refunds === undefined) return
    this.#refunds.push(...refundRows(refunds, id))
    this.#withRefunds.push(id)
  }

  async write(db: MirrorDb, known: ReadonlyMap<string, KnownReturn>): Promise<void> {
    if (this.#unchanged.length > 0) {
      await db
        .updateTable('returns')
        .set({ synced_at: this.#syncedAt })
        .where('id', 'in', this.#unchanged)
        .execute()
    }
    const old = (ids: readonly string[]) => ids.filter((id) => known.has(id))
    const replaced = old(this.#returns.map(({ id }) => id))
    await removeRows(db, ['return_items'], replaced)
    if (replaced.length > 0) await db.deleteFrom('returns').where('id', 'in', replaced).execute()
    // What was read off earlier transports stays until they are read again.
    await removeRows(db, ['transports', 'tracking_events', 'identifiers'], old(this.#withTransports))
    await removeRows(db, ['refunds'], old(this.#withRefunds))
    await insertRows(db, 'returns', this.#returns)
    await insertRows(db, 'return_items', this.#items)
    await insertRows(db, 'identifiers', this.#identifiers)
    await insertRows(db, 'transports', this.#transports)
    await insertRows(db, 'tracking_events', this.#events)
    await insertRows(db, 'refunds', this.#refunds)
  }
}

async function removeRows(
  db: MirrorDb,
  tables: readonly ('return_items' | 'identifiers' | 'transports' | 'tracking_events' | 'refunds')[],
  returnIds: readonly string[],
): Promise<void> {
  if (returnIds.length === 0) return
  for (const table of tables) await db.deleteFrom(table).where('return_id', 'in', returnIds).execute()
}
