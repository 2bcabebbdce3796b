/**
 * Everything that a terminal would obey or swallow instead of showing: C0, DEL and C1 controls, line separators, lone
 * surrogates, and the invisible characters that hide or reorder text (bidi marks, overrides and isolates, zero-width
 * spaces, fillers, tags, variation selectors).
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
/**
 * Where such a character is part of how something is written: emoji sequences, variants of Han characters in
 * Japanese names, joiners after letters of scripts that join.
 */
const WRITTEN = [
  // The look ahead spares most characters the few thousand sequences behind it.
  '(?=[#*0-9]\\ufe0f|\\p{Extended_Pictographic}|\\p{RI})\\p{RGI_Emoji}',
  '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]',
  '\\p{sc=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '[\\p{sc=Arab}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Taml}\\p{sc=Telu}][\\u200c\\u200d]',
].join('|')
/** Made when first needed: reading the emoji pattern takes 10 ms, which no quick command should pay. */
let writtenOrHidden: RegExp | undefined
/** A mark with nothing before it would attach itself to whatever is printed in front of the text. */
const LEADING_MARK = /^\p{M}/u

const NAMES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text of others, safe to print for people: control and invisible characters become `\n`, `\x1b`, `\u{202e}`.
 *
 * @param keep `'lines'` leaves line feeds as they are; by default the result is one line
 */
export function visible(text: string, keep?: 'lines'): string {
  // Nearly all lines hold nothing to hide, which one look tells.
  if (keep === 'lines')
    return text
      .split('\n')
      .map((line) => visible(line))
      .join('\n')
  const shown = HIDDEN.test(text) ? showHidden(text) : text
  return shown.replace(LEADING_MARK, escaped)
}

function showHidden(text: string): string {
  writtenOrHidden ??= new RegExp(`${WRITTEN}|(${HIDDEN.source})`, 'gv')
  return text.replace(writtenOrHidden, (found: string, hidden: string | undefined) => {
    if (hidden === undefined) return found
    return NAMES[hidden] ?? escaped(hidden)
  })
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
}
