import { numberText, stringifyJson } from '../../wire/json.ts'

/** What a spreadsheet takes for the start of a formula, in the full-width forms too. */
const FORMULA_START = /^[=@\t\r\n\uff1d\uff20\uff0b\uff0d+-]/
/** Phones and amounts start with a sign, and must come through unharmed. */
const SIGNED_DIGITS = /^[+-][\d .]*\d[\d .]*$/

/** One record of RFC 4180, its line end included. Nested values are written as JSON, nothing as an empty cell. */
export function csvRow(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quoted(cellText(cell))).join(',')}\r\n`
}

function cellText(cell: unknown): string {
  if (typeof cell === 'string') return neutralised(cell)
  if (cell === null || cell === undefined) return ''
  // An exact number is an object too, but its JSON is the number.
  return typeof cell === 'object' ? neutralised(stringifyJson(cell)) : numberText(cell)
}

/** A leading apostrophe makes a spreadsheet show the text instead of running it. */
function neutralised(text: string): string {
  return FORMULA_START.test(text) && !SIGNED_DIGITS.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
