import names from './header-words.json'
import { plainWords } from './status-words.ts'

/** Normalised names of columns in English, German, French, Spanish, Italian and Dutch; best first. */
const FIELDS = Object.entries(names.fields).map(([field, list]) => ({
  field,
  patterns: list.map((source) => new RegExp(source)),
}))
const TIME = new RegExp(names.time)

export function readHeader(cells: readonly string[]) {
  const plain = cells.map(plainWords)
  const columns: Record<string, string> = {}
  for (const { field, patterns } of FIELDS) {
    for (const pattern of patterns) {
      const taken = Object.values(columns)
      const column = cells.find((cell, at) => pattern.test(plain[at] ?? '') && !taken.includes(cell))
      if (column === undefined) continue
      columns[field] = column
      break
    }
  }
  return { columns, timeColumn: cells[plain.findIndex((cell) => TIME.test(cell))] }
}

const SAMPLE_ROWS = 20
const DIGIT = /\d/

/**
 * Returns the row that least resembles data: cells without digits above columns that have them. -1 if no row does so
 * in two columns.
 */
export function headerByShape(rows: readonly (readonly string[])[]): number {
  const scores = rows.map((cells, at) => {
    const names = cells.filter((cell) => cell !== '')
    if (new Set(names).size < names.length) return 0
    const below = rows.slice(at + 1, at + 1 + SAMPLE_ROWS)
    return cells.reduce((score, cell, column) => {
      const values = below.map((row) => row[column] ?? '').filter((value) => value !== '')
      const digits = values.filter((value) => DIGIT.test(value)).length
      if (cell === '' || values.length === 0) return score
      return DIGIT.test(cell) ? score - 1 : score + (digits > values.length / 2 ? 1 : 0)
    }, 0)
  })
  const best = Math.max(...scores)
  return best < 2 ? -1 : scores.indexOf(best)
}
