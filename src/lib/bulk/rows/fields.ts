import type { ColumnMapping, FieldKind } from './columns.ts'
import type { Cell, RawRow } from './row.ts'
import { sourceText } from './row.ts'

/** Why a row can't be sent. */
export interface RowProblem {
  row: number
  /** Name in the file; empty for a problem of the whole row. */
  column: string
  /** Value in the file, cut at 80 characters. */
  value: string
  message: string
  hint?: string
  /** For a word that is none of those that there are: the one that may be meant; null if none is near. */
  nearest?: string | null
}

export interface RowFields {
  /** Trimmed values by field; empty ones are left out. */
  values: Record<string, string>
  problems: readonly RowProblem[]
}

interface ValueFault {
  message: string
  hint?: string
}

export const AS_TEXT_HINT =
  'format the column as text in the spreadsheet, enter it again, and export it again'

const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d+E[+-]?|E[+-])\d+$/i
/** With halves of characters, which no encoding can carry. */
const CONTROL = /[\x00-\x1f\x7f-\x9f\p{Cs}]/u
const CONTROL_BUT_LINES = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Cs}]/u
const FORMULA_ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/
const NO_PROBLEMS: readonly RowProblem[] = []

/** Applies a mapping to a row and checks each value by the kind of its field. Dates are not read, only carried. */
export function readFields(raw: RawRow, mapping: ColumnMapping): RowFields {
  const values: Record<string, string> = {}
  if (raw.fault) return { values, problems: [{ row: raw.row, column: '', value: '', ...raw.fault }] }
  let problems: RowProblem[] | undefined
  const report = (column: string, value: string, fault: ValueFault) => {
    problems ??= []
    problems.push({ row: raw.row, column, value: value.slice(0, 80), ...fault })
  }
  const { bound, missing, doubled } = mapping.bind(raw.columns)
  for (const { field, at, column } of bound) {
    const cell = raw.cells[at] ?? ''
    const text = sourceText(cell).trim()
    if (text === '') {
      if (field.required) report(column, '', { message: `${field.name} is empty` })
      continue
    }
    const fault = faultOf(field.kind, cell, text)
    if (fault) report(column, text, fault)
    else values[field.name] = text
  }
  for (const field of missing) report(field.name, '', { message: `${field.name} is missing` })
  for (const { field, columns } of doubled) {
    report(columns.join(', '), '', { message: `${columns.length} values for ${field.name}` })
  }
  return { values, problems: problems ?? NO_PROBLEMS }
}

function faultOf(kind: FieldKind, cell: Cell, text: string): ValueFault | undefined {
  if (typeof cell !== 'string' && 'json' in cell) return { message: 'a list or an object, not one value' }
  if ((kind === 'text' ? CONTROL_BUT_LINES : CONTROL).test(text)) {
    return { message: 'holds control characters', hint: 'remove them: line ends and tabs count' }
  }
  if (FORMULA_ERROR.test(text)) {
    return { message: 'the error of a formula', hint: 'mend the formula, or put the value in its place' }
  }
  if (kind === 'text') return undefined
  const isNumber = typeof cell !== 'string'
  if (kind === 'date') {
    return isNumber
      ? { message: 'a number, not a date', hint: 'write dates as 2026-03-01 or 2026-03-01T10:00:00Z' }
      : undefined
  }
  if (isNumber) return numberFault(text)
  return SCIENTIFIC.test(text)
    ? { message: 'a number in scientific notation: digits are lost', hint: AS_TEXT_HINT }
    : undefined
}

/** An identifier that the file holds as a number is sound only if no program could have rounded it. */
function numberFault(text: string): ValueFault | undefined {
  if (/e/i.test(text)) {
    return { message: 'a number in scientific notation: digits are lost', hint: AS_TEXT_HINT }
  }
  if (!/^\d+$/.test(text)) return { message: 'a number that is not whole', hint: AS_TEXT_HINT }
  // A double holds 15 digits of any number, which is what a spreadsheet keeps and JSON programs can rely on.
  return text.length > 15
    ? { message: 'a number of more than 15 digits, of which the last may be rounded', hint: AS_TEXT_HINT }
    : undefined
}
