import { AppError } from '../../../errors.ts'
import { assertSameBytes, assertUnchanged, type InputFile } from '../input-file.ts'
import { type Cell, isBlank } from '../row.ts'
import type { TableRow } from '../table.ts'
import { refuseManyRows, sheetRows } from './sheet.ts'
import { inZip, readWorkbook, type Workbook, type Worksheet, type Zip } from './workbook.ts'
import { TooLargeError } from './xml.ts'

/** Fewer are parsed within seconds. */
const MANY_BYTES = 50_000_000

export interface XlsxTable {
  sheet: { name: string; sheets: number }
  /** Names of all sheets. */
  names: readonly string[]
  records(): AsyncGenerator<TableRow[]>
}

/**
 * The sheet of that name, else the first that has rows below a header; if none has, the first.
 *
 * @throws AppError `usage` if it is another kind of zip, or damaged, or has no such sheet
 */
export async function openXlsx(file: InputFile, wanted?: string): Promise<XlsxTable> {
  const found = await first(inWorkbook(file, (zip) => chooseSheet(zip, wanted)))
  if (found === undefined && wanted !== undefined) {
    throw new AppError('usage', `${file.name} has no sheet "${wanted}".`)
  }
  if (found === undefined) throw damaged(file, new Error('it has no sheet'))
  const { workbook, sheet } = found
  return {
    sheet: { name: sheet.name, sheets: workbook.sheets.length },
    names: workbook.sheets.map(({ name }) => name),
    async *records() {
      await assertSameBytes(file)
      let width: number | undefined
      const open = async function* (zip: Zip) {
        yield* sheetRows(await zip.open(sheet.path), workbook)
      }
      for await (const rows of inWorkbook(file, open)) {
        await assertUnchanged(file)
        yield rows.map((one) => {
          if (width === undefined && !isBlank(one.cells)) width = withoutTail(one.cells, 0).length
          return { row: one.row, cells: withoutTail(one.cells, width ?? 0) }
        })
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

async function hasRows(zip: Zip, workbook: Workbook, sheet: Worksheet): Promise<boolean> {
  let rows = 0
  for await (const batch of sheetRows(await zip.open(sheet.path), workbook)) {
    rows += batch.filter(({ cells }) => !isBlank(cells)).length
    if (rows > 1) return true
  }
  return false
}

/** Makes a row as wide as the header: missing cells are empty, and empty ones beyond it don't count. */
function withoutTail(cells: readonly Cell[], width: number): readonly Cell[] {
  let length = cells.length
  while (length > width && isBlank(cells.slice(length - 1, length))) length--
  const kept = length === cells.length ? [...cells] : cells.slice(0, length)
  while (kept.length < width) kept.push('')
  return kept
}

async function* inWorkbook<T>(file: InputFile, use: (zip: Zip) => AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* inZip(file.path, (zip) => {
      if (zip.isWorkbook()) return use(zip)
      throw new AppError('usage', `${file.name} is a zip archive, but no Excel workbook (.xlsx).`, {
        hints: ['save the table as .xlsx or as CSV; give the file inside the archive, not the archive'],
      })
    })
  } catch (error) {
    if (error instanceof TooLargeError) {
      throw new AppError('usage', `${file.name} ${error.message}: too large to be read as .xlsx.`, {
        hints: [
          'save its rows as CSV, which has no such limit',
          'or split it, and remove empty rows and columns',
        ],
        cause: error,
      })
    }
    throw error instanceof AppError ? error : damaged(file, error)
  }
}

function damaged({ name }: InputFile, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('usage', `${name} is an Excel workbook that can't be read: ${reason}.`, {
    hints: ['save it again as .xlsx, without a password, or as CSV'],
    cause,
  })
}

async function first<T>(values: AsyncIterable<T>): Promise<T | undefined> {
  for await (const value of values) return value
  return undefined
}
