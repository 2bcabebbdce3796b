import { causedBy } from '../../errors.ts'
import faults from './csv-faults.json'
import { fileBytes, fileText, type InputFile } from './input-file.ts'
import { MAX_RECORD_BYTES, type TableRow } from './row.ts'

const DELIMITERS = [';', '\t', ',']

/** Returns the delimiter that most lines have outside quotes. Only title lines lack it. */
export function detectDelimiter(head: string): string {
  const lines = head
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]+/)
    .slice(0, 60)
  const countOf = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length
  return DELIMITERS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best))
}

/** Yields every record, blank lines and the header included. @throws AppError `usage` where quotes don't match */
export async function* csvRecords(file: InputFile, delimiter: string): AsyncGenerator<TableRow[]> {
  const { Parser } = await import('csv-parse')
  const options = {
    delimiter,
    // A file may mix line ends; csv-parse would take the first kind found for all.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    // Back-pressure is not needed: records are read right after each `write`.
    readableHighWaterMark: Number.MAX_SAFE_INTEGER,
  }
  const parser = new Parser(options)
  // Errors are taken from `errored`, which is set before this event.
  parser.on('error', () => undefined)
  let row = 0
  const take = (): TableRow[] => {
    const batch: TableRow[] = []
    for (let cells = parser.read(); cells !== null; cells = parser.read()) batch.push({ row: ++row, cells })
    if (parser.errored) throw csvFault(file.name, row + 1, parser.errored)
    return batch
  }
  try {
    let end = ''
    for await (const chunk of file.encoding === 'utf-8' ? fileBytes(file) : fileText(file)) {
      parser.write(chunk)
      end = chunk.slice(-1).toString()
      yield take()
    }
    parser.end()
    yield take().map((row) => ({ ...row, isCut: !/[\r\n]/.test(end) }))
  } finally {
    parser.destroy()
  }
}

const CSV_FAULTS: Readonly<Record<string, { words: string; hint: string }>> = faults

function csvFault(name: string, row: number, error: Error) {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const unknown = { words: error.message, hint: 'export the file again as CSV in UTF-8' }
  const { words, hint } = CSV_FAULTS[code] ?? unknown
  return causedBy(error, 'usage', `${name}, row ${row}: ${words}.`, hint)
}
