import { AppError } from '../../errors.ts'
import { asDelimiter, csvRecords, delimiterBelowTitles, detectDelimiter } from './csv.ts'
import { fromHead } from './encoding.ts'
import { type InputFile, type OpenOptions, type RowLayout, scanFile } from './input-file.ts'
import { jsonListRows } from './json-list.ts'
import { ndjsonRows } from './ndjson.ts'
import { isBlank, type RawRow, type RowFile, sourceText } from './row.ts'
import { assertSingle, headerOf, rowsBelow, type TableRow } from './table.ts'

/**
 * Recognises a file by its content and makes sure that there is a row in it.
 *
 * @throws AppError `usage` if it is empty, has a header alone, or is nothing that holds rows
 */
export async function openRows(path: string, options: OpenOptions): Promise<RowFile> {
  const file = await scanFile(path, options)
  const { name, bytes, sha256 } = file
  refuseOthers(file)
  const source: RowFile = { name, bytes, sha256, ...(await recognise(file, options.layout)) }
  for await (const _ of source.rows()) return source
  const words = source.header ? 'has a header and no rows' : 'has no rows'
  throw new AppError('usage', `${name} ${words}.`, { hints: ['give at least one row below the header'] })
}

type Recognised = Omit<RowFile, 'name' | 'bytes' | 'sha256'>

async function recognise(file: InputFile, layout: RowLayout | undefined): Promise<Recognised> {
  if (file.head.toString('latin1', 0, 4) === 'PK\x03\x04') {
    const { openXlsx } = await import('./xlsx/xlsx.ts')
    const { sheet, records } = await openXlsx(file, layout?.sheet)
    return { format: 'xlsx', encoding: 'utf-8', sheet, ...(await table(file, records, layout)) }
  }
  const { encoding } = file
  const head = fromHead(file.head.subarray(file.markBytes), encoding)
  const start = head.trimStart()
  if (start === '') throw emptyFile(file)
  if (start.startsWith('[')) {
    return { format: 'json', encoding, header: undefined, rows: () => jsonListRows(file) }
  }
  if (start.startsWith('{')) {
    refuseObject(file, start)
    return { format: 'ndjson', encoding, header: undefined, rows: () => ndjsonRows(file) }
  }
  // Excel's own way to say it; Excel doesn't count the line.
  const [line = '', said] = /^sep=([,;\t])\r?\n/i.exec(head) ?? []
  const below = { ...file, markBytes: file.markBytes + line.length * (encoding.startsWith('utf-16') ? 2 : 1) }
  const delimiter = asDelimiter(said) ?? (layout ? delimiterBelowTitles(head) : detectDelimiter(head))
  return {
    format: 'csv',
    encoding,
    delimiter,
    ...(await table(file, () => csvRecords(below, delimiter), layout)),
  }
}

async function table(
  file: InputFile,
  records: () => AsyncGenerator<TableRow[]>,
  layout: RowLayout | undefined,
): Promise<{ header: readonly string[]; rows: () => AsyncGenerator<readonly RawRow[]> }> {
  const top = await firstRow(records(), (row) => layout === undefined || isHeader(row, layout))
  if (top === undefined) throw layout === undefined ? emptyFile(file) : noHeader(file, layout)
  const header = headerOf(top)
  if (layout) {
    assertSingle(file.name, header, layout.columns)
    return { header, rows: () => rowsOfLayout(header, top.row, records(), layout) }
  }
  return { header, rows: () => rowsBelow(header, records()) }
}

function isHeader({ cells }: TableRow, { columns }: RowLayout): boolean {
  const names = cells.map((cell) => sourceText(cell).trim().toLowerCase())
  return columns.every((column) => names.includes(column.trim().toLowerCase()))
}

function noHeader({ name }: InputFile, { columns }: RowLayout): AppError {
  return new AppError('usage', `${name} has no row with all columns of the mapping: ${columns.join(', ')}.`, {
    hints: [`make a mapping for this file: rma mappings init ${name}`],
  })
}

/** Title rows and totals have other widths: cells that are missing at the end are empty. */
async function* rowsOfLayout(
  header: readonly string[],
  headerRow: number,
  records: AsyncGenerator<TableRow[]>,
  { isRow }: RowLayout,
): AsyncGenerator<readonly RawRow[]> {
  const fitted = async function* () {
    for await (const batch of records) {
      yield batch
        .filter(({ row }) => row >= headerRow)
        .map(({ row, cells }) => ({ row, cells: padded(cells, header.length) }))
    }
  }
  for await (const batch of rowsBelow(header, fitted())) {
    const kept = batch.filter(({ cells }) =>
      isRow((column) => sourceText(cells[header.findIndex((one) => isSameName(one, column))] ?? '')),
    )
    if (kept.length > 0) yield kept
  }
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase()
}

