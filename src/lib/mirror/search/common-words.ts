import { dialectOf } from '../store/dialect.ts'
import type { MirrorDb } from '../store/tables.ts'
import type { Reading } from './query.ts'

/** Number of returns from which on a word is common. */
const MANY = 500

/**
 * Returns the words that many returns contain. As beginnings they match even more, and a text index collects all
 * matches before it looks at the other words.
 */
export async function commonWords(db: MirrorDb, readings: readonly Reading[]): Promise<Set<string>> {
  const common = new Set<string>()
  for (const word of new Set(readings.flat().flatMap(({ text, parts }) => [text, ...parts]))) {
    if (await dialectOf(db).index.hasMany(db, word, MANY)) common.add(word)
  }
  return common
}
