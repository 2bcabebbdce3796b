import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { plainDate, plainText } from '../../../wire/plain.ts'
import { asNumber } from '../../../wire/raw.ts'
import type { Return } from '../../../wire/returns.ts'
import { EXPORT_COLUMNS, type ExportColumn, type WritePiece } from './columns.ts'

/** Rows that are held in memory until they are written. */
const GROUP_ROWS = 5000

const TYPES = { text: 'STRING', number: 'DOUBLE', date: 'TIMESTAMP' } as const

class GroupWriter extends ByteWriter {
  constructor(private readonly write: WritePiece) {
    super()
  }

  flush() {
    this.write(this.getBytes().slice())
    this.index = 0
  }

  override finish() {
    this.flush()
  }
}

export async function writeParquet(records: AsyncIterable<Return>, write: WritePiece, onLost: () => void) {
  const emptyColumns = () =>
    EXPORT_COLUMNS.map((column) => ({
      name: column.name,
      type: TYPES[column.kind],
      data: [] as ReturnType<typeof cellOf>[],
    }))
  let columnData = emptyColumns()
  const schema = schemaFromColumnData({ columnData })
  const writer = new ParquetWriter({ writer: new GroupWriter(write), schema })
  let rows = 0
  const flush = async () => {
    if (rows > 0) await writer.write({ columnData, rowGroupSize: GROUP_ROWS })
    columnData = emptyColumns()
    rows = 0
  }
  for await (const record of records) {
    for (const [index, column] of EXPORT_COLUMNS.entries()) {
      const cell = cellOf(column, record)
      if (cell === null && plainText(column.value(record))) onLost()
      columnData[index]?.data.push(cell)
    }
    rows += 1
    if (rows === GROUP_ROWS) await flush()
  }
  await flush()
  await writer.finish()
}

function cellOf({ kind, value }: ExportColumn, record: Return) {
  const sent = value(record)
  if (kind === 'text') return plainText(sent)
  if (kind === 'number') return asNumber(sent) ?? null
  const date = plainDate(sent)
  return date === null ? null : new Date(date)
}
