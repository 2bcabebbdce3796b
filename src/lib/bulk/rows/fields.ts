import type { ColumnMapping, FieldSpec } from './columns.ts'
import { type Cell, FORMULA_ERROR, type RawRow, sourceText } from './row.ts'

export interface RowProblem {
  row: number
  /** Empty for a problem of the whole row. */
  column: string
  value: string
  message: string
  hint?: string
  /** Known word that an unknown one may mean; null if none is near. */
  nearest?: string | null
  /** True if the value must not be sent until a person has entered it again. */
  mustBeRetyped?: boolean
}

/** Remedy for a value that a spreadsheet has spoilt. */
export const SPOILT = {
  hint: 'format the column as text in the spreadsheet, enter it again, and export it again',
  mustBeRetyped: true,
}

const SCIENTIFIC = /^[+-]?\d+(?:[.,]\d+E[+-]?|E[+-])\d+$/i
/** Includes lone surrogates, which no encoding can carry. */
const CONTROL = /[\x00-\x1f\x7f-\x9f\p{Cs}\p{Cf}]/u
const CONTROL_BUT_LINES = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Cs}]/u

type ValueFault = Pick<RowProblem, 'message' | 'hint' | 'mustBeRetyped'>

/** Leaves empty values out. */
export function readFields(raw: RawRow, mapping: ColumnMapping) {
  const values: Record<string, string> = {}
  const problems: RowProblem[] = []
  const refuse = (column: string, value: string, fault: ValueFault) => {
    problems.push({ row: raw.row, column, value: value.slice(0, 80), ...fault })
  }
  if (raw.fault) {
    refuse('', '', raw.fault)
    return { values, problems }
  }
  const { bound, missing, doubled } = mapping.bind(raw.columns)
  for (const { field, at, column } of bound) {
    const cell = raw.cells[at] ?? ''
    // Some exports write `="0086"`, so that a spreadsheet keeps the zeros.
    const text = sourceText(cell)
      .trim()
      .replace(/^="(.*)"$/, '$1')
      .replace(/^'(?=\d)/, field.kind === 'text' ? "'" : '')
    if (text === '') {
      if (field.required) refuse(column, '', { message: `${field.name} is empty` })
      continue
    }
    const fault = faultOf(field.kind, cell, text)
    if (fault) refuse(column, text, fault)
    else values[field.name] = text
  }
  for (const field of missing) refuse(field.name, '', { message: 'is missing' })
  for (const { field, columns } of doubled) {
    refuse(columns.join(', '), '', { message: `${columns.length} values for ${field.name}` })
  }
  return { values, problems }
}

const LOST_DIGITS = { message: 'a number in scientific notation: digits are lost', ...SPOILT }

function faultOf(kind: FieldSpec['kind'], cell: Cell, text: string): ValueFault | undefined {
  if (typeof cell !== 'string' && 'json' in cell) return { message: 'a list or an object, not one value' }
  const isText = kind === 'text'
  if ((isText ? CONTROL_BUT_LINES : CONTROL).test(text)) {
    const hint = isText ? 'remove them' : 'type the value anew: line ends, tabs and invisible marks count'
    return { message: 'holds control characters', hint }
  }
  if (FORMULA_ERROR.test(text)) {
    return { message: 'the error of a formula', hint: 'correct the formula, or replace it by its value' }
  }
  if (isText) return undefined
  const isNumber = typeof cell !== 'string'
  if (kind === 'date') {
    return isNumber
      ? { message: 'a number, not a date', hint: 'write dates as 2026-03-01 or 2026-03-01T10:00:00Z' }
      : undefined
  }
  if (!isNumber) return SCIENTIFIC.test(text) ? LOST_DIGITS : undefined
  if (/e/i.test(text)) return LOST_DIGITS
  if (!/^\d+$/.test(text)) return { message: 'a number that is not whole', ...SPOILT }
  // A double is exact to 15 digits.
  return /[1-9]\d{15}/.test(text)
    ? { message: 'a number of more than 15 digits, of which the last may be rounded', ...SPOILT }
    : undefined
}
