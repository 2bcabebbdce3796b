import { type Kysely, SqliteAdapter, sql } from 'kysely'

/**
 * Indexes whose entries come in any order. Grown row by row, each entry of a large one is another page of the disk, so
 * that a first copy goes without, and makes them at its end in one sorted pass each.
 */
const LATE_INDEXES: readonly { name: string; table: string; on: string; database?: 'sqlite' | 'postgres' }[] =
  [
    { name: 'identifiers_by_value', table: 'identifiers', on: '(value)' },
    { name: 'search_entries_terms', table: 'search_entries', on: 'using gin (terms)', database: 'postgres' },
  ]

/** To be called outside of a transaction. What looks for something meanwhile takes longer. */
export async function dropLateIndexes<T>(db: Kysely<T>): Promise<void> {
  for (const { name } of indexesOf(db)) await sql`drop index if exists ${sql.id(name)}`.execute(db)
}

/** Those that are not there. */
export async function createLateIndexes<T>(db: Kysely<T>): Promise<void> {
  const isSqlite = isSqliteDb(db)
  // What is sorted for them may be larger than memory should be.
  if (isSqlite) await sql`pragma temp_store = file`.execute(db)
  try {
    for (const text of lateIndexTexts(db)) await sql.raw(text).execute(db)
  } finally {
    if (isSqlite) await sql`pragma temp_store = memory`.execute(db)
  }
}

/** Statements that make those that are not there. */
export function lateIndexTexts<T>(db: Kysely<T>): string[] {
  return indexesOf(db).map(
    ({ name, table, on }) => `create index if not exists "${name}" on "${table}" ${on}`,
  )
}

function indexesOf<T>(db: Kysely<T>) {
  const own = isSqliteDb(db) ? 'sqlite' : 'postgres'
  return LATE_INDEXES.filter(({ database = own }) => database === own)
}

function isSqliteDb<T>(db: Kysely<T>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
