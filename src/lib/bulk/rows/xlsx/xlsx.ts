import { AppError } from '../../../errors.ts'
import { assertUnchanged, fileBytes, type InputFile } from '../input-file.ts'
import { isBlank, type TableRow } from '../row.ts'
import { refuseManyRows, sheetRows } from './sheet.ts'
import { inZip, readWorkbook, TooLargeError, type Workbook, type Worksheet, type Zip } from './workbook.ts'

/** Smaller sheets are parsed within seconds. */
const MANY_BYTES = 50_000_000

interface XlsxTable {
  sheet: { name: string; sheets: number }
  sheets: readonly string[]
  records(): AsyncGenerator<TableRow[]>
}

/** Opens the sheet of that name, else the first with rows below a header, else the first. @throws AppError `usage` */
export async function openXlsx(file: InputFile, wanted?: string): Promise<XlsxTable> {
  let found: { workbook: Workbook; sheet: Worksheet } | undefined
  for await (found of inWorkbook(file, (zip) => chooseSheet(zip, wanted))) break
  if (found === undefined && wanted !== undefined) {
    throw new AppError('usage', `${file.name} has no sheet "${wanted}".`)
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

async function hasRows(zip: Zip, workbook: Workbook, sheet: Worksheet): Promise<boolean> {
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