function padded(cells: TableRow['cells'], width: number): TableRow['cells'] {
  if (cells.length > width && isBlank(cells.slice(width))) return cells.slice(0, width)
  return [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => '')]
}

const HEAD_ROWS = 300

/**
 * The first rows of a table as they stand, its titles included.
 * @throws AppError `usage` if it is no table
 */
export async function headOfTable(
  path: string,
  { name, sheet }: { name: string; sheet?: string | undefined },
): Promise<{ rows: readonly (readonly string[])[]; sheets: readonly string[] }> {
  const rows: string[][] = []
  const file = await scanFile(path, { name })
  refuseOthers(file)
  const { records, sheets } = await recordsOf(file, sheet)
  for await (const batch of records()) {
    rows.push(...batch.map(({ cells }) => cells.map((cell) => sourceText(cell).trim())))
    if (rows.length >= HEAD_ROWS) break
  }
  return { rows: rows.slice(0, HEAD_ROWS), sheets }
}

async function recordsOf(
  file: InputFile,
  sheet: string | undefined,
): Promise<{ records: () => AsyncGenerator<TableRow[]>; sheets: readonly string[] }> {
  if (file.head.toString('latin1', 0, 4) === 'PK\x03\x04') {
    const { openXlsx } = await import('./xlsx/xlsx.ts')
    const opened = await openXlsx(file, sheet)
    return { records: opened.records, sheets: opened.names }
  }
  const head = fromHead(file.head.subarray(file.markBytes), file.encoding)
  const delimiter = delimiterBelowTitles(head)
  return { records: () => csvRecords(file, delimiter), sheets: [] }
}

async function firstRow(
  records: AsyncGenerator<TableRow[]>,
  isWanted: (row: TableRow) => boolean,
): Promise<TableRow | undefined> {
  for await (const batch of records) {
    const row = batch.find((one) => !isBlank(one.cells) && isWanted(one))
    if (row) return row
  }
  return undefined
}

function emptyFile({ name }: InputFile): AppError {
  return new AppError('usage', `${name} is empty.`, {
    hints: ['give a table with a header, or JSON records'],
  })
}

const HINT = 'give CSV, NDJSON, a JSON list or an Excel workbook (.xlsx)'

/** First bytes of files that are no tables, in hexadecimal. */
const SIGNATURES: readonly [signature: string, what: string, hint: string][] = [
  ['1f8b', 'is compressed (gzip)', 'unpack it first: gzip -dc FILE | rma … --file -'],
  ['28b52ffd', 'is compressed (zstd)', 'unpack it first: zstd -dc FILE | rma … --file -'],
  ['25504446', 'is a PDF file', HINT],
]
const OLE_SIGNATURE = 'd0cf11e0a1b11ae1'

function refuseOthers(file: InputFile): void {
  const { head, name } = file
  const refuse = (what: string, hint: string): never => {
    throw new AppError('usage', `${name} ${what}.`, { hints: [hint] })
  }
  if (file.bytes === 0) throw emptyFile(file)
  const hex = head.toString('hex', 0, 8)
  if (hex === OLE_SIGNATURE) {
    // An encrypted workbook is an archive of the old kind around the new one.
    const isProtected = head.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    if (isProtected) refuse('is protected with a password', 'save it without one')
    refuse(
      'is an Excel file from before 2007 (.xls), or protected with a password',
      'save it as .xlsx without a password, or as CSV',
    )
  }
  for (const [signature, what, hint] of SIGNATURES) if (hex.startsWith(signature)) refuse(what, hint)
  if (hex.startsWith('504b0304') || file.encoding.startsWith('utf-16')) return
  const control = head.filter((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
  // A stray one is a mistake in a cell, and is told there.
  if (control.includes(0) || control.length > head.length / 50) refuse('is a binary file', HINT)
}

/** One object is a record only if it is alone on its line. */
function refuseObject({ name }: InputFile, start: string): void {
  const [first = '', second] = start.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (second === undefined || second.trimStart().startsWith('{') || isJson(first)) return
  throw new AppError(
    'usage',
    `${name} is one JSON object written over several lines, not a list of records.`,
    {
      hints: ['give a list ([{…}, {…}]), or one object a line (jq -c . FILE | rma … --file -)'],
    },
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
