import { type Kysely, sql } from 'kysely'
import { parseJson } from '../../wire/json.ts'
import type { Return } from '../../wire/returns.ts'
import type { MirrorDb } from '../tables.ts'
import { indexReturns, textEntry } from './maintain.ts'
import { END_MARK } from './terms.ts'
import { isPostgres } from './text-index.ts'

const BLOCK_SIZE = 500

/** Makes the tables of the text index, and enters the returns that are there. */
export async function createTextIndex(migrated: Kysely<unknown>): Promise<void> {
  const db = migrated as MirrorDb
  // SQLite makes tables outside of a transaction: a step that was broken off begins anew.
  for (const table of ['search_index', 'search_entries', 'search_words']) {
    await db.schema.dropTable(table).ifExists().execute()
  }
  const isServer = isPostgres(db)
  const entries = db.schema
    .createTable('search_entries')
    .addColumn('key', isServer ? 'bigint' : 'integer', (column) => column.primaryKey())
    .addColumn('return_id', 'text', (column) => column.notNull().unique())
  await (isServer ? entries.addColumn('terms', sql`tsvector`) : entries).execute()
  // Words are looked up by ranges of code points.
  const text = isServer ? sql`text collate "C"` : 'text'
  await db.schema
    .createTable('search_words')
    .addColumn('word', text, (column) => column.primaryKey())
    .addColumn('backwards', text, (column) => column.notNull())
    .execute()
  if (isServer) {
    await enterAll(db)
    return
  }
  await sql`create virtual table search_index using fts5(terms, content='', contentless_delete=1, detail=none,
    tokenize=${sql.lit(`ascii tokenchars '${END_MARK}'`)})`.execute(db)
  await db.transaction().execute(enterAll)
}

async function enterAll(db: MirrorDb): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('returns')
      .select(['id', 'created_at', 'document'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BLOCK_SIZE)
      .execute()
    await indexReturns(
      db,
      rows.map((row) => textEntry({ ...row, record: parseJson(row.document) as Return })),
    )
    last = rows.at(-1)?.id ?? last
    if (rows.length < BLOCK_SIZE) return
  }
}
