import { parseJson } from '../../wire/json.ts'
import type { Return } from '../../wire/returns.ts'
import { dialectOf } from '../store/dialect.ts'
import type { MirrorDb } from '../store/tables.ts'
import { firstKey } from './keys.ts'
import { type SearchTerms, termsOf } from './terms.ts'

const MAX_KNOWN_WORDS = 20_000
const ALL_KEYS = { fromKey: 0, toKey: Number.MAX_SAFE_INTEGER }

/** A return as its row has it. */
export interface IndexedRow {
  id: string
  created_at: string | null
  record: Return
}

/** Entry of a return in the text index. */
export interface TextEntry extends SearchTerms {
  returnId: string
  key: number
}

export function textEntry({ id, created_at: createdAt, record }: IndexedRow): TextEntry {
  const { terms, words } = termsOf(record)
  return { returnId: id, key: firstKey(createdAt, id), terms, words }
}

/** Words that are there for certain, so that they are not entered again; bounded. */
export class EnteredWords {
  readonly #words = new Set<string>()

  /** Returns the words that are not known yet, each once, and remembers them. */
  take(words: Iterable<string>): string[] {
    if (this.#words.size >= MAX_KNOWN_WORDS) this.#words.clear()
    const fresh: string[] = []
    for (const word of words) {
      if (this.#words.has(word)) continue
      this.#words.add(word)
      fresh.push(word)
    }
    return fresh
  }

  clear(): void {
    this.#words.clear()
  }
}

/** Makes returns findable that are not. To be called inside a transaction. */
export async function indexReturns(
  db: MirrorDb,
  entries: TextEntry[],
  known = new EnteredWords(),
): Promise<void> {
  if (entries.length === 0) return
  await freeKeys(db, entries)
  // FTS5 writes out what it has gathered whenever a key is smaller than the one before.
  entries.sort((one, other) => one.key - other.key)
  const index = dialectOf(db).index
  await index.add(db, entries)
  const words = entries.flatMap((entry) => known.take(entry.words))
  if (words.length > 0) await index.addWords(db, words)
}

/** To be called inside a transaction, before the returns go. */
export async function unindexReturns(
  db: MirrorDb,
  ids: readonly string[],
  known?: EnteredWords,
): Promise<void> {
  if (ids.length === 0) return
  known?.clear()
  const rows = await db.selectFrom('returns').select('document').where('id', 'in', ids).execute()
  const entries = await db.selectFrom('search_entries').select('key').where('return_id', 'in', ids).execute()
  const index = dialectOf(db).index
  await index.remove(
    db,
    entries.map(({ key }) => Number(key)),
  )
  const words = rows.flatMap(
    ({ document }): SearchTerms['words'] => termsOf(parseJson(document) as Return).words,
  )
  const unused: string[] = []
  for (const word of new Set(words)) {
    const users = await index.match(db, { term: word }, ALL_KEYS, 1)
    if (users.length === 0) unused.push(word)
  }
  if (unused.length > 0) await db.deleteFrom('search_words').where('word', 'in', unused).execute()
}

export async function clearIndex(db: MirrorDb): Promise<void> {
  await dialectOf(db).index.clear(db)
  await db.deleteFrom('search_words').execute()
}

/** Leaves nothing of removed returns in the database's own files, once it is vacuumed. */
export async function compactIndex(db: MirrorDb): Promise<void> {
  await dialectOf(db).index.compact(db)
}

/** Makes keys unique, among these entries and those that are there. */
async function freeKeys(db: MirrorDb, entries: { key: number }[]): Promise<void> {
  const taken = new Set<number>()
  for (let open = entries; open.length > 0; ) {
    const keys = open.map(({ key }) => key)
    const rows = await db
      .selectFrom('search_entries')
      .select('key')
      .where('key', 'in', dialectOf(db).among(keys))
      .execute()
    for (const { key } of rows) taken.add(Number(key))
    const again: { key: number }[] = []
    for (const entry of open) {
      if (!taken.has(entry.key)) {
        taken.add(entry.key)
        continue
      }
      while (taken.has(entry.key)) entry.key += 1
      again.push(entry)
    }
    open = again
  }
}
