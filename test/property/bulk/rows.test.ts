import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { csvRecords } from '../../../src/lib/bulk/rows/csv.ts'
import { failedCsv } from '../../../src/lib/bulk/rows/failed-csv.ts'
import { scanFile } from '../../../src/lib/bulk/rows/input-file.ts'
import { allRows, inputFile, open } from '../../helpers/row-input.ts'

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\n',
    '\r\n',
    '\r',
    ' ',
    '0012',
    '=1',
    '日',
    '😀',
    'é',
    "'",
    '\\',
    '{',
    '[',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const text = fc
  .array(piece, { maxLength: 5 })
  .map((pieces) => pieces.join(''))
  .filter((one) => !one.includes('\0'))
/** The first cell keeps a row from being blank. */
/** Message of a service about a row. No spreadsheet takes it for a formula, since such texts are changed. */
const spoken = text.map((said) => said.replace(/^[\s=+\-@\uff0b\uff0d\uff1d\uff20]+/, ''))
const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc
    .array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 })
    .map((rows) => ({
      header: ['c0', 'c 1', 'ü2', 'c,3'].slice(0, width),
      rows: rows.map(([first = '', ...others]) => [`x${first}`, ...others]),
    })),
)
const encodings: ((text: string) => Buffer)[] = [
  (one) => Buffer.from(one),
  (one) => Buffer.from(`\ufeff${one}`),
  (one) => Buffer.from(`\ufeff${one}`, 'utf16le'),
  (one) => Buffer.from(`\ufeff${one}`, 'utf16le').swap16(),
]
const encoding = fc.constantFrom(...encodings)
const chunk = fc.constantFrom(1, 2, 3, 5, 16, 65_536)
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const cellsOf = async (content: Buffer, size?: number) =>
  (await allRows(await open(content, size))).map(({ cells, fault }) => fault ?? cells)

it('CSV is read as csv-parse reads it, with any quoting and line ends', async () => {
  const plain = piece.filter((one) => !/["\0]/.test(one))
  const lines = fc.array(fc.oneof(plain, fc.constantFrom('\n', '\r', ',')), { maxLength: 30 })
  const tail = fc.constantFrom('', '\n"a\r\n,"\r,b\n\nc', '"')
  await fc.assert(
    fc.asyncProperty(lines, tail, chunk, async (pieces, end, size) => {
      const content = Buffer.from(`${pieces.join('')}${end}`)
      const rows: unknown[] = []
      const read = async () => {
        const file = await scanFile(inputFile(content), 'FILE', size)
        for await (const batch of csvRecords(file, ',')) rows.push(...batch)
      }
      if (end === '"') {
        await expect(read()).rejects.toThrow('quotation mark')
        return
      }
      await read()
      const options = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true }
      const records = parse(content, options)
      expect(rows).toMatchObject(records.map((cells, at) => ({ row: at + 1, cells })))
    }),
  )
})

it('CSV is read with each delimiter, encoding, line end and chunk size', async () => {
  const ends = fc.constantFrom('\n', '\r\n', '\r')
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', ';', '\t'),
      ends,
      encoding,
      chunk,
      async (one, mark, end, encode, size) => {
        const lines = [one.header, ...one.rows].map((cells) => cells.map(quoted).join(mark))
        expect(await cellsOf(encode(lines.join(end)), size)).toEqual(one.rows)
      },
    ),
    { numRuns: 75 },
  )
})

it('NDJSON and JSON are read as written', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.boolean(), encoding, chunk, async ({ header, rows }, isList, encode, size) => {
      const records = rows.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])))
      const json = isList
        ? JSON.stringify(records, undefined, 1)
        : records.map((one) => JSON.stringify(one)).join('\n')
      expect(await cellsOf(encode(json), size)).toEqual(rows)
    }),
    { numRuns: 60 },
  )
})

it('XLSX is read as written', async () => {
  // XML can't hold these characters, or reads them as a line feed. Empty texts at the ends are no cells.
  const plain = (cell: string) => cell.replace(/[\0-\x1f\x7f-\x9f\ufffe\uffff]|_x/g, '')
  await fc.assert(
    fc.asyncProperty(table, async ({ header, rows }) => {
      const cells = rows.map((row) => row.map(plain))
      const sheet = [header, ...cells].map((row) => row.map((value) => ({ value, type: String })))
      expect(await cellsOf(await writeExcelFile(sheet).toBuffer())).toEqual(cells)
    }),
    { numRuns: 20 },
  )
})

it('failed rows of any table can be fed back', async () => {
  await fc.assert(
    fc.asyncProperty(table, spoken, async ({ header, rows }, message) => {
      const { header: top, line } = failedCsv(header)
      const lines = rows.map((cells, at) =>
        line({ row: at + 2, columns: header, cells }, { code: 'X', message }),
      )
      // A text that a spreadsheet would take for a formula gets a quotation mark.
      const disarmed = /^(?:\s*[=+\-@＋－＝＠]|[\t\r\n])/.test(message) ? `'${message}` : message
      const expected = rows.map((cells, at) => [...cells, String(at + 2), 'X', disarmed])
      expect(await cellsOf(Buffer.from(top + lines.join('')))).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})
