/** Characters that a terminal obeys, or that hide or reorder text. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/** Legitimate uses of hidden characters: emoji, variants of Han characters, joiners. */
const LEGITIMATE = [
  // The look-ahead saves most characters a test against thousands of sequences.
  '(?=[#*0-9]\\ufe0f|\\p{Extended_Pictographic}|\\p{RI})\\p{RGI_Emoji}',
  '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]',
  '\\p{sc=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '[\\p{sc=Arab}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Taml}\\p{sc=Telu}][\\u200c\\u200d]',
].join('|')
/** Made on first use: the emoji pattern takes 10 ms. */
let legitimateOrHidden: RegExp | undefined
/** A leading mark would combine with the character printed before. */
const LEADING_MARK = /^\p{M}/u

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Shows control and invisible characters as `\n`, `\x1b`, `\u{202e}`. */
export function visible(text: string, keep?: 'lines'): string {
  if (keep === 'lines')
    return text
      .split('\n')
      .map((line) => visible(line))
      .join('\n')
  const shown = HIDDEN.test(text) ? showHidden(text) : text
  return shown.replace(LEADING_MARK, escaped)
}

function showHidden(text: string) {
  legitimateOrHidden ??= new RegExp(`${LEGITIMATE}|(${HIDDEN.source})`, 'gv')
  return text.replace(legitimateOrHidden, (found: string, hidden: string | undefined) => {
    if (hidden === undefined) return found
    return NAMES[hidden] ?? escaped(hidden)
  })
}

function escaped(character: string) {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
}

const PART_LENGTH = 2 ** 20

/** Splits a long text without splitting a surrogate pair. */
export function* longTextParts(text: string): Generator<string> {
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + PART_LENGTH
    if (text.charCodeAt(end - 1) >>> 10 === 0xd800 >>> 10) end--
    yield text.slice(at, end)
  }
}
