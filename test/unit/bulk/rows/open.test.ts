import { createHash } from 'node:crypto'
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { fileBytes, scanFile } from '../../../../src/lib/bulk/rows/input-file.ts'
import { headOfTable, openRows } from '../../../../src/lib/bulk/rows/open.ts'
import { expectRejection } from '../../../helpers/rejections.ts'
import { allRows, inputFile, open, texts, zip } from '../../../helpers/row-input.ts'

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

const AB = { format: 'csv', header: ['a', 'b'] }
it.each([
  ['a,b\n1,2\n', AB],
  ['a;b\n1;2', AB],
  ['a\tb\r\n1\t2', AB],
  ['"a,b";c\n1;2', { format: 'csv', header: ['a,b', 'c'] }],
  ['\n\n a , b \n1,2', AB],
  ['sep=;\r\na,x;b\r\n1;2', { format: 'csv', header: ['a,x', 'b'] }],
  ['one\n1', { format: 'csv', header: ['one'] }],
  ['a,b\n"x;\ny;\nz;",2\n', AB],
  ['{"a":1}\n', { format: 'ndjson', header: undefined }],
  ['  [{"a":1}]', { format: 'json', header: undefined }],
  ['[Report 27.11.2026]\na;b\n1;2\n', { format: 'csv' }],
])('a file is known by its content: %j', async (content, expected) => {
  expect(await open(content)).toMatchObject(expected)
})

it.each([
  ['utf-8', Buffer.from('a,ü\n€,日本\n')],
  ['utf-8', Buffer.from('\ufeffa,ü\n€,日本\n')],
  ['utf-16le', utf16('\ufeffa,ü\n€,日本\n', false)],
  ['utf-16be', utf16('\ufeffa,ü\n€,日本\n', true)],
  ['utf-16le', utf16('a,ü\n€,日本\n', false)],
  ['utf-16be', utf16('a,ü\n€,日本\n', true)],
])('the encoding of a file is %s: %j', async (_encoding, content) => {
  for (const chunk of [1, 2, 3, 7, 65_536]) {
    const source = await open(content, chunk)
    expect(source).toMatchObject({ header: ['a', 'ü'] })
    expect(await allRows(source)).toEqual([{ row: 2, columns: ['a', 'ü'], cells: ['€', '日本'] }])
  }
})

it('one byte at the end that is not UTF-8 makes the whole file Windows-1252', async () => {
  const long = `a,b\n${'x,y\n'.repeat(30_000)}`
  const content = Buffer.concat([Buffer.from(long), Buffer.from([0x80, 0x2c, 0xfc, 0x0a])])
  const source = await open(content)
  expect((await allRows(source)).at(-1)).toMatchObject({ row: 30_002, cells: ['€', 'ü'] })
})

it.each([
  ['', 'FILE is empty.'],
  [' \n\n', 'FILE is empty.'],
  ['\ufeff', 'FILE is empty.'],
  ['a,b\n', 'FILE has a header and no rows.'],
  ['a,b\n,\n \n', 'FILE has a header and no rows.'],
  ['[]', 'FILE has no rows.'],
  ['{\n "a": 1\n}', 'FILE is one JSON object written over several lines, not a list of records.'],
  ['a\n"x', 'FILE, row 2: a quotation mark is opened and never closed.'],
  ['a\nb\nx"y\n', 'FILE, row 3: a quotation mark stands inside a value that is not quoted.'],
  ['a\n"x"y\n', 'FILE, row 2: a quoted value goes on after its closing quotation mark.'],
  ['[{"a":1},', 'FILE, record 2: not JSON: the list is cut off.'],
  ['[{"a":1}] x', 'FILE, record 2: not JSON: something follows the list.'],
  ['[{"a":1},]', /^FILE, record 2: not JSON: /],
  ['[{"a":1}}', /^FILE, record 1: not JSON: a "}" that nothing opens/],
  [Buffer.from([0x1f, 0x8b, 8, 0]), 'FILE is compressed (gzip).'],
  [Buffer.from('%PDF-1.7\n'), 'FILE is a PDF file.'],
  ['\n<!DOCTYPE html>\n<table class="x"><tr><td>1', 'FILE is a web page or XML.'],
  ['<html xmlns:x="urn:x">', 'FILE is a web page or XML.'],
  [utf16('\ufeff<?xml version="1.0"?>', false), 'FILE is a web page or XML.'],
  [
    Buffer.concat([Buffer.from('a,b\nZustellung für Müller,1\n'), Buffer.from([0x80, 0x0a])]),
    'FILE is UTF-8, but for a byte in line 3.',
  ],
  [
    Buffer.concat([Buffer.from('\ufeffa,b\n'), Buffer.from([0xfc, 0x0a]), Buffer.from('Müller,1\n')]),
    'FILE is UTF-8, but for a byte in line 2.',
  ],
  [Buffer.from('a\nb\nMüü').subarray(0, -1), 'FILE is UTF-8, but for a byte in line 3.'],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 1]), 'FILE is a binary file.'],
  [
    Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    'FILE is an Excel file from before 2007 (.xls), or protected with a password.',
  ],
  [
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae10000', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    'FILE is protected with a password.',
  ],
  [zip({ mimetype: 'x' }), 'FILE is a zip archive, but no Excel workbook (.xlsx).'],
  [Buffer.from('PK\x03\x04 and then nothing'), /^FILE is an Excel workbook that can't be read/],
  [utf16('\ufeffa\n\ud800x\n', false), 'FILE holds bytes that are not UTF-16LE.'],
])('a file is refused: %j', async (content, message) => {
  const reading = open(content).then(allRows)
  await expect(reading).rejects.toMatchObject({
    kind: 'usage',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
    hints: [expect.any(String)],
  })
})

