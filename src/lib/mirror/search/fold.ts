/** Letters that are no letter with an accent, as people type them who have no such key. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}
const ODD_LETTER = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
const LETTER = /\p{L}/gu
/** Letters that make a word. */
const MIN_LETTERS = 5
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Same as `WORD` for ASCII text, several times as fast. */
const ASCII_WORD = /[a-z0-9]+/gi
const NOT_ASCII = /[^\0-\x7f]/
/** Written without spaces, so that a word may begin anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const ZERO = 0x30
/** Longer ones are told apart by so many letters. */
const MAX_WORD_LENGTH = 40
/** Lower-case code of an ASCII letter or digit, else 0. */
const PLAIN_LETTER = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0
})
/** Buffer for building words: a string for each letter takes several times as long. */
const WORD_BYTES = Buffer.alloc(MAX_WORD_LENGTH)

/** Removes case, accents and width: `D’Amboise, Łódź` becomes `d’amboise, lodz`. */
export function foldText(text: string): string {
  const small = text.toLowerCase()
  if (!NOT_ASCII.test(small)) return small
  return small
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(ODD_LETTER, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}

/** The runs of letters and digits of a folded text. */
export function wordsIn(folded: string): string[] {
  const words = folded.match(NOT_ASCII.test(folded) ? WORD : ASCII_WORD) ?? []
  return words.map((word) => word.slice(0, MAX_WORD_LENGTH))
}

/** A code as one word: `R#-HV-104771` and `#hv 104771` are `hv104771`. */
export function squash(text: string): string {
  let length = 0
  for (let at = startsAsName(text) ? text.indexOf('-') : 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) return squashAny(text)
    const letter = PLAIN_LETTER[code] ?? 0
    if (letter === 0 || length === MAX_WORD_LENGTH) continue
    WORD_BYTES[length] = letter
    length += 1
  }
  return WORD_BYTES.toString('latin1', 0, length)
}

function startsAsName(text: string): boolean {
  return text.includes('#-') && /^\s*r#-/i.test(text)
}

function squashAny(text: string): string {
  return wordsIn(foldText(text).replace(/^\s*(?:r#-|#)/, ''))
    .join('')
    .slice(0, MAX_WORD_LENGTH)
}

export function isUnspaced(word: string): boolean {
  return NOT_ASCII.test(word) && UNSPACED.test(word)
}

/**
 * Returns the digits of a phone number that do not depend on the caller's country: without `00`, `(0)` and a leading 0.
 */
export function phoneDigits(text: string): string {
  const plain = text.includes('(0)') ? text.replaceAll('(0)', '') : text
  let digits = ''
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at)
    if (code >= ZERO && code <= ZERO + 9 && (digits !== '' || code !== ZERO)) digits += plain[at]
  }
  return digits
}

export function reversed(word: string): string {
  const { length } = word
  let at = 0
  for (; at < length && length <= MAX_WORD_LENGTH; at += 1) {
    const code = word.charCodeAt(at)
    if (code > 0x7f) break
    WORD_BYTES[length - 1 - at] = code
  }
  if (at === length) return WORD_BYTES.toString('latin1', 0, length)
  let back = ''
  for (const letter of word) back = letter + back
  return back
}

/** True if two words differ by one letter more, less or other, or by two exchanged neighbours. */
export function isOneTypo(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  let end = 0
  const shorter = Math.min(one.length, other.length)
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

/** Whether one typo in it is forgiven; another digit would be another number. */
export function forgivesTypo(word: string): boolean {
  return letterCount(word) >= MIN_LETTERS && !isUnspaced(word)
}

/** Whether it may be meant by a word in which a typo is forgiven, and which may be one letter longer. */
export function mayBeMisspelt(word: string): boolean {
  return word.length >= MIN_LETTERS - 1 && letterCount(word) >= MIN_LETTERS - 1 && !isUnspaced(word)
}

function letterCount(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at)
    if (code > 0x7f) return word.match(LETTER)?.length ?? 0
    if ((PLAIN_LETTER[code] ?? 0) > ZERO + 9) letters += 1
  }
  return letters
}
