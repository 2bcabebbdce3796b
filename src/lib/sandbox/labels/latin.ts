/** Characters of Windows-1252 beyond Latin-1: what the standard fonts of PDF have besides. */
const ALSO_PRINTABLE = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

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

/**
 * Text as a label can show it: Western European letters as they are, other Latin, Greek and Cyrillic ones in their
 * nearest Latin form, control characters as spaces, and one `?` for each stretch of anything else.
 */
export function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map(printableCharacter)
    .join('')
    .replace(/\ufffd+/g, '?')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function printableCharacter(character: string): string {
  if (/^[\x20-\x7e\xa1-\xac\xae-\xff]$/.test(character) || ALSO_PRINTABLE.includes(character))
    return character
  if (/^[\s\p{Cc}\xa0]$/u.test(character)) return ' '
  if (/^[\p{Cf}\p{M}]$/u.test(character)) return ''
  const letter = LETTERS[character]
  if (letter !== undefined) return letter
  const lower = LETTERS[character.toLowerCase()]
  if (lower !== undefined) return lower.charAt(0).toUpperCase() + lower.slice(1)
  const [base = '', ...rest] = character.normalize('NFKD').replace(/\p{M}/gu, '')
  if (base !== '' && base !== character) return [base, ...rest].map(printableCharacter).join('')
  return '\ufffd'
}
