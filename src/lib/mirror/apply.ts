import { CompiledQuery, SqliteAdapter } from 'kysely'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import type { Transportation } from '../wire/transportations.ts'
import { identifiersOf } from './identifiers.ts'
import { type CopyPolicy, emailsOf, leaveOut, readPolicy } from './policy.ts'
import type { Applied, MirroredReturn } from './record.ts'
import { buryReturns } from './remove.ts'
import {
  deliveredAt,
  eventRows,
  itemRows,
  keyOf,
  type RowOf,
  refundRows,
  returnRow,
  transportRows,
} from './rows.ts'
import type { MirrorDb, MirrorTables } from './tables.ts'

interface KnownReturn {
  id: string
  document: string
  version: number
  transports_version: number | null
  refunds_version: number | null
  delivered_at: string | null
}

/** Rows take several times the room of their records, so that few are made at once. */
const PART_SIZE = 100

/** To be called inside a transaction. */
export async function applyBatch(db: MirrorDb, batch: readonly MirroredReturn[]): Promise<Applied> {
  const policy = await readPolicy(db)
  const sum: Applied = { added: 0, changed: 0, same: 0, refused: 0 }
  for (let at = 0; at < batch.length; at += PART_SIZE) {
    const applied = await applyPart(db, batch.slice(at, at + PART_SIZE), policy)
    for (const key of ['added', 'changed', 'same', 'refused'] as const) sum[key] += applied[key]
  }
  return sum
}

async function applyPart(
  db: MirrorDb,
  batch: readonly MirroredReturn[],
  policy: CopyPolicy,
): Promise<Applied> {
  // Of a record that came twice, the later one counts.
  const wanted = new Map(batch.map((one) => [keyOf(one.record), one]))
  const known = await knownReturns(db, [...wanted.keys()])
  const applied: Applied = { added: 0, changed: 0, same: 0, refused: 0 }
  const rows = new Rows()
  const refused: Return[] = []
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
    rows.add(row, { ...one, record }, before, outcome === 'same')
  }
  await rows.write(db, known)
  await buryReturns(db, refused)
  return applied
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

  add(
    row: ReturnType<typeof returnRow>,
    { record, transportations, refunds, syncedAt }: MirroredReturn,
    before: KnownReturn | undefined,
    isSame: boolean,
  ): void {
    this.#syncedAt = syncedAt
    if (isSame && transportations === undefined && refunds === undefined) {
      this.#unchanged.push(row.id)
      return
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

/** Rows of one statement, largest first: few texts serve any number, and none takes too many parameters. */
const STATEMENT_SIZES = [64, 8, 1]

/**
 * With texts that are made once: the query builder takes several times as long for a statement of thousands of values
 * as the rows take to write.
 */
async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly RowOf<T>[],
): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const columns = Object.keys(rows[0] ?? {})
  for (let at = 0; at < rows.length; ) {
    const size = STATEMENT_SIZES.find((one) => one <= rows.length - at) ?? 1
    const values: unknown[] = []
    for (const row of rows.slice(at, at + size)) {
      for (const name of columns) values.push(Reflect.get(row, name))
    }
    await db.executeQuery(CompiledQuery.raw(insertText(table, columns, size, isSqlite), values))
    at += size
  }
}

const insertTexts = new Map<string, string>()

function insertText(table: string, columns: readonly string[], size: number, isSqlite: boolean): string {
  const key = `${table} ${size} ${isSqlite}`
  const known = insertTexts.get(key)
  if (known !== undefined) return known
  const row = (first: number) =>
    `(${columns.map((_name, column) => (isSqlite ? '?' : `$${first + column + 1}`)).join(',')})`
  const rows = Array.from({ length: size }, (_unused, index) => row(index * columns.length))
  // Several returns may have an identifier, but a return has it once.
  const text = `insert into ${table} (${columns.join(',')}) values ${rows.join(',')} on conflict do nothing`
  insertTexts.set(key, text)
  return text
}
