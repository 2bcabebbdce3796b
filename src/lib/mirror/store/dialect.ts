import { PostgresAdapter, sql } from 'kysely'
import type { MirrorDb, MirrorTables, RowOf } from './tables.ts'

export const PARTS = ['return_items', 'transports', 'tracking_events', 'refunds', 'identifiers'] as const

export function isServer(db: Pick<MirrorDb, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Writes rows as one JSON parameter: binding each value takes longer. Rows that are there already stay: a return has
 * each identifier once.
 */
export async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly RowOf<T>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0] ?? {})
  const json = JSON.stringify(rows)
  const source = isServer(db)
    ? sql`${sql.raw(columns.join(','))} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
    : sql`${sql.raw(columns.map((name) => `value ->> '${name}'`).join(','))} from json_each(${json})`
  await sql`insert into ${sql.table(table)} (${sql.raw(columns.join(','))}) select ${source}
    where true on conflict do nothing`.execute(db)
}
