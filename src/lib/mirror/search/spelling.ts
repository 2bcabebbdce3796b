import { sql } from 'kysely'
import type { MirrorDb } from '../tables.ts'
import { forgivesTypo, isOneTypo, reversed } from './fold.ts'
import type { Reading } from './query.ts'

/** Above every letter, in the order of code points. */
const LAST = '\u{10ffff}'
/** Of a word; more would say nothing. */
const MAX_VARIANTS = 50

/** For each word of the readings in which a typo is forgiven: the words of the mirror that may be meant. */
export async function spellings(
  db: MirrorDb,
  readings: readonly Reading[],
): Promise<Map<string, readonly string[]>> {
  const words = new Set(readings.flat().flatMap(({ text, parts }) => [text, ...parts]))
  const found = new Map<string, readonly string[]>()
  for (const word of words) if (forgivesTypo(word)) found.set(word, await variantsOf(db, word))
  return found
}

/**
 * One typo leaves the first or the second half as it is, unless it exchanges the letters where they meet: three looks
 * into sorted words, whatever their number.
 */
async function variantsOf(db: MirrorDb, word: string): Promise<string[]> {
  const half = Math.floor(word.length / 2)
  const [first, second] = [word.slice(0, half), reversed(word.slice(half))]
  const exchanged = `${word.slice(0, half - 1)}${word[half]}${word[half - 1]}${word.slice(half + 1)}`
  const length = sql<number>`length(word)`
  const select = () =>
    db
      .selectFrom('search_words')
      .select('word')
      .where(length, '>=', word.length - 1)
      .where(length, '<=', word.length + 1)
  const rows = await select()
    .where('word', '>=', first)
    .where('word', '<', first + LAST)
    .union(
      select()
        .where('backwards', '>=', second)
        .where('backwards', '<', second + LAST),
    )
    .union(select().where('word', '=', exchanged))
    .execute()
  return rows
    .map((row) => row.word)
    .filter((one) => isOneTypo(one, word))
    .slice(0, MAX_VARIANTS)
}
