import { type Insertable, type Kysely, PostgresAdapter, type SelectQueryBuilder, sql } from 'kysely'
import type COLUMNS from './columns.json'

/** Class of the advisory locks of this program in PostgreSQL: `rma`. */
export const LOCK_CLASS = 0x72_6d_61

/**
 * Columns that a table takes from the records (docs/mirror.md). Dates are ISO 8601 in UTC with milliseconds, so that
 * their texts sort as they do. Amounts are decimals as text. Values that were not sent, or do not fit, are null.
 */
type ColumnsOf<T extends keyof typeof COLUMNS> = Record<keyof (typeof COLUMNS)[T], string | null>

interface Part {
  return_id: string
  position: number
}

interface OwnColumns {
  id: string
  synced_at: string
  document: string
  sort_key: string
  /** 1 if the transports were copied since the record last changed, else null. */
  has_transports: number | null
  has_refunds: number | null
  differs: number
}

interface NamedValue {
  name: string
  value: string
}

export interface MirrorTables {
  returns: OwnColumns & ColumnsOf<'returns'>
  return_items: Part & ColumnsOf<'return_items'>
  transports: Part & { document: string } & ColumnsOf<'transports'>
  tracking_events: Part & { transport_position: number } & ColumnsOf<'tracking_events'>
  refunds: Part & { document: string } & ColumnsOf<'refunds'>
  identifiers: { value: string; return_id: string }
  /** Owner of an entry of the text index; `terms` are in PostgreSQL only. */
  search_entries: { key: number; return_id: string; terms?: string }
  search_words: { word: string }
  sync_state: NamedValue
  meta: NamedValue
  /** Keyed digests of e-mail addresses of people to be forgotten, and of their returns with their sort keys. */
  forgotten: { digest: string; kind: 'person' | 'return'; sort_key: string }
}

export type RowOf<T extends keyof MirrorTables> = Insertable<MirrorTables[T]>

export type MirrorDb = Kysely<MirrorTables>

export const PARTS = ['return_items', 'transports', 'tracking_events', 'refunds', 'identifiers'] as const

const BLOCK_SIZE = 500

/** Yields parts of a list that are short enough for one statement. */
export function* inBlocks<T>(items: readonly T[], size = BLOCK_SIZE) {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

export function isServer(db: Pick<MirrorDb, 'getExecutor'>) {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

export async function countRows<T extends keyof MirrorTables>(
  query: SelectQueryBuilder<MirrorTables, T, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Writes rows as one JSON parameter: binding each value takes longer. Rows that are there already stay: a return has
 * each identifier once.
 */
export async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly RowOf<T>[],
) {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0] ?? {})
  const json = JSON.stringify(rows)
  const source = isServer(db)
    ? sql`${sql.raw(columns.join(','))} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
    : sql`${sql.raw(columns.map((name) => `value ->> '${name}'`).join(','))} from json_each(${json})`
  await sql`insert into ${sql.table(table)} (${sql.raw(columns.join(','))}) select ${source}
    where true on conflict do nothing`.execute(db)
}
