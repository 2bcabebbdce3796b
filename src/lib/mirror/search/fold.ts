import plainLetters from '../../wire/words/plain-letters.json'

/** Plain spellings of letters that have no accent to remove, such as `ø`. */
const PLAIN: Readonly<Record<string, string>> = plainLetters
const SPECIAL_LETTER = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
/** Scripts written without spaces, so that a word may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const MAX_WORD_LENGTH = 40

/** Removes case, accents and width: `D’Amboise, Łódź` becomes `d’amboise, lodz`. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(SPECIAL_LETTER, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}

export function wordsIn(folded: string): string[] {
  return (folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => word.slice(0, MAX_WORD_LENGTH))
}

/** Writes a code as one word: `R#-HV-104771` and `#hv 104771` are `hv104771`. */
export function squash(text: string): string {
  return wordsIn(foldText(text).replace(/^\s*(?:r#-|#)/, ''))
    .join('')
    .slice(0, MAX_WORD_LENGTH)
}

export function isUnspaced(word: string) {
  return UNSPACED.test(word)
}

/**
 * Returns the digits of a phone number that do not depend on the caller's country: without `00`, `(0)` and a leading 0.
 */
export function phoneDigits(text: string): string {
  return text.replaceAll('(0)', '').replace(/\D/g, '').replace(/^0+/, '')
}

export function reversed(word: string): string {
  return [...word].reverse().join('')
}
