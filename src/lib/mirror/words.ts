import type { MirrorDb } from './tables.ts'

/** Numbers of words that many returns share, given to those that have none. To be called inside a transaction. */
export async function numbersOf(db: MirrorDb, words: Iterable<string>): Promise<Map<string, number>> {
  const wanted = [...new Set(words)]
  const known = await readNumbers(db, wanted)
  const missing = wanted.filter((word) => !known.has(word))
  if (missing.length === 0) return known
  // Another process may be as far.
  await db
    .insertInto('measure_words')
    .values(missing.map((word) => ({ word })))
    .onConflict((conflict) => conflict.column('word').doNothing())
    .execute()
  return new Map([...known, ...(await readNumbers(db, missing))])
}

async function readNumbers(db: MirrorDb, words: readonly string[]): Promise<Map<string, number>> {
  if (words.length === 0) return new Map()
  const rows = await db
    .selectFrom('measure_words')
    .select(['number', 'word'])
    .where('word', 'in', words)
    .execute()
  return new Map(rows.map(({ number, word }) => [word, number]))
}