it('Windows-1252 stays so where two of its characters make one of UTF-8 by chance', async () => {
  const words = '„Spaß“ für Müller, Größe ähnlich, später übrig, schön, möglich, täglich, Käse, Öl, hört'
  const bytes = Buffer.from(words.replace('„', '\x84').replace('“', '\x93'), 'latin1')
  const source = await open(Buffer.concat([Buffer.from('a\n"'), bytes, Buffer.from('"\n')]))
  expect((await allRows(source))[0]?.cells).toEqual([words])
})

it.each([
  ['a\n"', 'FILE, row 2: a record is longer than 1 MiB.'],
  ['{"a":"', 'FILE, line 1 is longer than 1 MiB.'],
  ['[{"a":"', 'FILE, record 1: not JSON: a record longer than 1 MiB.'],
])('reading stops early after %j', async (start, message) => {
  await expectRejection(open(start + 'x'.repeat(1_200_000)), 'usage', message)
})

it('headOfTable refuses files that are no tables', async () => {
  const headOf = (content: string | Buffer) => headOfTable(inputFile(content), { name: 'FILE' })
  await expectRejection(headOf(''), 'usage', 'FILE is empty.')
  await expectRejection(headOf(Buffer.from([0x1f, 0x8b, 8, 0])), 'usage', 'FILE is compressed (gzip).')
})

it('headOfTable finds no rows in JSON', async () => {
  const headOf = (content: string) => headOfTable(inputFile(content), { name: 'FILE' })
  for (const json of ['{"a":1}\n{"a":2}\n', ' [{"a":1}]']) expect((await headOf(json)).rows).toEqual([])
})

it('a folder or a missing file is refused', async () => {
  const at = (path: string) => openRows(path, { name: path })
  await expect(at('/no/such/file')).rejects.toMatchObject({
    message: expect.stringContaining('no such file'),
  })
  await expect(at(tmpdir())).rejects.toMatchObject({ message: expect.stringContaining('not a file') })
})

it('a source knows size and hash, and detects a changed file', async () => {
  const path = inputFile('a\n1\n')
  const source = await openRows(path, { name: 'FILE' })
  expect(source).toMatchObject({ bytes: 4, sha256: createHash('sha256').update('a\n1\n').digest('hex') })
  appendFileSync(path, '2\n')
  await expect(allRows(source)).rejects.toMatchObject({
    message: 'FILE was changed while it was being read.',
  })
})

it('a source detects bytes changed in place with the times restored', async () => {
  const path = inputFile('a\n1\n')
  const time = new Date('2026-01-01T00:00:00Z')
  utimesSync(path, time, time)
  const source = await openRows(path, { name: 'FILE' })
  writeFileSync(path, 'a\n2\n', { flag: 'r+' })
  utimesSync(path, time, time)
  await expect(allRows(source)).rejects.toMatchObject({
    message: 'FILE was changed while it was being read.',
  })
})

it('a changed block is never returned, whatever the times of the file say', async () => {
  const block = Buffer.alloc(2 ** 20, 'x')
  const path = inputFile(Buffer.concat([block, block]))
  const file = await scanFile(path, 'FILE')
  writeFileSync(path, Buffer.concat([block, Buffer.alloc(2 ** 20, 'y')]))
  const { stamp } = await scanFile(path, 'FILE')
  const read: Buffer[] = []
  const reading = async () => {
    for await (const chunk of fileBytes({ ...file, stamp })) read.push(chunk)
  }
  await expect(reading()).rejects.toMatchObject({ message: 'FILE was changed while it was being read.' })
  expect(Buffer.concat(read).equals(block)).toBe(true)
})

