import { type Kysely, type Migration, Migrator, SqliteAdapter, sql } from 'kysely'
import { createItemsView } from './items.ts'
import { createLateIndexes } from './late-indexes.ts'
import { measureAll } from './measures.ts'
import { createTextIndex, renewWords } from './search/create.ts'
import { isPostgres } from './search/text-index.ts'
import type { MirrorDb } from './tables.ts'
import { UnknownMigration } from './unknown-migration.ts'

/** Each step once, in the order of its name; none changes once it was released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-returns': { up: createTables },
  '0002-search': { up: createTextIndex },
  // What it made, the next one makes anew.
  '0003-measures': { up: async () => {} },
  '0004-lines-and-words': { up: renewForSize },
  '0005-items-view': { up: createItemsView },
}

/**
 * Brings the tables up to date, after `whenStarted` if they are not; of several processes at once one does it.
 *
 * @throws UnknownMigration, or what the database says
 */
export async function migrate<T>(
  db: Kysely<T>,
  schema: string | undefined,
  whenStarted: () => void,
): Promise<void> {
  if (schema !== undefined) await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  const steps = Object.entries(MIGRATIONS).map(([name, { up }]): [string, Migration] => {
    const announced = (tables: Kysely<unknown>) => {
      whenStarted()
      return up(tables)
    }
    return [name, { up: announced }]
  })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    // Else another schema's would count as done here.
    ...(isPostgres(db) && { migrationTableSchema: await currentSchema(db) }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  if (error instanceof Error && /corrupted migrations/.test(error.message)) {
    throw new UnknownMigration(error.message, { cause: error })
  }
  throw error
}

async function currentSchema<T>(db: Kysely<T>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? 'public'
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  const decimal = sql`numeric`
  // Rows in the order of their keys, without a second index of them, as PostgreSQL can't.
  const byKey = db.getExecutor().adapter instanceof SqliteAdapter ? sql`without rowid` : sql``
  await db.schema
    .createTable('returns')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('shop_code', 'text')
    .addColumn('status', 'text')
    .addColumn('order_id', 'text')
    .addColumn('order_name', 'text')
    .addColumn('customer_name', 'text')
    .addColumn('customer_email', 'text')
    .addColumn('customer_phone', 'text')
    .addColumn('customer_city', 'text')
    .addColumn('customer_postal_code', 'text')
    .addColumn('customer_country', 'text')
    .addColumn('carrier', 'text')
    .addColumn('carrier_service', 'text')
    .addColumn('transport_status', 'text')
    .addColumn('tracking_code', 'text')
    .addColumn('currency', 'text')
    .addColumn('amount_requested', decimal)
    .addColumn('fee', decimal)
    .addColumn('amount_due', decimal)
    .addColumn('created_at', 'text')
    .addColumn('updated_at', 'text')
    .addColumn('cancelled_at', 'text')
    .addColumn('delivered_at', 'text')
    .addColumn('synced_at', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('sort_key', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('transports_version', 'integer')
    .addColumn('refunds_version', 'integer')
    .execute()
  await createPart(db, 'return_items')
    .addColumn('id', 'text')
    .addColumn('sku', 'text')
    .addColumn('barcode', 'text')
    .addColumn('product_name', 'text')
    .addColumn('variant_name', 'text')
    .addColumn('vendor', 'text')
    .addColumn('quantity', decimal)
    .addColumn('price', decimal)
    .addColumn('amount', decimal)
    .addColumn('currency', 'text')
    .addColumn('reason_code', 'text')
    .addColumn('reason', 'text')
    .addColumn('comment', 'text')
    .addColumn('refund_type', 'text')
    .addColumn('refund_mode', 'text')
    .addPrimaryKeyConstraint('return_items_key', ['return_id', 'position'] as never)
    .modifyEnd(byKey)
    .execute()
  await createPart(db, 'transports')
    .addColumn('id', 'text')
    .addColumn('status', 'text')
    .addColumn('carrier', 'text')
    .addColumn('carrier_service', 'text')
    .addColumn('tracking_code', 'text')
    .addColumn('tracking_url', 'text')
    .addColumn('client_reference', 'text')
    .addColumn('created_at', 'text')
    .addColumn('updated_at', 'text')
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('transports_key', ['return_id', 'position'] as never)
    .execute()
  await createPart(db, 'tracking_events')
    .addColumn('transport_position', 'integer', (column) => column.notNull())
    .addColumn('transport_id', 'text')
    .addColumn('status', 'text')
    .addColumn('description', 'text')
    .addColumn('happened_at', 'text')
    .addColumn('received_at', 'text')
    .addPrimaryKeyConstraint('tracking_events_key', ['return_id', 'transport_position', 'position'] as never)
    .modifyEnd(byKey)
    .execute()
  await createPart(db, 'refunds')
    .addColumn('id', 'text')
    .addColumn('type', 'text')
    .addColumn('mode', 'text')
    .addColumn('status', 'text')
    .addColumn('amount', decimal)
    .addColumn('fee', decimal)
    .addColumn('currency', 'text')
    .addColumn('base_amount', decimal)
    .addColumn('base_currency', 'text')
    .addColumn('created_at', 'text')
    .addColumn('executed_at', 'text')
    .addColumn('document', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('refunds_key', ['return_id', 'position'] as never)
    .execute()
  await db.schema
    .createTable('identifiers')
    .addColumn('return_id', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('identifiers_key', ['return_id', 'value'] as never)
    .modifyEnd(byKey)
    .execute()
  for (const name of ['sync_state', 'meta']) {
    await db.schema
      .createTable(name)
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
  }
  await db.schema
    .createTable('forgotten')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('sort_key', 'text', (column) => column.notNull())
    .execute()
  await createIndexes(db)
}

function createPart<T>(db: Kysely<T>, name: string) {
  return db.schema
    .createTable(name)
    .addColumn('return_id', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
}

/** SQLite's migrations are outside of a transaction, and begin anew where they were broken off. */
async function renewForSize(db: MirrorDb): Promise<void> {
  const renew = async (within: MirrorDb) => {
    await renewWords(within)
    await createMeasures(within)
  }
  await (isPostgres(db) ? renew(db) : db.transaction().execute(renew))
  await createLateIndexes(db)
}

async function createMeasures(db: MirrorDb): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const byKey = isSqlite ? sql`without rowid` : sql``
  for (const table of ['return_measures', 'stats_traits', 'scan_gaps']) {
    await db.schema.dropTable(table).ifExists().execute()
  }
  await db.schema
    .createTable('return_measures')
    .addColumn('created_block', 'integer', (column) => column.notNull())
    .addColumn('return_id', 'text', (column) => column.notNull().unique())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('shop_code', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text')
    .addColumn('updated_at', 'text')
    .addColumn('stats_line', 'text', (column) => column.notNull())
    .addColumn('stuck_from', 'text')
    .addColumn('differs', 'integer', (column) => column.notNull())
    .addColumn('has_refunds', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('return_measures_key', ['created_block', 'return_id'] as never)
    .modifyEnd(byKey)
    .execute()
  await db.schema
    .createTable('stats_traits')
    .addColumn('number', isSqlite ? 'integer' : 'serial', (column) => column.primaryKey())
    .addColumn('trait', 'text', (column) => column.notNull().unique())
    .execute()
  await createPart(db, 'scan_gaps')
    .addColumn('carrier', 'text', (column) => column.notNull())
    .addColumn('carrier_service', 'text', (column) => column.notNull())
    .addColumn('minutes', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_gaps_key', ['return_id', 'position'] as never)
    .modifyEnd(byKey)
    .execute()
  await sql`create index return_measures_stuck on return_measures (stuck_from) where stuck_from is not null`.execute(
    db,
  )
  await sql`create index return_measures_differing on return_measures (return_id) where differs = 1`.execute(
    db,
  )
  if (isSqlite) {
    // Groups come in order out of it.
    const gaps = db.schema.createIndex('scan_gaps_by_service').on('scan_gaps')
    await gaps.columns(['carrier', 'carrier_service', 'minutes']).execute()
  }
  await measureAll(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const indexes: readonly [table: string, name: string, columns: string[]][] = [
    ['returns', 'returns_by_creation', ['sort_key', 'id']],
    ['returns', 'returns_by_update', ['updated_at']],
    ['refunds', 'refunds_by_execution', ['executed_at', 'return_id']],
    ['forgotten', 'forgotten_by_creation', ['kind', 'sort_key']],
  ]
  for (const [table, name, columns] of indexes) {
    await db.schema.createIndex(name).on(table).columns(columns).execute()
  }
}
