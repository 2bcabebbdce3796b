import { sql } from 'kysely'
import type { MirrorDb } from '../store/tables.ts'
import { ftsText, type TermExpression, tsqueryText } from './expression.ts'

/** Range of keys, both ends included. */
export interface KeyRange {
  fromKey: number
  toKey: number
}

export interface IndexEntry {
  key: number
  returnId: string
}

/** Which entries have which terms: what SQLite and PostgreSQL do in their own ways. */
export interface TextIndex {
  /** `terms` are apart by spaces. */
  add(db: MirrorDb, entries: readonly (IndexEntry & { terms: string })[]): Promise<void>
  /** Returns those of these words that are in the index. */
  knownWords(db: MirrorDb, words: readonly string[]): Promise<string[]>
  /** Leaves words alone that are there. */
  addWords(db: MirrorDb, words: readonly string[]): Promise<void>
  remove(db: MirrorDb, keys: readonly number[]): Promise<void>
  clear(db: MirrorDb): Promise<void>
  /** Leaves nothing of what was removed. */
  compact(db: MirrorDb): Promise<void>
  /** Whether so many entries have this term. */
  hasMany(db: MirrorDb, term: string, many: number): Promise<boolean>
  /** Returns the matches with the highest keys first. */
  match(db: MirrorDb, terms: TermExpression, range: KeyRange, limit: number): Promise<IndexEntry[]>
}

/** FTS5 without contents or positions; `search_entries` says whose an entry is. */
export const FTS5: TextIndex = {
  // Rows come as one JSON text: a parameter for each would take longer than the rest.
  async add(db, entries) {
    const owners = JSON.stringify(entries.map(({ key, returnId }) => [key, returnId]))
    const texts = JSON.stringify(entries.map(({ key, terms }) => [key, terms]))
    await sql`insert into search_entries (key, return_id) select value ->> 0, value ->> 1 from json_each(${owners})`.execute(
      db,
    )
    await sql`insert into search_index (rowid, terms) select value ->> 0, value ->> 1 from json_each(${texts})`.execute(
      db,
    )
  },
  async knownWords(db, words) {
    const { rows } = await sql<{ word: string }>`select word from search_words
      where word in (select value from json_each(${JSON.stringify(words)}))`.execute(db)
    return rows.map(({ word }) => word)
  },
  async addWords(db, words) {
    await sql`insert into search_words (word) select value from json_each(${JSON.stringify(words)})
      where true on conflict do nothing`.execute(db)
  },
  async remove(db, keys) {
    for (const key of keys) {
      await sql`delete from search_index where rowid = ${key}`.execute(db)
      await sql`delete from search_entries where key = ${key}`.execute(db)
    }
  },
  async clear(db) {
    await sql`insert into search_index (search_index) values ('delete-all')`.execute(db)
    await sql`delete from search_entries`.execute(db)
  },
  async compact(db) {
    await sql`insert into search_index (search_index) values ('optimize')`.execute(db)
  },
  async hasMany(db, term, many) {
    const { rows } = await sql`select 1 from search_index where search_index match ${ftsText({ term })}
      limit 1 offset ${many - 1}`.execute(db)
    return rows.length > 0
  },
  async match(db, terms, { fromKey, toKey }, limit) {
    const { rows } = await sql<IndexEntry>`
      select e.key, e.return_id as "returnId" from search_index i cross join search_entries e on e.key = i.rowid
      where search_index match ${ftsText(terms)} and i.rowid >= ${fromKey} and i.rowid <= ${toKey}
      order by i.rowid desc limit ${limit}`.execute(db)
    return rows
  },
}

export const TSVECTOR: TextIndex = {
  async add(db, entries) {
    const rows = entries.map(
      ({ key, returnId, terms }) =>
        sql`(${key}, ${returnId}, array_to_tsvector(${[...new Set(terms.split(' '))].filter((term) => term !== '')}::text[]))`,
    )
    await sql`insert into search_entries (key, return_id, terms) values ${sql.join(rows)}`.execute(db)
  },
  async knownWords(db, words) {
    const { rows } = await sql<{ word: string }>`select word from search_words
      where word = any(${words}::text[])`.execute(db)
    return rows.map(({ word }) => word)
  },
  async addWords(db, words) {
    await sql`insert into search_words (word) select unnest(${words}::text[]) on conflict do nothing`.execute(
      db,
    )
  },
  async remove(db, keys) {
    await sql`delete from search_entries where key = any(${keys}::bigint[])`.execute(db)
  },
  async clear(db) {
    await sql`delete from search_entries`.execute(db)
  },
  async compact() {
    // The vacuum of the table is that of its index.
  },
  async hasMany(db, term, many) {
    const { rows } = await sql`select 1 from search_entries where terms @@ ${tsqueryText({ term })}::tsquery
      limit 1 offset ${many - 1}`.execute(db)
    return rows.length > 0
  },
  async match(db, terms, { fromKey, toKey }, limit) {
    const { rows } = await sql<{ key: string; returnId: string }>`
      select key, return_id as "returnId" from search_entries
      where terms @@ ${tsqueryText(terms)}::tsquery and key >= ${fromKey} and key <= ${toKey}
      order by key desc limit ${limit}`.execute(db)
    return rows.map(({ key, returnId }) => ({ key: Number(key), returnId }))
  },
}