it.each([
  ['that the end of the file cuts is a fault', 'a;b;c\n1;2\n3;4', ['2 cells, but the header has 3 columns']],
  ['with a line end is padded', 'a;b;c\n1;2\n3;4\n', [undefined]],
  ['without the delimiter that ends other lines is padded', 'a;b;\n1;2;\n3;4', [undefined]],
  ['with too many empty cells is read', 'a;b;c\n1;2\n3;4;5;', [undefined]],
])('under a layout a last row %s', async (_name, content, faults) => {
  const layout = { columns: ['a'], isRow: (cell: (column: string) => string) => cell('a') !== '1' }
  const rows = await allRows(await openRows(inputFile(content), { name: 'FILE', layout }))
  expect(rows.map(({ fault }) => fault?.message)).toEqual(faults)
})

it.each([
  [
    'blank lines count and are left out',
    'a,b\n\n1,2\n,\n3,4\n',
    [
      [3, '1', '2'],
      [5, '3', '4'],
    ],
  ],
  [
    'line ends may be mixed',
    'a,b\r\n1,2\n3,4\r5,6',
    [
      [2, '1', '2'],
      [3, '3', '4'],
      [4, '5', '6'],
    ],
  ],
  ['line ends within quotes stay', 'a,b\n"1\r\n2","3""4"\n', [[2, '1\r\n2', '3"4']]],
  ['spaces stay', 'a,b\n 1 ,2 \n', [[2, ' 1 ', '2 ']]],
  [
    'another width is a fault of the row',
    'a,b\n1\n1,2,3\n4,5\n',
    [
      [2, '1', '1 cell, but the header has 2 columns'],
      [3, '1', '2', '3', '3 cells, but the header has 2 columns'],
      [4, '4', '5'],
    ],
  ],
  [
    'NDJSON: the line',
    '\n{"a":1}\n\n{"a":null,"b":true}',
    [
      [2, '1'],
      [4, '', 'true'],
    ],
  ],
  [
    'NDJSON: what is not an object is a fault',
    '{"a":1}\n[2]\n"x"\n',
    [
      [1, '1'],
      [2, 'a list, not a JSON object'],
      [3, 'a string, not a JSON object'],
    ],
  ],
  [
    'JSON: the position',
    '[{"a":"1,]}\\""},\n\n{"a":{"b":[1.50]}}, 7]',
    [
      [1, '1,]}"'],
      [2, '{"b":[1.50]}'],
      [3, 'a number, not a JSON object'],
    ],
  ],
  [
    'numbers keep their text',
    '[{"a":1.0,"b":-0,"c":1E2,"d":12345678901234567890,"e":0.10}]',
    [[1, '1.0', '-0', '1E2', '12345678901234567890', '0.10']],
  ],
])('rows of a file are read: %s', async (_name, content, expected) => {
  for (const chunk of [1, 2, 5, undefined]) expect(await texts(content, chunk)).toEqual(expected)
})

it('a bad line of NDJSON is a fault, and the next one is read', async () => {
  const rows = await texts('{"a":1}\n{"a":\n{"a":2}\n')
  expect(rows).toEqual([
    [1, '1'],
    [2, expect.stringMatching(/^not JSON: /)],
    [3, '2'],
  ])
})

it('rows can be read again, in batches that are never empty', async () => {
  const source = await open(`a\n${'x\n'.repeat(20_000)}`, 4096)
  for (let pass = 0; pass < 2; pass++) {
    const sizes: number[] = []
    for await (const batch of source.rows()) sizes.push(batch.length)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
    expect(sizes.length).toBeGreaterThan(5)
    expect(sizes.reduce((sum, one) => sum + one)).toBe(20_000)
  }
})

it('records with the same keys share their columns', async () => {
  const rows = await allRows(await open('{"a":1,"b":2}\n{"b":1}\n{"a":3,"b":4}\n{"a":5,"b":6}'))
  expect(rows.map(({ columns }) => columns)).toEqual([['a', 'b'], ['b'], ['a', 'b'], ['a', 'b']])
  expect(rows[2]?.columns).toBe(rows[0]?.columns)
  expect(rows[3]?.columns).toBe(rows[0]?.columns)
})
