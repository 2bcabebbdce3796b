import { dialectOf } from '../store/dialect.ts'
import type { MirrorDb } from '../store/tables.ts'
import { forgivesTypo } from './fold.ts'
import type { Reading } from './query.ts'

/** Variants of a word; more would tell nothing. */
const MAX_VARIANTS = 50

/** For words of the readings in which a typo is forgiven: the words of the mirror that may be meant, if there are any. */
export async function spellings(
  db: MirrorDb,
  readings: readonly Reading[],
): Promise<Map<string, readonly string[]>> {
  const words = new Set(readings.flat().flatMap(({ text, parts }) => [text, ...parts]))
  const found = new Map<string, readonly string[]>()
  for (const word of words) {
    const variants = forgivesTypo(word) ? await variantsOf(db, word) : []
    if (variants.length > 0) found.set(word, variants)
  }
  return found
}

async function variantsOf(db: MirrorDb, word: string): Promise<string[]> {
  const known = await dialectOf(db).index.knownWords(db, [...oneTypoFrom(word)])
  return known.slice(0, MAX_VARIANTS)
}

/** Some hundreds, whatever the number of words there are; some twice. */
export function* oneTypoFrom(word: string): Generator<string, void, undefined> {
  const letters = [...word]
  const alphabet = alphabetOf(letters)
  for (let at = 0; at <= letters.length; at += 1) {
    const head = letters.slice(0, at).join('')
    const [letter = '', next = ''] = letters.slice(at, at + 2)
    const [behind, rest] = [letters.slice(at + 1).join(''), letters.slice(at + 2).join('')]
    for (const other of alphabet) {
      yield `${head}${other}${letter}${behind}`
      if (letter !== '' && other !== letter) yield `${head}${other}${behind}`
    }
    if (letter !== '') yield `${head}${behind}`
    if (next !== '' && next !== letter) yield `${head}${next}${letter}${rest}`
  }
}

const LATIN = [...'abcdefghijklmnopqrstuvwxyz0123456789']
/** Neighbours of a letter in Unicode are those of its alphabet. */
const NEIGHBOURS = 48

function alphabetOf(letters: readonly string[]): Set<string> {
  const alphabet = new Set(LATIN)
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0
    if (code < 128) continue
    for (let near = code - NEIGHBOURS; near <= code + NEIGHBOURS; near += 1) {
      if (near >= 128) alphabet.add(String.fromCodePoint(near))
    }
  }
  return alphabet
}
