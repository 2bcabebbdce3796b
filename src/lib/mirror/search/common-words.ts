import { dialectOf } from '../store/dialect.ts'
import type { MirrorDb } from '../store/tables.ts'
import type { Reading } from './query.ts'

/** Of so many returns. */
const MANY = 500

/**
 * Those words of the readings that many returns have as they stand. All that begins so is more still, which a text
 * index gathers before it looks at the other words.
 */
export async function commonWords(db: MirrorDb, readings: readonly Reading[]): Promise<Set<string>> {
  const common = new Set<string>()
  for (const word of new Set(readings.flat().flatMap(({ text, parts }) => [text, ...parts]))) {
    if (await dialectOf(db).index.hasMany(db, word, MANY)) common.add(word)
  }
  return common
}
