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
  await createWords(db)
  if (isServer) {
    await enterAll(db)
    return
  }
  await sql`create virtual table search_index using fts5(terms, content='', contentless_delete=1, detail=none,
    tokenize=${sql.lit(`ascii tokenchars '${END_MARK}'`)})`.execute(db)
  await db.transaction().execute(enterAll)
}

async function createWords(db: MirrorDb): Promise<void> {
  await db.schema
    .createTable('search_words')
    .addColumn('word', 'text', (column) => column.primaryKey().notNull())
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
    .execute()
}

/** As `createTextIndex` makes them, of words that were kept backwards, too. */
export async function renewWords(db: MirrorDb): Promise<void> {
  await sql`create temporary table former_words as select word from search_words`.execute(db)
  await db.schema.dropTable('search_words').execute()
  await createWords(db)
  await sql`insert into search_words (word) select word from former_words order by word`.execute(db)
  await sql`drop table former_words`.execute(db)
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
