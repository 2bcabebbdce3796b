import type { ErrorDetail } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import type { RowProblem } from './fields.ts'

const MAX_KINDS = 1000
const MAX_SHOWN = 20

interface ProblemKind {
  first: RowProblem
  rows: number
  isOneValue: boolean
}

/** Reports each problem of a column once. */
export class ProblemKinds {
  readonly #kinds = new Map<string, ProblemKind>()
  #others = 0

  add(problems: readonly RowProblem[]): void {
    for (const problem of problems) this.#add(problem)
  }

  #add(problem: RowProblem) {
    const { column, message, value, nearest } = problem
    // Each unknown word is a kind of its own, since it has a remedy of its own.
    const key = [column, message, nearest === undefined ? '' : value].join('\0')
    const kind = this.#kinds.get(key)
    if (kind) {
      kind.rows += 1
      if (kind.first.value !== value) kind.isOneValue = false
    } else if (this.#kinds.size < MAX_KINDS) {
      this.#kinds.set(key, { first: problem, rows: 1, isOneValue: true })
    } else this.#others += 1
  }

  details(remedy: string): ErrorDetail[] {
    const kinds = [...this.#kinds.values()].sort((one, other) => other.rows - one.rows)
    const shown = kinds.slice(0, MAX_SHOWN).map((kind) => detailOf(kind, remedy))
    const more = kinds.length - shown.length
    if (more === 0) return shown
    const rows = kinds.slice(MAX_SHOWN).reduce((sum, kind) => sum + kind.rows, this.#others)
    return [...shown, { message: `and ${counted(more, 'more kind')} of mistake, in ${counted(rows, 'row')}` }]
  }

  /** @param unknown remedy for unknown words */
  hints(unknown: string): string[] {
    const hints = [...this.#kinds.values()].map(({ first: { hint, nearest } }) =>
      nearest === undefined ? hint : unknown,
    )
    return [...new Set(hints)].filter((hint) => hint !== undefined).slice(0, MAX_HINTS)
  }
}

const MAX_HINTS = 4

function detailOf({ first, rows, isOneValue }: ProblemKind, remedy: string): ErrorDetail {
  const { row, column, value, message, nearest } = first
  const quoted = JSON.stringify(value)
  if (nearest !== undefined) {
    const where = rows === 1 ? `row ${row}` : `${rows} rows (first: row ${row})`
    const near = nearest === null ? '' : `; nearest: ${nearest}`
    return { path: `column ${column}`, message: `${quoted}: ${message} in ${where}${near}; ${remedy}` }
  }
  if (rows === 1) {
    const path = column === '' ? `row ${row}` : `row ${row}, column ${column}`
    return { path, message: value === '' ? message : `${quoted} ${message}` }
  }
  const example = isOneValue || value === '' ? `row ${row}` : `row ${row}, ${quoted}`
  const what = isOneValue && value !== '' ? `${quoted} ${message}` : message
  return {
    ...(column === '' ? {} : { path: `column ${column}` }),
    message: `${what}, in ${rows} rows (first: ${example})`,
  }
}
