/** Value as the file has it: text, a number with its digits as written, or a list or object as JSON text. */
export type Cell = string | { readonly number: string } | { readonly json: string }

/** Record of an input file, not interpreted yet. */
export interface RawRow {
  /**
   * Number for people. CSV and XLSX: the row that a spreadsheet shows; NDJSON: the line; JSON list: the position from 1.
   */
  readonly row: number
  /** Names of the cells; the same array for all rows with the same columns. */
  readonly columns: readonly string[]
  /** One cell for each column, unless there is a fault. */
  readonly cells: readonly Cell[]
  readonly fault?: { readonly message: string; readonly hint?: string } | undefined
}

export type RowEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Recognised input file; holds no open file. */
export interface RowFile {
  readonly name: string
  readonly format: 'csv' | 'ndjson' | 'json' | 'xlsx'
  readonly delimiter?: string | undefined
  readonly encoding: RowEncoding
  /** Sheet that is read, and the number of sheets of the workbook. */
  readonly sheet?: { readonly name: string; readonly sheets: number } | undefined
  /** Trimmed column names; undefined for NDJSON and JSON, where every record has its own. */
  readonly header: readonly string[] | undefined
  readonly bytes: number
  /** SHA-256 of the whole file, in lower-case hexadecimal. */
  readonly sha256: string
  /**
   * Reads the file from its start, in batches that are never empty.
   *
   * @throws AppError `usage` if the file is damaged, or was changed since it was opened
   */
  rows(): AsyncGenerator<readonly RawRow[]>
}

/** Record of a format whose first record names the columns. */
export type TableRow = Pick<RawRow, 'row' | 'cells'>

export const BATCH_ROWS = 512

/** Keeps an unclosed quotation mark from reading the rest of the file into memory. */
export const MAX_RECORD_BYTES = 1_048_576

export function sourceText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return 'number' in cell ? cell.number : cell.json
}

export function isBlank(cells: readonly Cell[]): boolean {
  return cells.every((cell) => typeof cell === 'string' && cell.trim() === '')
}
