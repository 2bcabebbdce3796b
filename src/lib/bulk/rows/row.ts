/** A value as the file has it: text, a number with its digits as written, or a list or object as JSON text. */
export type Cell = string | { readonly number: string } | { readonly json: string }

/** One record of an input file, before anybody asked what it means. */
export interface RawRow {
  /**
   * Number for people: in CSV and XLSX the row that a spreadsheet shows (the header is usually 1, the first record 2;
   * blank rows count), in NDJSON the line, in a JSON list the position from 1.
   */
  readonly row: number
  /** Names of the cells. The same array object for all rows that have the same columns. */
  readonly columns: readonly string[]
  /** One cell for each column, unless there is a fault. */
  readonly cells: readonly Cell[]
  readonly fault?: RowFault
}

export interface RowFault {
  readonly message: string
  readonly hint?: string
}

export type RowFormat = 'csv' | 'ndjson' | 'json' | 'xlsx'
export type RowEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** An input file that has been recognised; it holds no open file. */
export interface RowFile {
  readonly name: string
  readonly format: RowFormat
  readonly delimiter?: ',' | ';' | '\t'
  /** Always UTF-8 for XLSX. */
  readonly encoding: RowEncoding
  /** Sheet of a workbook that is read, and the number of sheets. */
  readonly sheet?: { readonly name: string; readonly sheets: number }
  /** Names of the columns without spaces around them; undefined for NDJSON and JSON, where every record has its own. */
  readonly header: readonly string[] | undefined
  readonly bytes: number
  /** SHA-256 of the whole file, in lower-case hexadecimal. */
  readonly sha256: string
  /**
   * Reads the file from its start, in batches because a promise for each row is too dear. Never empty.
   *
   * @throws AppError `usage` if the file is damaged, or is not the one any more that was opened
   */
  rows(): AsyncGenerator<readonly RawRow[]>
}

export const BATCH_ROWS = 512

/** A quotation mark that is never closed must not read the rest of the file into memory. */
export const MAX_RECORD_BYTES = 1_048_576

export function sourceText(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return 'number' in cell ? cell.number : cell.json
}

/** True for cells of nothing but spaces, which spreadsheets leave below a table. */
export function isBlank(cells: readonly Cell[]): boolean {
  return cells.every((cell) => typeof cell === 'string' && cell.trim() === '')
}
