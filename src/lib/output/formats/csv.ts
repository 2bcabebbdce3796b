import { numberText, stringifyJson } from '../../wire/json.ts'

/** Starts of formulas in spreadsheets, full-width forms too. */
const FORMULA_START = /^[=@\t\r\n\uff1d\uff20\uff0b\uff0d+-]/
/** Phones and amounts with a sign are no formulas. */
const SIGNED_DIGITS = /^[+-][\d .]*\d[\d .]*$/

/** One record of RFC 4180. Nested values are JSON. */
export function csvRow(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quoted(cellText(cell))).join(',')}\r\n`
}

function cellText(cell: unknown) {
  if (typeof cell === 'string') return neutralised(cell)
  if (cell === null || cell === undefined) return ''
  // An exact number's JSON is the number itself.
  return typeof cell === 'object' ? neutralised(stringifyJson(cell)) : numberText(cell)
}

/** A leading apostrophe makes a spreadsheet show the text. */
function neutralised(text: string) {
  return FORMULA_START.test(text) && !SIGNED_DIGITS.test(text) ? `'${text}` : text
}

function quoted(text: string) {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
