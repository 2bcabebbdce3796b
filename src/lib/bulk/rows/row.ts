import { counted } from '../../wire/counted.ts'

export type Cell = string | { readonly number: string } | { readonly json: string }

export interface RawRow {
  /** CSV and XLSX: the row that a spreadsheet shows; NDJSON: the line; JSON list: the position from 1. */
  readonly row: number
  readonly columns: readonly string[]
  readonly cells: readonly Cell[]
  readonly fault?: { readonly message: string; readonly hint?: string }
}

export type RowEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface RowFile {
  readonly name: string
  readonly format: 'csv' | 'ndjson' | 'json' | 'xlsx'
  readonly sheet?: { readonly name: string; readonly sheets: number }
  /** Absent for NDJSON and JSON, where every record has its own columns. */
  readonly header: readonly string[] | undefined
  readonly bytes: number
  readonly sha256: string
  /** Rows that the layout leaves out; complete after a pass, like `hidden`. */
  readonly leftOut?: RowCount
  /** Rows that a spreadsheet hides, by a filter for instance, and that are read too. */
  readonly hidden?: RowCount
  /**
   * Yields batches that are never empty. @throws AppError `usage` if the file is damaged, or was changed since it was
   * opened
   */
  rows(): AsyncGenerator<readonly RawRow[]>
}

export interface RowCount {
  count: number
  first: number
}

/** Warns of visible rows that are left out, and of hidden rows that are sent. */
export function unseenRows({ leftOut, hidden }: Pick<RowFile, 'leftOut' | 'hidden'>): string[] {
  const text = (rows: RowCount | undefined, what: (count: number) => string) => {
    if (rows === undefined || rows.count === 0) return []
    return [`${what(rows.count)} (${rows.count === 1 ? '' : 'first: '}row ${rows.first})`]
  }
  return [
    ...text(leftOut, (count) => `The mapping leaves out ${counted(count, 'row')}`),
    ...text(hidden, (count) => `${counted(count, 'hidden row is', 'hidden rows are')} read too`),
  ]
}

export type TableRow = Pick<RawRow, 'row' | 'cells'> & {
  readonly isHidden?: boolean
  /** The file ends in the row. */
  readonly isCut?: boolean
}

export const BATCH_ROWS = 512

/** Bounds what an unclosed quotation mark reads into memory. */
export const MAX_RECORD_BYTES = 1_048_576

/** Errors of formulas in the language of the spreadsheet: `#N/A`, `#NV`, `#¡REF!`, `#NOM?`. */
export const FORMULA_ERROR =
  /^(?:#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]|#(?:NV|N\/[ABDV]|I\/T|YOK|GETTING_DATA)|Err:\d{3})$/u

export function sourceText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return 'number' in cell ? cell.number : cell.json
}

export function isBlank(cells: readonly Cell[]) {
  return cells.every((cell) => typeof cell === 'string' && cell.trim() === '')
}
