import type { RowProblem } from './fields.ts'
import { type RawRow, sourceText } from './row.ts'

const OWN_COLUMNS = ['_row', '_code', '_message']

interface FailureReason {
  code: string
  message: string
}

/** Replaces a spoilt or doubtful value, so that the row is refused until somebody enters the value. */
const REFUSED = '#NUM!'

/**
 * Writes failed rows as input for a new push: cells as they were, formulas included, except spoilt or doubtful values.
 * Texts of the service are escaped against formulas.
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
      const spoilt = problems.filter((problem) => problem.mustBeRetyped).map(({ column }) => column)
      const values = indexesOf(names).map((at) =>
        spoilt.includes(names[at] ?? '') ? REFUSED : sourceText(cells[at] ?? ''),
      )
      const extra = cells.slice(names.length).map(sourceText)
      return record([...values, String(row), disarmed(code), disarmed(message), ...extra])
    },
  }
}

/** Prevents formula injection. */
function disarmed(text: string) {
  return /^(?:\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/.test(text) ? `'${text}` : text
}

export function isFailedCsv(columns: readonly string[]) {
  return OWN_COLUMNS.every((column) => columns.includes(column))
}

/** Pairs columns of equal names in order. */
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
