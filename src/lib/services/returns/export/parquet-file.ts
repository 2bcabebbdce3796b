import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { plainDate, plainText } from '../../../wire/plain.ts'
import { asNumber } from '../../../wire/raw.ts'
import type { Return } from '../../../wire/returns.ts'
import { EXPORT_COLUMNS, type ExportColumn, type WritePiece } from './columns.ts'

/** Held in memory until they are written. */
const GROUP_ROWS = 10_000

const TYPES = { text: 'STRING', number: 'DOUBLE', date: 'TIMESTAMP' } as const

/** Hands over what is written after each row group. */
class GroupWriter extends ByteWriter {
  constructor(private readonly write: WritePiece) {
    super()
  }

  flush(): void {
    this.write(this.getBytes().slice())
    this.index = 0
  }

  override finish(): void {
    this.flush()
  }
}

/** Parquet, compressed with Snappy. */
export async function writeParquet(records: AsyncIterable<Return>, write: WritePiece): Promise<void> {
  const columnsOf = (rows: readonly Return[]) =>
    EXPORT_COLUMNS.map((column) => ({
      name: column.name,
      type: TYPES[column.kind],
      data: rows.map((record) => cellOf(column, record)),
    }))
  const schema = schemaFromColumnData({ columnData: columnsOf([]) })
  const writer = new ParquetWriter({ writer: new GroupWriter(write), schema })
  let rows: Return[] = []
  const flush = async () => {
    if (rows.length > 0) await writer.write({ columnData: columnsOf(rows), rowGroupSize: GROUP_ROWS })
    rows = []
  }
  for await (const record of records) {
    if (rows.push(record) === GROUP_ROWS) await flush()
  }
  await flush()
  await writer.finish()
}

function cellOf({ kind, value }: ExportColumn, record: Return): string | number | Date | null {
  const sent = value(record)
  if (kind === 'text') return plainText(sent)
  if (kind === 'number') return asNumber(sent) ?? null
  const date = plainDate(sent)
  return date === null ? null : new Date(date)
}
