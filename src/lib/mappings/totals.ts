import type { Mapping } from './mapping.ts'

const PATTERN = '^(grand )?(total|totals|summe|gesamt|gesamtsumme|totale|totaal|suma|somme|anzahl|count)\\b'
export const TOTAL = new RegExp(PATTERN, 'i')

interface Table {
  header: readonly string[]
  below: readonly (readonly string[])[]
}

/**
 * Returns the rules that leave out totals, and the status words of all other rows. A total begins with a word
 * such as `Summe` and lacks a status or a return: names, remarks and statuses may begin so, too.
 */
export function withoutTotals(
  { header, below }: Table,
  { id, status }: { id: string | undefined; status: string | undefined },
): { leaveOut: Mapping['leaveOut']; words: string[] } {
  const cellOf = (row: readonly string[], column = '') => row[header.indexOf(column)]?.trim() ?? ''
  const candidates =
    status === undefined ? [id] : header.filter((column) => column !== '' && column !== status)
  const leaveOut = candidates
    .filter((column) => column !== undefined)
    .filter((column) =>
      below.some((row) => TOTAL.test(cellOf(row, column)) && !(status && cellOf(row, status))),
    )
    .map((column) => ({ column, pattern: PATTERN, ...(status !== undefined && { blank: status }) }))
  const words = below
    .filter((row) => !TOTAL.test(cellOf(row, status)) || id === undefined || cellOf(row, id) !== '')
    .map((row) => cellOf(row, status))
  return { leaveOut, words: words.filter((word) => status !== undefined && word !== '') }
}
