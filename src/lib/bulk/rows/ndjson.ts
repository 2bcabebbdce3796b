import { AppError } from '../../errors.ts'
import { fileText, type InputFile } from './input-file.ts'
import { JsonRecords } from './json-record.ts'
import { BATCH_ROWS, MAX_RECORD_BYTES, type RawRow } from './row.ts'

/** One JSON object a line; blank lines count and are left out. */
export async function* ndjsonRows(file: InputFile): AsyncGenerator<readonly RawRow[]> {
  const records = new JsonRecords()
  let batch: RawRow[] = []
  let row = 0
  const add = (line: string) => {
    row++
    if (line.trim() !== '') batch.push(readLine(records, row, line))
  }
  let rest = ''
  for await (const text of fileText(file)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_RECORD_BYTES) {
      throw new AppError('usage', `${file.name}, line ${row + lines.length + 1} is longer than 1 MiB.`, {
        hints: ['NDJSON has one object a line'],
      })
    }
    lines.forEach(add)
    if (batch.length >= BATCH_ROWS) {
      yield batch
      batch = []
    }
  }
  add(rest)
  if (batch.length > 0) yield batch
}

/** Reads a line. The start of the next record is certain, whatever this line is. */
function readLine(records: JsonRecords, row: number, line: string): RawRow {
  try {
    return records.read(row, line)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { row, columns: [], cells: [], fault: { message: `not JSON: ${reason}` } }
  }
}
