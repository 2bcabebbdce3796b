import { distance } from 'fastest-levenshtein'
import { isUnspaced } from './fold.ts'

const MIN_LETTERS = 5

/** True if the words differ by one letter, or by two exchanged neighbours. */
export function isOneTypo(one: string, other: string) {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (one[at] === other[at]) at += 1
  const swapped = one.slice(0, at) + one.charAt(at + 1) + one.charAt(at) + one.slice(at + 2)
  return swapped === other || distance(one, other) === 1
}

/** True for five letters or more. Digits don't count: another digit is another number. */
export function forgivesTypo(word: string) {
  return letterCount(word) >= MIN_LETTERS && !isUnspaced(word)
}

/** True if a word that `forgivesTypo` may mean this one, which may be a letter shorter. */
export function mayBeMisspelt(word: string) {
  return letterCount(word) >= MIN_LETTERS - 1 && !isUnspaced(word)
}

function letterCount(word: string) {
  return word.match(/\p{L}/gu)?.length ?? 0
}

/** Yields all words one typo away: some hundreds. */
export function* oneTypoFrom(word: string): Generator<string> {
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
/** Distance in Unicode within which letters count as one alphabet. */
const NEIGHBOURS = 48

function alphabetOf(letters: readonly string[]) {
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
