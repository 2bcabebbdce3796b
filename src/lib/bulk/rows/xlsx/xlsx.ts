import type { Readable } from 'node:stream'
import { AppError, causedBy, messageOf, usageError } from '../../../errors.ts'
import { assertUnchanged, fileBytes, type InputFile } from '../input-file.ts'
import { type Cell, FORMULA_ERROR, isBlank, type TableRow } from '../row.ts'
import {
  CellText,
  dateText,
  inZip,
  readWorkbook,
  readXml,
  TooLargeError,
  unescaped,
  type Workbook,
  type Worksheet,
  type Zip,
} from './workbook.ts'

/** Size above which rows are counted before a sheet is parsed. */
const MANY_BYTES = 50_000_000

/** Opens the sheet of that name, else the first with rows below a header, else the first. @throws AppError `usage` */
export async function openXlsx(file: InputFile, wanted?: string) {
  let found: { workbook: Workbook; sheet: Worksheet } | undefined
  for await (found of inWorkbook(file, (zip) => chooseSheet(zip, wanted))) break
  if (found === undefined && wanted !== undefined) {
    throw usageError(`${file.name} has no sheet "${wanted}".`)
  }
  if (found === undefined) throw damaged(file, new Error('it has no sheet'))
  const { workbook, sheet } = found
  const open = async function* (zip: Zip) {
    yield* sheetRows(await zip.open(sheet.path), workbook)
  }
  return {
    sheet: { name: sheet.name, sheets: workbook.sheets.length },
    sheets: workbook.sheets.map(({ name }) => name),
    async *records() {
      for await (const _ of fileBytes(file));
      for await (const rows of inWorkbook(file, open)) {
        await assertUnchanged(file)
        yield rows
      }
      await assertUnchanged(file)
    },
  }
}

async function* chooseSheet(
  zip: Zip,
  wanted: string | undefined,
): AsyncGenerator<{ workbook: Workbook; sheet: Worksheet }> {
  const workbook = await readWorkbook(zip)
  const sheets = workbook.sheets.filter(({ name }) => wanted === undefined || name === wanted)
  for (const sheet of sheets) {
    if (zip.unpackedBytes(sheet.path) > MANY_BYTES) await refuseManyRows(await zip.open(sheet.path))
    if (await hasRows(zip, workbook, sheet)) yield { workbook, sheet }
  }
  for (const sheet of sheets) yield { workbook, sheet }
}

async function hasRows(zip: Zip, workbook: Workbook, sheet: Worksheet) {
  let rows = 0
  for await (const batch of sheetRows(await zip.open(sheet.path), workbook)) {
    rows += batch.filter(({ cells }) => !isBlank(cells)).length
    if (rows > 1) return true
  }
  return false
}

async function* inWorkbook<T>(file: InputFile, use: (zip: Zip) => AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* inZip(file.path, (zip) => {
      if (zip.isWorkbook()) return use(zip)
      throw usageError(
        `${file.name} is a zip archive, but no Excel workbook (.xlsx).`,
        'save the table as .xlsx or as CSV; give the file inside the archive, not the archive',
      )
    })
  } catch (error) {
    if (error instanceof TooLargeError) {
      throw causedBy(
        error,
        'usage',
        `${file.name} ${error.message}: too large to be read as .xlsx.`,
        'save its rows as CSV, which has no such limit',
        'or split it, and remove empty rows and columns',
      )
    }
    throw error instanceof AppError ? error : damaged(file, error)
  }
}

function damaged({ name }: InputFile, cause: unknown) {
  return causedBy(
    cause,
    'usage',
    `${name} is an Excel workbook that can't be read: ${messageOf(cause)}.`,
    'save it again as .xlsx, without a password, or as CSV',
  )
}

const MAX_COLUMNS = 16_384
const MAX_ROWS = 2_000_000
const TOO_MANY_ROWS = 'has more than 2 million rows'
/** Replaces errors whose text is unknown or missing. */
const FAULTY = '#VALUE!'
/** Double as Java prints it, which spreadsheets show in full. */
const JAVA_DOUBLE = /^(-?)(\d)\.(\d+)E(\d+)$/

