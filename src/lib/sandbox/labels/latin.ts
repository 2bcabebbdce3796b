/** Windows-1252 without its control characters: what the standard fonts of PDF have. */
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

const LETTERS: Readonly<Record<string, string>> = {
  ...pairs('ł l Ł L đ d Đ D ħ h Ħ H ı i ŋ n Ŋ N ŧ t Ŧ T ĸ k ə e Ə E ẞ SS'),
  ...pairs(
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
  ),
  ...pairs(
    'а a б b в v г g д d е e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch',
  ),
  ...pairs('ш sh щ sht ъ a ы y э e ю yu я ya є ye ґ g ђ dj ј j љ lj њ nj ћ c џ dz'),
  ь: '',
}

function pairs(list: string): Record<string, string> {
  const words = list.split(' ')
  return Object.fromEntries(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1] ?? '']] : [])))
}

/** More than fits into a line of a label in the narrowest letters: fitting a text takes time by the square of its length. */
const MAX_LENGTH = 300
/** Marks and controls take no room, so that more may be read than is shown. */
const MAX_READ = 4 * MAX_LENGTH

/** Japanese, Korean and Chinese, with their punctuation: what `outlines.ts` may have. */
const EAST_ASIAN =
  /^[\u3001-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\ufa0e-\ufa29\u{20000}-\u{3ffff}]$/u
/** Of half width, which take their accents as characters of their own. */
const HALFWIDTH_KANA = /[\uff61-\uff9f]+/g

/**
 * Text as a label can show it: Western European letters and East Asian characters as they are, other Latin, Greek and
 * Cyrillic letters in their nearest Latin form, control characters as spaces, and one `?` for each stretch of anything
 * else. What no label has room for is left out.
 */
export function printable(text: string): string {
  return [...text.slice(0, MAX_READ).replace(HALFWIDTH_KANA, widened).normalize('NFC')]
    .map(printableCharacter)
    .join('')
    .replace(/\ufffd+/g, '?')
    .replace(/ {2,}/g, ' ')
    .slice(0, MAX_LENGTH)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}

/** A text with an ellipsis in the place of its last character. */
export function shortened(text: string): string {
  return `${[...text.replace(/…$/, '')].slice(0, -1).join('')}…`
}

function widened(kana: string): string {
  return kana.normalize('NFKC')
}

/** Whether the standard fonts of PDF, and those of label printers, have all of a text. */
export function isLatin(text: string): boolean {
  return LATIN.test(text)
}

function printableCharacter(character: string): string {
  if (isLatin(character)) return character
  if (/^[\s\p{Cc}\xa0]$/u.test(character)) return ' '
  if (/^[\p{Cf}\p{M}]$/u.test(character)) return ''
  if (EAST_ASIAN.test(character)) return character
  const letter = LETTERS[character]
  if (letter !== undefined) return letter
  const lower = LETTERS[character.toLowerCase()]
  if (lower !== undefined) return lower.charAt(0).toUpperCase() + lower.slice(1)
  const [base = '', ...rest] = character.normalize('NFKD').replace(/\p{M}/gu, '')
  if (base !== '' && base !== character) return [base, ...rest].map(printableCharacter).join('')
  return '\ufffd'
}
