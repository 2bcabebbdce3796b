import anyAscii from 'any-ascii'

/** Windows-1252 without its control characters: what the standard fonts of PDF and label printers have. */
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/** More than fits on a line in the narrowest letters: fitting takes quadratic time. */
const MAX_LENGTH = 300
/** Marks and controls take no room, so more is read than is shown. */
const MAX_READ = 4 * MAX_LENGTH

/** Text in Western European letters, control characters as spaces, one `?` a stretch without such a form. */
export function printable(text: string): string {
  return [...text.slice(0, MAX_READ).normalize('NFC')]
    .map(printableCharacter)
    .join('')
    .replace(/\ufffd+/g, '?')
    .replace(/ {2,}/g, ' ')
    .slice(0, MAX_LENGTH)
    .trim()
}

export function shortened(text: string): string {
  return `${text.replace(/…$/, '').slice(0, -1)}…`
}

function printableCharacter(character: string): string {
  if (LATIN.test(character)) return character
  if (/^[\s\p{Cc}\xa0]$/u.test(character)) return ' '
  if (/^[\p{Cf}\p{M}]$/u.test(character)) return ''
  return anyAscii(character) || '\ufffd'
}
