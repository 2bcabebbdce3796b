import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { BATCH_ROWS, type Cell, isBlank, type RawRow, type RowFault, sourceText } from './row.ts'

/** A record of a format whose first record names the columns. */
export interface TableRow {
  readonly row: number
  readonly cells: readonly Cell[]
}

/** The column names, without the spaces around them. Two that nothing asks for may be the same. */
export function headerOf({ cells }: TableRow): string[] {
  return cells.map((cell) => sourceText(cell).trim())
}

/** @throws AppError `usage` if the header has one of the columns that are read more than once */
export function assertSingle(source: string, header: readonly string[], read: readonly string[]): void {
  const twice = read.find((column) => header.indexOf(column) !== header.lastIndexOf(column))
  if (twice === undefined) return
  throw new AppError('usage', `${source}: two columns are called "${twice}".`, {
    hints: ['rename one of them, or leave it out'],
  })
}

/** The rows below the header, blank ones left out, those of another width with a fault. */
export async function* rowsBelow(
  header: readonly string[],
  records: AsyncIterable<readonly TableRow[]>,
): AsyncGenerator<readonly RawRow[]> {
  let isHeader = true
  let batch: RawRow[] = []
  for await (const some of records) {
    for (const { row, cells } of some) {
      if (isBlank(cells)) continue
      if (isHeader) isHeader = false
      else if (cells.length === header.length) batch.push({ row, columns: header, cells })
      else batch.push({ row, columns: header, cells, fault: ragged(cells.length, header.length) })
    }
    if (batch.length >= BATCH_ROWS) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

function ragged(cells: number, columns: number): RowFault {
  return {
    message: `${counted(cells, 'cell')}, but the header has ${counted(columns, 'column')}`,
    hint:
      cells > columns
        ? 'put quotes around values that contain the delimiter'
        : 'write every cell, the empty ones too',
  }
}
