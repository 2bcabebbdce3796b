import { sql } from 'kysely'
import { hash32 } from '../../wire/hash.ts'
import { parseJson } from '../../wire/json.ts'
import type { Return } from '../../wire/returns.ts'
import { filteredReturns, type MirrorFilter } from '../store/read.ts'
import { inBlocks, insertRows, isServer, type MirrorDb } from '../store/tables.ts'
import { type TermExpression, termsOf } from './terms.ts'

/** Keys for the returns created in one second. */
const KEYS_A_SECOND = 2 ** 20
/** Last second with exact keys, in the year 2242. Later dates share its keys. */
const LAST_SECOND = 2 ** 33 - 1

function keyRange(fromMs: number | undefined, toMs: number | undefined) {
  const second = (ms: number) => Math.min(LAST_SECOND, Math.max(0, Math.floor(ms / 1000)))
  return {
    fromKey: fromMs === undefined ? 0 : second(fromMs) * KEYS_A_SECOND,
    toKey: toMs === undefined ? Number.MAX_SAFE_INTEGER : (second(toMs) + 1) * KEYS_A_SECOND - 1,
  }
}

/** Adds returns to the index. Call it inside the transaction, after inserting their rows. */
export async function indexReturns(
  db: MirrorDb,
  returns: readonly { record: Return; row: { id: string; created_at?: string | null } }[],
) {
  if (returns.length === 0) return
  const entries = returns.map(({ record, row: { id, created_at: createdAt } }) => {
    const { fromKey } = keyRange(createdAt ? Date.parse(createdAt) : 0, undefined)
    return { key: fromKey + (hash32(id) % KEYS_A_SECOND), return_id: id, ...termsOf(record) }
  })
  await moveToFreeKeys(db, entries)
  // FTS5 flushes its buffer at each key that is smaller than the one before.
  entries.sort((one, other) => one.key - other.key)
  const owners = entries.map(({ key, return_id, terms }) =>
    isServer(db) ? { key, return_id, terms } : { key, return_id },
  )
  await insertRows(db, 'search_entries', owners)
  if (!isServer(db)) {
    const texts = JSON.stringify(entries.map(({ key, terms }) => [key, terms]))
    await sql`insert into search_index (rowid, terms) select value ->> 0, value ->> 1 from json_each(${texts})`.execute(
      db,
    )
  }
  const words = new Set(entries.flatMap((entry) => entry.words))
  await insertRows(
    db,
    'search_words',
    [...words].map((word) => ({ word })),
  )
}

/** Call it inside the transaction, before deleting the rows of the returns. */
export async function unindexReturns(db: MirrorDb, ids: readonly string[]) {
  if (ids.length === 0) return
  const rows = await db.selectFrom('returns').select('document').where('id', 'in', ids).execute()
  if (!isServer(db)) {
    await sql`delete from search_index where rowid in
      (select key from search_entries where return_id in (${sql.join(ids)}))`.execute(db)
  }
  await db.deleteFrom('search_entries').where('return_id', 'in', ids).execute()
  const words = rows.flatMap(({ document }) => termsOf(parseJson(document) as Return).words)
  const unused: string[] = []
  for (const word of new Set(words)) {
    if ((await matchReturns(db, { term: word }, 1)).length === 0) unused.push(word)
  }
  for (const block of inBlocks(unused))
    await db.deleteFrom('search_words').where('word', 'in', block).execute()
}

export async function clearIndex(db: MirrorDb) {
  if (!isServer(db)) await sql`insert into search_index (search_index) values ('delete-all')`.execute(db)
  await db.deleteFrom('search_entries').execute()
  await db.deleteFrom('search_words').execute()
}

export async function matchReturns(
  db: MirrorDb,
  terms: TermExpression,
  limit: number,
  filter: MirrorFilter = {},
): Promise<string[]> {
  const matching = isServer(db)
    ? sql`search_entries e where terms @@ ${queryText(terms, TSQUERY)}::tsquery`
    : sql`search_index i cross join search_entries e on e.key = i.rowid
      where search_index match ${queryText(terms, FTS5)}`
  const key = sql.raw(isServer(db) ? 'key' : 'i.rowid')
  const { fromKey, toKey } = keyRange(filter.createdFromMs, filter.createdToMs)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const passing = filteredReturns(db, filter).select('id').where('id', '=', sql<string>`e.return_id`)
  const { rows } = await sql<{ id: string }>`select e.return_id as id from ${matching}
    and ${key} >= ${fromKey} and ${key} <= ${toKey} ${isFiltered ? sql`and exists ${passing}` : sql``}
    order by ${key} desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Operators of https://sqlite.org/fts5.html#full_text_query_syntax, and of PostgreSQL's `tsquery`. */
const FTS5 = { quote: '"', prefix: '*', all: ' AND ', any: ' OR ' }
const TSQUERY = { quote: "'", prefix: ':*', all: ' & ', any: ' | ' }

function queryText(expression: TermExpression, language: typeof FTS5): string {
  if ('term' in expression) {
    const { term, isPrefix } = expression
    return `${language.quote}${term}${language.quote}${isPrefix ? language.prefix : ''}`
  }
  const [parts, operator] =
    'all' in expression ? [expression.all, language.all] : [expression.any, language.any]
  return `(${parts.map((part) => queryText(part, language)).join(operator)})`
}

async function moveToFreeKeys(db: MirrorDb, entries: { key: number }[]) {
  const taken = new Set<number>()
  for (let open = entries; open.length > 0; ) {
    const keys = open.map(({ key }) => key)
    const rows = await db.selectFrom('search_entries').select('key').where('key', 'in', keys).execute()
    for (const { key } of rows) taken.add(Number(key))
    const again: { key: number }[] = []
    for (const entry of open) {
      const isFree = !taken.has(entry.key)
      while (taken.has(entry.key)) entry.key += 1
      if (isFree) taken.add(entry.key)
      else again.push(entry)
    }
    open = again
  }
}
