import type { RowProblem } from './fields.ts'
import { type RawRow, sourceText } from './row.ts'

const OWN_COLUMNS = ['_row', '_code', '_message']

interface FailureReason {
  code: string
  message: string
}

/** Stands for a value that is spoilt or in doubt. Fed back, it is refused until somebody writes the value. */
const REFUSED = '#NUM!'

/**
 * Writes failed rows so that they can be fed back: cells as the input had them, formulas included, but for values
 * that are spoilt or in doubt. The service's words can't be a formula.
 */
export function failedCsv(columns: readonly string[]) {
  const kept = columns.filter((column) => !OWN_COLUMNS.includes(column))
  const indexes = new WeakMap<readonly string[], number[]>()
  const indexesOf = (names: readonly string[]) => {
    const known = indexes.get(names) ?? indexesIn(kept, names)
    indexes.set(names, known)
    return known
  }
  return {
    header: record([...kept, ...OWN_COLUMNS]),
    line: (
      { row, columns: names, cells }: RawRow,
      { code, message }: FailureReason,
      problems: readonly RowProblem[] = [],
    ) => {
      const spoilt = problems.filter(({ isSpoilt }) => isSpoilt).map(({ column }) => column)
      const values = indexesOf(names).map((at) =>
        spoilt.includes(names[at] ?? '') ? REFUSED : sourceText(cells[at] ?? ''),
      )
      const extra = cells.slice(names.length).map(sourceText)
      return record([...values, String(row), disarmed(code), disarmed(message), ...extra])
    },
  }
}

/** Spreadsheets take such text for a formula, and may run it. */
function disarmed(text: string) {
  return /^(?:\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/.test(text) ? `'${text}` : text
}

export function isFailedCsv(columns: readonly string[]) {
  return OWN_COLUMNS.every((column) => columns.includes(column))
}

/** Pairs unnamed columns in order. */
function indexesIn(kept: readonly string[], names: readonly string[]) {
  const from = new Map<string, number>()
  return kept.map((column) => {
    const at = names.indexOf(column, from.get(column) ?? 0)
    if (at !== -1) from.set(column, at + 1)
    return at
  })
}

function record(cells: readonly string[]) {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(text: string) {
  return /[",\r\n;\t]|^[\s[{]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
