import { sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { END_MARK } from '../search/terms.ts'
import { dialectOf, lateIndexStatements } from './dialect.ts'
import { NewerSchema } from './failure.ts'
import { readValue, writeValue } from './state.ts'
import { LOCK_CLASS, type MirrorDb } from './tables.ts'

/** Version of the tables. Tables of another version are never converted: a mirror is a copy, and is made anew. */
const SCHEMA_VERSION = 1
/** Tables that outlive a new version: whose returns they are, what is copied, and who was forgotten. */
const KEPT_TABLES = ['meta', 'forgotten']
const OWN_TABLES = [
  ...['returns', 'return_items', 'transports', 'tracking_events', 'refunds', 'identifiers', 'search_entries'],
  ...['search_words', 'sync_state', ...KEPT_TABLES],
  // Tables of earlier versions.
  ...['return_measures', 'stats_traits', 'scan_gaps', 'kysely_migration', 'kysely_migration_lock'],
]

/**
 * Makes the tables where there are none of this version. A file of an earlier version is emptied, after `whenRenewed`.
 *
 * @throws NewerSchema, AppError `config` for a database of an earlier version, or what the database says
 */
export async function prepareSchema(
  db: MirrorDb,
  schema: string | undefined,
  whenRenewed: () => Promise<void>,
): Promise<void> {
  if (schema !== undefined) await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  if ((await versionOf(db)) === SCHEMA_VERSION) return
  const { isServer } = dialectOf(db)
  await db.transaction().execute(async (within) => {
    if (isServer) await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_CLASS)}, 0)`.execute(within)
    // Another process may have made the tables meanwhile.
    const version = await versionOf(within)
    if (version === SCHEMA_VERSION) return
    if (version !== undefined) {
      if (version > SCHEMA_VERSION) throw new NewerSchema('a newer version of rma made it')
      if (isServer) throw earlierDatabase()
      await whenRenewed()
      await emptyFile(within)
    }
    const statements = [...createStatements(isServer), ...lateIndexStatements(within)]
    for (const text of statements) await sql.raw(text).execute(within)
    await writeValue(within, 'meta', 'schema', SCHEMA_VERSION)
  })
}

function earlierDatabase(): AppError {
  return new AppError('config', 'The mirror in this database was made by an earlier version of rma.', {
    hints: [
      'leave it as it is, and copy into another schema: ?schema=NAME',
      'remove it, when nobody uses the earlier version any more: rma mirror forget --all',
    ],
  })
}

/** Version of the tables; 0 from before versions were noted; undefined without tables. */
async function versionOf(db: MirrorDb): Promise<number | undefined> {
  const { isServer } = dialectOf(db)
  const { rows } = await (isServer
    ? // to_regclass would answer from a cache that misses tables of a transaction just committed.
      sql`select 1 from information_schema.tables where table_schema = current_schema() and table_name = 'returns'`
    : sql`select 1 from sqlite_schema where name = 'returns'`
  ).execute(db)
  return rows.length === 0 ? undefined : Number((await readValue(db, 'meta', 'schema')) ?? 0)
}

async function emptyFile(db: MirrorDb): Promise<void> {
  // Views go first, since they read tables; tables of the text index go with it.
  const { rows } = await sql<{ name: string; type: string }>`select name, type from sqlite_schema
    where type in ('view', 'table') and name not like 'sqlite%' and name not like 'search_index_%'
    order by type desc`.execute(db)
  for (const { name, type } of rows) {
    if (!KEPT_TABLES.includes(name)) await sql`drop ${sql.raw(type)} ${sql.id(name)}`.execute(db)
  }
}

/** Drops the tables of a mirror in PostgreSQL, of whatever version. @returns how many returns they held */
export async function dropMirrorTables(db: MirrorDb): Promise<number> {
  if ((await versionOf(db)) === undefined) return 0
  const { rows } = await sql<{ returns: string }>`select count(*) as returns from returns`.execute(db)
  await sql.raw(`drop table if exists ${OWN_TABLES.join(',')}`).execute(db)
  return Number(rows[0]?.returns)
}

function createStatements(isServer: boolean): string[] {
  const texts = (names: string) => names.replace(/\w+/g, '$& text,')
  const amounts = (names: string) => names.replace(/\w+/g, '$& numeric,')
  // SQLite then keeps rows in the order of their keys, without a second index of them.
  const byKey = isServer ? '' : 'without rowid'
  const part = 'return_id text not null, position integer not null,'
  const tables = [
    `returns (id text primary key, ${texts(
      'name shop_code status order_id order_name customer_name customer_email customer_phone customer_city ' +
        'customer_postal_code customer_country carrier carrier_service transport_status tracking_code currency',
    )} ${amounts('amount_requested fee amount_due')} ${texts('created_at updated_at cancelled_at delivered_at')}
      synced_at text not null, document text not null, sort_key text not null, version integer not null,
      transports_version integer, refunds_version integer, ${texts(
        'last_carrier last_method reasons refund_minutes arrival_minutes stuck_from',
      )} differs integer not null)`,
    `transports (${part} ${texts('id status carrier carrier_service tracking_code tracking_url client_reference')}
      ${texts('created_at updated_at gap_minutes')} document text not null, primary key (return_id, position))`,
    `tracking_events (${part} transport_position integer not null, ${texts(
      'transport_id status description happened_at received_at',
    )} primary key (return_id, transport_position, position)) ${byKey}`,
    `refunds (${part} ${texts('id type mode status')} ${amounts('amount fee')} currency text, base_amount numeric,
      ${texts('base_currency created_at executed_at')} document text not null, primary key (return_id, position))`,
    `identifiers (return_id text not null, value text not null, primary key (return_id, value)) ${byKey}`,
    `sync_state (name text primary key, value text not null)`,
    `search_words (word text primary key not null) ${byKey}`,
    `search_entries (key ${isServer ? 'bigint' : 'integer'} primary key, return_id text not null unique
      ${isServer ? ', terms tsvector' : ''})`,
  ]
  const kept = [
    'meta (name text primary key, value text not null)',
    'forgotten (digest text primary key, kind text not null, sort_key text not null)',
  ]
  return [
    ...tables.map((text) => `create table ${text}`),
    ...kept.map((text) => `create table if not exists ${text}`),
    'create index returns_by_update on returns (updated_at)',
    'create index returns_stuck on returns (stuck_from) where stuck_from is not null',
    'create index returns_differing on returns (sort_key) where differs = 1',
    'create index refunds_by_execution on refunds (executed_at, return_id)',
    'create index if not exists forgotten_by_creation on forgotten (kind, sort_key)',
    ...(isServer ? serverStatements(part, texts, amounts) : FILE_STATEMENTS),
  ]
}

function serverStatements(
  part: string,
  texts: (names: string) => string,
  amounts: (names: string) => string,
): string[] {
  return [
    'create index returns_by_creation on returns (sort_key desc, id)',
    `create table return_items (${part} ${texts('id sku barcode product_name variant_name vendor')}
      ${amounts('quantity price amount')} ${texts('currency reason_code reason comment refund_type refund_mode')}
      primary key (return_id, position))`,
  ]
}

/** SQL for the value of an item at a path, as `plainText` reads it. */
function itemText(path: string): string {
  return `case json_type(value, '$.${path}') when 'true' then 'true' when 'false' then 'false'
    else cast(value ->> '$.${path}' as text) end`
}

/** SQL for the value of an item at a path, as `plainDecimal` reads it. */
function itemDecimal(path: string): string {
  const value = `(value ->> '$.${path}')`
  return `case when json_type(value, '$.${path}') in ('integer', 'real') then ${value}
    when ${value} glob '*[0-9]' and ${value} not glob '*[^0-9.-]*' then cast(${value} as numeric) end`
}

const FILE_STATEMENTS = [
  // Statistics are read out of this index alone, since documents are a hundred times as large.
  `create index returns_by_creation on returns (sort_key desc, id, shop_code, status, updated_at, customer_country,
    last_carrier, last_method, reasons, refund_minutes, arrival_minutes, refunds_version)`,
  `create index transports_gaps on transports (carrier, carrier_service, gap_minutes, return_id)
    where gap_minutes is not null`,
  `create virtual table search_index using fts5(terms, content='', contentless_delete=1, detail=none,
    tokenize=${`'ascii tokenchars ''${END_MARK}'''`})`,
  // Items are read out of documents on demand: writing them takes a tenth of a first copy.
  `create view return_items as select r.id as return_id, i.key as position, ${[
    ...['id', 'sku', 'barcode'].map((name) => `${itemText(name)} as ${name}`),
    `${itemText('productName')} as product_name`,
    `${itemText('variantName')} as variant_name`,
    `${itemText('vendor')} as vendor`,
    ...['quantity', 'price'].map((name) => `${itemDecimal(name)} as ${name}`),
    `${itemDecimal('returnAmount')} as amount`,
    `${itemText('currency')} as currency`,
    `${itemText('returnReason.code')} as reason_code`,
    `${itemText('returnReason.reason')} as reason`,
    `${itemText('returnReason.additionalInfo')} as comment`,
    `${itemText('refundType')} as refund_type`,
    `${itemText('refundMode')} as refund_mode`,
  ].join(', ')} from returns r, json_each(r.document, '$.returnLineItems') i
    where json_type(r.document, '$.returnLineItems') = 'array'`,
]
