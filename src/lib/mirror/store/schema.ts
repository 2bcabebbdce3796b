import { sql } from 'kysely'
import { appError, usageError } from '../../errors.ts'
import { END_MARK } from '../search/terms.ts'
import COLUMNS from './columns.json'
import { OtherSchemaError } from './failure.ts'
import type { PostgresServer } from './postgres.ts'
import { readValue, writeValue } from './state.ts'
import { isServer, LOCK_CLASS, type MirrorDb, PARTS } from './tables.ts'

/** Version of the tables. Tables of another version are never converted: a mirror is a copy, and is made anew. */
const SCHEMA_VERSION = 3

/** Tables that every version of rma makes, and no other program makes together. */
const IDENTIFYING_TABLES = ['meta', 'sync_state', 'forgotten', 'search_entries']
export const TABLES = [...IDENTIFYING_TABLES, 'returns', ...PARTS, 'search_words']

/** Makes missing tables, or throws `absent`. @throws OtherSchemaError, AppError `usage` for tables of another application */
export async function prepareSchema(db: MirrorDb, { schema, absent }: Partial<PostgresServer>) {
  if (await isMade(db)) return
  if (absent) throw await refusalOr(absent, db, schema)
  // Users who may use a schema often may not create one.
  if (schema !== undefined) {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db)
    if (rows.length === 0) await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  }
  await db.transaction().execute(async (within) => {
    if (isServer(db)) await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_CLASS)}, 0)`.execute(within)
    // Another process may have made the tables meanwhile.
    if (await isMade(within)) return
    for (const text of createStatements(isServer(db))) await sql.raw(text).execute(within)
    await writeValue(within, 'schema', SCHEMA_VERSION)
  })
}

async function hasTables(db: MirrorDb) {
  const { rows } = await (isServer(db)
    ? // to_regclass would answer from a cache that misses tables of a transaction just committed.
      sql<{ name: string }>`select relname as name from pg_class
        join pg_namespace n on n.oid = relnamespace where nspname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_schema`
  ).execute(db)
  const names = new Set(rows.map(({ name }) => name))
  if (IDENTIFYING_TABLES.every((name) => names.has(name))) return true
  const taken = TABLES.find((name) => names.has(name))
  if (taken === undefined) return false
  throw usageError(
    `The database has a table ${taken} that rma did not make.`,
    'give the mirror a schema of its own: ?schema=NAME',
  )
}

async function isMade(db: MirrorDb) {
  if (!(await hasTables(db))) return false
  if ((await readValue(db, 'schema')) === SCHEMA_VERSION) return true
  throw new OtherSchemaError('another version of rma made it')
}

/** PostgreSQL shows nothing of a schema that a role may not use. */
async function refusalOr(absent: unknown, db: MirrorDb, schema = '') {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}
    and not has_schema_privilege(oid, 'usage')`.execute(db)
  return rows.length === 0
    ? absent
    : appError('config', `The database lets this role not use the schema ${schema}.`)
}

/** Drops the tables unless `check` throws. @returns number of returns in them */
export async function dropTables(
  db: MirrorDb,
  { absent, schema }: Partial<PostgresServer>,
  check: (db: MirrorDb) => Promise<unknown>,
): Promise<number> {
  if (!(await hasTables(db))) throw await refusalOr(absent, db, schema)
  await check(db)
  const { rows } = await sql<{ returns: string }>`select count(*) as returns from returns`.execute(db)
  await sql.raw(`drop table if exists ${TABLES.join(',')}`).execute(db)
  return Number(rows[0]?.returns)
}

function createStatements(onServer: boolean) {
  // SQLite then keeps rows in the order of their keys, without a second index of them.
  const byKey = onServer ? '' : 'without rowid'
  const part = 'return_id text not null, position integer not null,'
  const columnsOf = (table: keyof typeof COLUMNS) =>
    Object.entries(COLUMNS[table])
      .map(([name, [kind]]) => `${name} ${kind === 'decimal' ? 'numeric' : 'text'},`)
      .join(' ')
  const tables = [
    `returns (id text primary key, ${columnsOf('returns')} synced_at text not null, document text not null,
      sort_key text not null, has_transports integer, has_refunds integer, differs integer not null)`,
    `return_items (${part} ${columnsOf('return_items')} primary key (return_id, position)) ${byKey}`,
    `transports (${part} ${columnsOf('transports')} document text not null, primary key (return_id, position))`,
    `tracking_events (${part} transport_position integer not null, ${columnsOf('tracking_events')}
      primary key (return_id, transport_position, position)) ${byKey}`,
    `refunds (${part} ${columnsOf('refunds')} document text not null, primary key (return_id, position))`,
    `identifiers (return_id text not null, value text not null, primary key (return_id, value)) ${byKey}`,
    'sync_state (name text primary key, value text not null)',
    'meta (name text primary key, value text not null)',
    'forgotten (digest text primary key, kind text not null, sort_key text not null)',
    `search_words (word text primary key not null) ${byKey}`,
    `search_entries (key ${onServer ? 'bigint' : 'integer'} primary key, return_id text not null unique
      ${onServer ? ', terms tsvector' : ''})`,
  ]
  return [
    ...tables.map((text) => `create table ${text}`),
    'create index identifiers_by_value on identifiers (value)',
    'create index returns_by_update on returns (updated_at)',
    'create index returns_stuck on returns (stuck_from) where stuck_from is not null',
    'create index returns_differing on returns (sort_key) where differs = 1',
    'create index refunds_by_execution on refunds (executed_at, return_id)',
    'create index forgotten_by_creation on forgotten (kind, sort_key)',
    ...(onServer ? SERVER_STATEMENTS : FILE_STATEMENTS),
  ]
}

const SERVER_STATEMENTS = [
  'create index returns_by_creation on returns (sort_key desc, id)',
  'create index search_entries_terms on search_entries using gin (terms)',
]
const FILE_STATEMENTS = [
  // Covers all statistics, since documents are a hundred times as large.
  `create index returns_by_creation on returns (sort_key desc, id, shop_code, status, updated_at, customer_country,
    last_carrier, last_method, reasons, refund_minutes, arrival_minutes, has_refunds)`,
  `create index transports_gaps on transports (carrier, carrier_service, gap_minutes, return_id)
    where gap_minutes is not null`,
  `create virtual table search_index using fts5(terms, content='', contentless_delete=1, detail=none,
    tokenize='ascii tokenchars ''${END_MARK}''')`,
]