/** Parsing takes ten times as long as counting. @throws TooLargeError */
async function refuseManyRows(stream: Readable) {
  let rows = 0
  for await (const chunk of stream) {
    for (let at = chunk.indexOf('<row'); at !== -1; at = chunk.indexOf('<row', at + 1)) rows += 1
    if (rows > MAX_ROWS + 1) throw new TooLargeError(TOO_MANY_ROWS)
  }
}

/** Yields rows that have cells, with the last results of formulas. */
async function* sheetRows(
  stream: Readable,
  { sharedStrings, cellStyles, is1904 }: Workbook,
): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = []
  let row = 0
  let isHidden = false
  let cells: Cell[] = []
  let column = 0
  let type = 'n'
  let style = 0
  let rows = 0
  /** Value of an empty cell: an error if it has a formula without a stored result. */
  let empty = ''
  const content = new CellText()

  const value = (): Cell => {
    const { text } = content
    switch (type) {
      case 's': {
        const shared = sharedStrings[Number(text)]
        if (text !== '' && shared === undefined) throw new Error(`row ${row} names a text that is missing`)
        return shared ?? ''
      }
      case 'b':
        return text.trim() === '1' ? 'true' : 'false'
      case 'e':
        return FORMULA_ERROR.test(text) ? text : FAULTY
      case 'n':
        return text.trim() === '' ? empty : numberCell(text.trim(), cellStyles[style], is1904)
      default:
        return unescaped(text)
    }
  }

  const handlers = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      content.see(name, true)
      if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
        type = attributes.t ?? 'n'
        style = Number(attributes.s ?? 0)
        content.text = ''
        empty = ''
      } else if (name === 'f') empty = FAULTY
      else if (name === 'row') {
        rows += 1
        if (rows > MAX_ROWS) throw new TooLargeError(TOO_MANY_ROWS)
        const given = Number(attributes.r ?? row + 1)
        if (!Number.isInteger(given) || given <= row)
          throw new Error(`row "${attributes.r}" comes after row ${row}`)
        row = given
        isHidden = /^(?:1|true)$/.test(attributes.hidden ?? '')
        cells = []
        column = 0
      }
    },
    text: (piece: string) => content.add(piece),
    close(name: string) {
      content.see(name, false)
      if (name === 'c') {
        const cell = value()
        if (cell === '') return
        while (cells.length < column - 1) cells.push('')
        cells[column - 1] = cell
      } else if (name === 'row' && cells.length > 0) batch.push({ row, cells, isHidden })
    },
  }
  for await (const _ of readXml(stream, handlers)) {
    if (batch.length === 0) continue
    yield batch
    batch = []
  }
}

function columnOf(reference: string) {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  if (column < 1 || column > MAX_COLUMNS) throw new Error(`there is no cell ${reference}`)
  return column
}

function numberCell(text: string, style: Workbook['cellStyles'][number], is1904: boolean): Cell {
  const date = typeof style === 'string' ? dateText(Number(text), style, is1904) : undefined
  const number = plainNumber(text)
  // The format shows leading zeros.
  const isPadded = typeof style === 'number' && /^\d+$/.test(number)
  return date ?? { number: isPadded ? number.padStart(style, '0') : number }
}

/** Some writers give whole numbers a fraction (`1001.0`) or an exponent (`1.2345678E7`). */
function plainNumber(text: string) {
  const [, sign, first = '', fraction = '', exponent] = JAVA_DOUBLE.exec(text) ?? []
  if (exponent === undefined) return text.replace(/^(-?\d+)\.0+$/, '$1')
  const digits = fraction.replace(/0+$/, '')
  const places = Number(exponent)
  return digits.length > places || places > 15 ? text : `${sign}${first}${digits.padEnd(places, '0')}`
}
