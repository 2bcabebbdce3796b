import { AppError } from '../../errors.ts'
import { fileBytes, fileText, type InputFile } from './input-file.ts'
import { MAX_RECORD_BYTES } from './row.ts'
import type { TableRow } from './table.ts'

const DELIMITERS = [',', ';', '\t'] as const
export type Delimiter = (typeof DELIMITERS)[number]

export function asDelimiter(text: string | undefined): Delimiter | undefined {
  return DELIMITERS.find((one) => one === text)
}

/** The one that stands most often in the first line that is not blank, outside quotes. */
export function detectDelimiter(head: string): Delimiter {
  const counts = { ',': 0, ';': 0, '\t': 0 }
  let isQuoted = false
  for (const character of head.replace(/^\s*[\r\n]/, '')) {
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '\n' || character === '\r') break
    else if (character === ',' || character === ';' || character === '\t') counts[character]++
  }
  return DELIMITERS.reduce((best, one) => (counts[one] > counts[best] ? one : best))
}

/** The one that most lines have: titles have none, or a comma of the sentence. */
export function delimiterBelowTitles(head: string): Delimiter {
  const lines = head.split(/\r\n|\r|\n/).slice(0, 60)
  const withIt = (delimiter: Delimiter) => lines.filter((line) => line.includes(delimiter)).length
  return DELIMITERS.reduce((best, one) => (withIt(one) > withIt(best) ? one : best), ';')
}

/** Every record, blank lines and the header included. @throws AppError `usage` where quotes don't match */
export async function* csvRecords(file: InputFile, delimiter: Delimiter): AsyncGenerator<TableRow[]> {
  const { Parser } = await import('csv-parse')
  const options = {
    delimiter,
    // Named, or else a file that mixes them would be read by the first one found.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    // Records are read right after each `write`.
    readableHighWaterMark: Number.MAX_SAFE_INTEGER,
  }
  const parser = new Parser(options)
  // It comes later than `errored`, which is looked at instead.
  parser.on('error', () => undefined)
  let row = 0
  const rowOf = (cells: string[]): TableRow => ({ row: ++row, cells })
  const take = (): TableRow[] => {
    const batch: TableRow[] = []
    for (let cells = parser.read(); cells !== null; cells = parser.read()) batch.push(rowOf(cells))
    if (parser.errored) throw csvFault(file.name, row + 1, parser.errored)
    return batch
  }
  /** Bytes of the unfinished record before its first quotation mark; undefined after one. */
  let begun: Buffer | undefined = Buffer.alloc(0)
  try {
    for await (const chunk of utf8Bytes(file)) {
      let batch: TableRow[] = []
      let rest = chunk
      if (begun !== undefined) {
        rest = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk
        const isShort = rest.length <= MAX_RECORD_BYTES
        const end = isShort ? unquotedEnd(rest) : 0
        batch = unquotedRecords(rest.subarray(0, end), delimiter).map(rowOf)
        rest = rest.subarray(end)
        begun = isShort && !rest.includes(QUOTE) ? Buffer.from(rest) : undefined
      }
      if (begun === undefined) {
        parser.write(rest)
        batch = batch.concat(take())
      }
      if (batch.length > 0) yield batch
    }
    parser.end()
    const last = begun === undefined ? take() : unquotedRecords(begun, delimiter).map(rowOf)
    if (last.length > 0) yield last
  } finally {
    parser.destroy()
  }
}

const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d

/** Returns the end of the last record before the first quotation mark; 0 without any. */
function unquotedEnd(bytes: Buffer): number {
  const quote = bytes.indexOf(QUOTE)
  const unquoted = bytes.subarray(0, quote === -1 ? bytes.length : quote)
  // A return at the end may be half of a line's end.
  const returned = quote === -1 ? unquoted.subarray(0, -1) : unquoted
  return 1 + Math.max(unquoted.lastIndexOf(NEWLINE), returned.lastIndexOf(RETURN))
}

/** Splits records without quotation marks like csv-parse, in a tenth of the time. */
function unquotedRecords(bytes: Buffer, delimiter: Delimiter): string[][] {
  const records: string[][] = []
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, from)
    const end = found === -1 ? bytes.length : found
    // Each line is a text of its own, of which cells are parts: one that is kept must not keep all the others.
    const lines = bytes.toString('utf8', from, end).split('\r')
    if (lines.length > 1 && lines.at(-1) === '') lines.pop()
    for (const line of lines) records.push(line.split(delimiter))
    from = end + 1
  }
  return records
}

async function* utf8Bytes(file: InputFile): AsyncGenerator<Buffer> {
  if (file.encoding === 'utf-8') yield* fileBytes(file)
  else for await (const text of fileText(file)) yield Buffer.from(text)
}

const CSV_FAULTS: Readonly<Record<string, readonly [words: string, hint: string]>> = {
  CSV_QUOTE_NOT_CLOSED: [
    'a quotation mark is opened and never closed',
    'close it, or write a quotation mark that is text twice ("") within quotes',
  ],
  INVALID_OPENING_QUOTE: [
    'a quotation mark stands inside a value that is not quoted',
    'quote the value, and write the mark twice: "5"" pipe"',
  ],
  CSV_INVALID_CLOSING_QUOTE: [
    'a quoted value goes on after its closing quotation mark',
    'write a quotation mark that is text twice ("") within quotes',
  ],
  CSV_MAX_RECORD_SIZE: [
    'a record is longer than 1 MiB',
    'look there for a quotation mark that is opened and not closed',
  ],
}

function csvFault(name: string, row: number, error: Error): AppError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const [words, hint] = CSV_FAULTS[code] ?? [error.message, 'export the file again as CSV in UTF-8']
  return new AppError('usage', `${name}, row ${row}: ${words}.`, { hints: [hint], cause: error })
}
