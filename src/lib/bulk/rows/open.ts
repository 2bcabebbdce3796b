import { usageError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { jsonOrUndefined } from '../../wire/json.ts'
import { assertSingle, isSameColumn } from './columns.ts'
import { csvRecords, detectDelimiter } from './csv.ts'
import { headText, type InputFile, scanFile, strayByteLine } from './input-file.ts'
import { jsonListRows, ndjsonRows } from './json.ts'
import {
  BATCH_ROWS,
  type Cell,
  isBlank,
  type RawRow,
  type RowCount,
  type RowFile,
  sourceText,
  type TableRow,
} from './row.ts'

interface RowLayout {
  sheet?: string
  /** The header is the first row that has all of these. */
  columns: readonly string[]
  /** False for totals and remarks. */
  isRow(cell: (column: string) => string): boolean
}

export async function openRows(
  path: string,
  { name, layout, blockBytes }: { name: string; layout?: RowLayout; blockBytes?: number },
): Promise<RowFile> {
  const source = await recognise(await tableFile(path, name, blockBytes), layout)
  for await (const _ of source.rows()) return source
  const words = source.header ? 'has a header and no rows' : 'has no rows'
  throw usageError(`${name} ${words}.`, 'give at least one row below the header')
}

/** A title of CSV may begin with a bracket, too. */
const JSON_START = /^\s*(?:\{|\[\s*[\]{])/

async function recognise(file: InputFile, layout: RowLayout | undefined): Promise<RowFile> {
  const { name, bytes, sha256 } = file
  const start = headText(file).trimStart()
  if (start === '') throw emptyFile(file)
  const json = { name, bytes, sha256, header: undefined }
  if (JSON_START.test(start)) {
    if (start.startsWith('[')) return { ...json, format: 'json', rows: () => jsonListRows(file) }
    refuseObject(file, start)
    return { ...json, format: 'ndjson', rows: () => ndjsonRows(file) }
  }
  const { sheets: _, records, ...table } = await tableIn(file, layout?.sheet)
  const top = await firstRow(records(), (row) => layout === undefined || isHeader(row, layout))
  if (top === undefined) throw layout === undefined ? emptyFile(file) : noHeader(file, layout)
  const header = top.cells.map((cell) => sourceText(cell).trim())
  while (table.format === 'xlsx' && header.at(-1) === '') header.pop()
  if (layout) assertSingle(name, header, layout.columns)
  const unseen = { leftOut: { count: 0, first: 0 }, hidden: { count: 0, first: 0 } }
  const isPadded = layout !== undefined || table.format === 'xlsx'
  return {
    ...json,
    ...table,
    header,
    ...unseen,
    rows: () => rowsBelow(top.row, header, records(), { isPadded, isRow: layout?.isRow, ...unseen }),
  }
}

async function tableIn(file: InputFile, wanted: string | undefined) {
  const { head, encoding, bomBytes } = file
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') {
    const { openXlsx } = await import('./xlsx/xlsx.ts')
    return { format: 'xlsx' as const, ...(await openXlsx(file, wanted)) }
  }
  const text = headText(file)
  // Excel doesn't count a first line that names the delimiter.
  const [line = '', named] = /^sep=([,;\t])\r?\n/i.exec(text) ?? []
  const below = { ...file, bomBytes: bomBytes + line.length * (encoding.startsWith('utf-16') ? 2 : 1) }
  const delimiter = named ?? detectDelimiter(text)
  return { format: 'csv' as const, sheets: [], records: () => csvRecords(below, delimiter) }
}

function isHeader({ cells }: TableRow, { columns }: RowLayout) {
  return columns.every((column) => cells.some((cell) => isSameColumn(sourceText(cell), column)))
}

function noHeader({ name }: InputFile, { columns }: RowLayout) {
  return usageError(
    `${name} has no row with all columns of the mapping: ${columns.join(', ')}.`,
    'make a mapping for this file: rma mappings init FILE',
  )
}

interface RowsBelowOptions {
  isPadded: boolean
  isRow?: RowLayout['isRow']
  leftOut: RowCount
  hidden: RowCount
}

function add(rows: RowCount, row: number) {
  rows.first ||= row
  rows.count += 1
}

/** Skips blank rows, and marks rows of another width as faulty. */
async function* rowsBelow(
  headerRow: number,
  columns: readonly string[],
  records: AsyncIterable<readonly TableRow[]>,
  { isPadded, isRow = () => true, leftOut, hidden }: RowsBelowOptions,
): AsyncGenerator<readonly RawRow[]> {
  const names = columns.map((column) => column.toLowerCase())
  const width = columns.length
  for (const rows of [leftOut, hidden]) Object.assign(rows, { count: 0, first: 0 })
  let batch: RawRow[] = []
  for await (const some of records) {
    for (const { row, cells: given, isHidden, isCut } of some) {
      if (row <= headerRow || isBlank(given)) continue
      const cells = isPadded ? padded(given, columns, isCut) : given
      if (!isRow((column) => sourceText(cells[names.indexOf(column.trim().toLowerCase())] ?? ''))) {
        add(leftOut, row)
        continue
      }
      if (isHidden) add(hidden, row)
      batch.push({ row, columns, cells, fault: ragged(cells.length, width) })
    }
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function padded(cells: readonly Cell[], columns: readonly string[], isCut = false): readonly Cell[] {
  const width = columns.length
  if (cells.length > width && isBlank(cells.slice(width))) return cells.slice(0, width)
  // Lines may lack empty cells at their end; the last line may be cut off instead.
  const lacksCells = isCut && !isBlank(columns.slice(cells.length))
  return lacksCells || cells.length >= width ? cells : [...cells, ...Array(width - cells.length).fill('')]
}

function ragged(cells: number, columns: number): RawRow['fault'] {
  if (cells === columns) return undefined
  return {
    message: `${counted(cells, 'cell')}, but the header has ${counted(columns, 'column')}`,
    hint:
      cells > columns
        ? 'put quotes around values that contain the delimiter'
        : 'write every cell, the empty ones too; a last row may be cut off',
  }
}

const HEAD_ROWS = 300

/** Returns the first rows, titles included; none of JSON. */
export async function headOfTable(
  path: string,
  { name, sheet }: { name: string; sheet?: string },
): Promise<{ rows: readonly (readonly string[])[]; sheets: readonly string[] }> {
  const rows: string[][] = []
  const file = await tableFile(path, name)
  if (JSON_START.test(headText(file))) return { rows, sheets: [] }
  const { records, sheets } = await tableIn(file, sheet)
  for await (const batch of records()) {
    rows.push(...batch.map(({ cells }) => cells.map((cell) => sourceText(cell).trim())))
    if (rows.length >= HEAD_ROWS) break
  }
  return { rows: rows.slice(0, HEAD_ROWS), sheets }
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

function emptyFile({ name }: InputFile) {
  return usageError(`${name} is empty.`, 'give a table with a header, or JSON records')
}

const HINT = 'give CSV, NDJSON, a JSON list or an Excel workbook (.xlsx)'

/** First bytes in hexadecimal. */
const SIGNATURES: readonly [signature: string, what: string, hint: string][] = [
  ['1f8b', 'is compressed (gzip)', 'unpack it first: gzip -d FILE'],
  ['28b52ffd', 'is compressed (zstd)', 'unpack it first: zstd -d FILE'],
  ['25504446', 'is a PDF file', HINT],
]
const OLE_SIGNATURE = 'd0cf11e0a1b11ae1'

async function tableFile(path: string, name: string, blockBytes?: number): Promise<InputFile> {
  const file = await scanFile(path, name, blockBytes)
  const { head } = file
  const refuse = (what: string, hint: string): never => {
    throw usageError(`${name} ${what}.`, hint)
  }
  if (file.bytes === 0) throw emptyFile(file)
  const hex = head.toString('hex', 0, 8)
  if (hex === OLE_SIGNATURE) {
    // An encrypted workbook is an OLE archive.
    const isProtected = head.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    if (isProtected) refuse('is protected with a password', 'save it without one')
    refuse(
      'is an Excel file from before 2007 (.xls), or protected with a password',
      'save it as .xlsx without a password, or as CSV',
    )
  }
  for (const [signature, what, hint] of SIGNATURES) if (hex.startsWith(signature)) refuse(what, hint)
  if (/^\s*<[!?a-z]/i.test(headText(file)))
    refuse('is a web page or XML', 'open it in a spreadsheet, and save it as .xlsx')
  if (hex.startsWith('504b0304') || file.encoding.startsWith('utf-16')) return file
  const control = head.filter((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
  // A stray control character is a fault of its row.
  if (control.includes(0) || control.length > head.length / 50) refuse('is a binary file', HINT)
  const line = file.encoding === 'windows-1252' ? await strayByteLine(file) : undefined
  if (line !== undefined) refuse(`is UTF-8, but for a byte in line ${line}`, 'save it again in UTF-8')
  return file
}

function refuseObject({ name }: InputFile, start: string) {
  const [first = '', second] = start.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (second === undefined || second.trimStart().startsWith('{') || jsonOrUndefined(first) !== undefined)
    return
  throw usageError(
    `${name} is one JSON object written over several lines, not a list of records.`,
    'give a list ([{…}, {…}]), or one object a line (jq -c . FILE)',
  )
}
