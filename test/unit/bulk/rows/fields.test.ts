import { expect, it } from 'vitest'
import { LostZeros } from '../../../../src/lib/bulk/rows/across-rows.ts'
import { type FieldSpec, mapColumns } from '../../../../src/lib/bulk/rows/columns.ts'
import { failedCsv } from '../../../../src/lib/bulk/rows/failed-csv.ts'
import { readFields } from '../../../../src/lib/bulk/rows/fields.ts'
import type { Cell } from '../../../../src/lib/bulk/rows/row.ts'
import { allRows, open, texts } from '../../../helpers/row-input.ts'

const FIELDS: FieldSpec[] = [
  { name: 'shipmentId', kind: 'identifier', required: true },
  { name: 'trackingNumber', kind: 'identifier' },
  { name: 'trackingStatusDescription', kind: 'text' },
  { name: 'trackingDate', kind: 'date' },
]
const map = (header: readonly string[] | undefined, chosen: Record<string, string> = {}) =>
  mapColumns(FIELDS, { name: 'FILE', header }, new Map(Object.entries(chosen)))
const read = (column: string, cell: Cell) => {
  const columns = column === 'shipmentId' ? [column] : ['shipmentId', column]
  const cells = column === 'shipmentId' ? [cell] : ['R#-1', cell]
  return readFields({ row: 7, columns, cells }, map(columns))
}

it.each([
  [['shipmentId', 'trackingNumber']],
  [['shipment-id', 'tracking-number']],
  [[' SHIPMENT_ID ', 'Tracking Number']],
  [['ShipmentID', 'TRACKINGNUMBER']],
])('the columns %j feed their fields', (header) => {
  const mapping = map(header)
  expect(readFields({ row: 2, columns: header, cells: [' a ', 'b'] }, mapping)).toEqual({
    values: { shipmentId: 'a', trackingNumber: 'b' },
    problems: [],
  })
  expect(mapping.ignored()).toEqual([])
})

it('--map takes precedence; other columns are ignored, own ones without a warning', () => {
  const header = ['shipmentId', 'Order', 'x', '_row', '']
  const mapping = map(header, { 'shipment-id': 'order' })
  const { values } = readFields({ row: 2, columns: header, cells: ['a', 'b', 'c', '9', ''] }, mapping)
  expect(values).toEqual({ shipmentId: 'b' })
  expect(mapping.ignored()).toEqual(['shipmentId', 'x'])
  expect(mapping.columns).toEqual(header)
})

it.each([
  [['id'], {}, 'FILE has no column shipmentId; it has: id.', /--map shipmentId=/],
  [['shipmentId'], { shipmntId: 'x' }, '--map: there is no field "shipmntId"', /did you mean "shipmentId"/],
  [['shipmentId', 'number'], { trackingNumber: 'nmber' }, '--map: FILE has no column "nmber"', /"number"/],
  [['shipmentId', 'shipment_id'], {}, '"shipmentId" and "shipment_id" are both for shipmentId', /--map/],
  [['shipmentId', 'shipmentId'], {}, 'FILE: two columns are called "shipmentId"', /rename one/],
  [['a', 'a'], { shipmentId: 'A' }, 'FILE: two columns are called "a"', /rename one/],
  [['shipmentId', '_row', '_row'], {}, 'FILE: two columns are called "_row"', /rename one/],
  [['a', 'b'], { shipmentId: 'a', shipment_id: 'b' }, '--map names a column for shipmentId twice', undefined],
])('the columns %j with --map %j are refused', (header, chosen, message, hint) => {
  expect(() => map(header, chosen)).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: expect.stringContaining(message),
      hints: expect.arrayContaining(hint ? [expect.stringMatching(hint)] : []),
    }),
  )
})

it('mapColumns names --map only for commands that have it', () => {
  const hints = ['name the column so']
  expect(() => mapColumns(FIELDS, { name: 'FILE', header: ['id'] })).toThrow(
    expect.objectContaining({ hints }),
  )
})

it('mapColumns decides for each set of keys of NDJSON anew', async () => {
  const source = await open(
    '{"shipmentId":"a","x":1}\n{"shipment-id":"b","y":2}\n{"z":3}\n{"shipmentId":"c","shipment_id":"d"}',
  )
  const mapping = map(source.header, { trackingNumber: 'nr' })
  const read = (await allRows(source)).map((row) => readFields(row, mapping))
  expect(read.map(({ values }) => values.shipmentId)).toEqual(['a', 'b', undefined, undefined])
  expect(read[2]?.problems).toEqual([{ row: 3, column: 'shipmentId', value: '', message: 'is missing' }])
  expect(read[3]?.problems).toMatchObject([{ row: 4, column: 'shipmentId, shipment_id' }])
  expect(mapping.ignored()).toEqual(['x', 'y', 'z', 'shipment_id'])
  expect(mapping.unseen()).toEqual(['nr'])
})

it.each<[column: string, cell: Cell, message: RegExp, hint?: string]>([
  ['trackingNumber', '1.23E+11', /scientific/],
  ['trackingNumber', '1,23456E+11', /scientific/],
  ['trackingNumber', '1.5e7', /scientific/],
  ['trackingNumber', '3E+20', /scientific/],
  ['trackingNumber', { number: '1.23E+11' }, /scientific/],
  ['trackingNumber', { number: '1e20' }, /scientific/],
  ['trackingNumber', { number: '1234567890123456' }, /15 digits/],
  ['trackingNumber', { number: '12.5' }, /not whole/],
  ['trackingNumber', { json: '["a"]' }, /a list or an object/],
  ['trackingNumber', '12\x003', /control/],
  ['trackingNumber', '12\n3', /control/, 'type the value anew: line ends, tabs and invisible marks count'],
  ['trackingNumber', '\u202a00123\u202c', /control/],
  ['shipmentId', 'R#-1\u200b001', /control/],
  ['trackingNumber', '12\ufeff3', /control/],
  ['trackingDate', '2026-03-01\u200e', /control/],
  ['trackingNumber', '12\x85\x9b3', /control/],
  ['trackingNumber', '12\ud8003', /control/],
  ['trackingNumber', '#N/A', /formula/],
  ['trackingStatusDescription', 'a\x1b[31m', /control/, 'remove them'],
  ['trackingDate', { number: '45000' }, /not a date/],
  ['shipmentId', '  ', /shipmentId is empty/],
])('the field %s refuses %j', (column, cell, message, hint) => {
  const { values, problems } = read(column, cell)
  expect(problems).toEqual([
    expect.objectContaining({
      row: 7,
      column,
      message: expect.stringMatching(message),
      ...(hint && { hint }),
    }),
  ])
  expect(values).not.toHaveProperty(column)
})

it.each([
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!', '#VALEUR!', '#NOM?', '#NOMBRE?', '#¿NOMBRE?'],
  ...['#N/D', '#¡REF!', '#¡VALOR!', '#RIF!', '#N/B', '#WAARDE!', '#SPILL!', '#CALC!', '#FIELD!', '#BLOCKED!'],
  ...['#GETTING_DATA', '#BUSY!', '#ERROR!', '#DIV/0!', 'Err:502', '="#NV"'],
])('the error of a formula is refused in each field: %s', (cell) => {
  for (const column of ['shipmentId', 'trackingNumber', 'trackingDate'])
    expect(read(column, cell).problems).toMatchObject([{ column, message: 'the error of a formula' }])
})

it.each([
  ['trackingNumber', '#1001'],
  ['trackingNumber', '#NV1001'],
  ['trackingNumber', '#N/D-7'],
  ['trackingStatusDescription', '#now!'],
  ['trackingNumber', '1001'],
  ['trackingNumber', '00340434161094042557'],
  ['trackingNumber', '1E10'],
  ['trackingNumber', '12E5678'],
  ['trackingNumber', { number: '123456789012345' }],
  ['trackingNumber', { number: '000123456789012345' }],
  ['trackingNumber', 'ÄÖ-日本😀 1'],
  ['trackingStatusDescription', 'a\nb\tc'],
  ['trackingStatusDescription', "'90s \u200djacket"],
  ['trackingStatusDescription', { number: '1.50' }],
  ['trackingDate', '2026-03-01'],
])('the field %s accepts %j', (column, cell) => {
  const { values, problems } = read(column, cell)
  expect(problems).toEqual([])
  expect(values[column]).toBe(typeof cell === 'string' ? cell : Object.values(cell)[0])
})

it.each(['="00860043"', "'00860043"])('a number written as text for spreadsheets is read: %s', (cell) => {
  expect(read('trackingNumber', cell).values.trackingNumber).toBe('00860043')
})

it('a faulty row has no values', () => {
  const row = { row: 3, columns: ['shipmentId'], cells: ['a', 'b'], fault: { message: '2 cells' } }
  expect(readFields(row, map(['shipmentId']))).toEqual({
    values: {},
    problems: [{ row: 3, column: '', value: '', message: '2 cells' }],
  })
})

const suspects = (numbers: string[], carriers: string[] = []) => {
  const rows = numbers.map((trackingNumber, at) => ({ trackingNumber, carrierName: carriers[at] ?? 'x' }))
  const check = new LostZeros(FIELDS, 'carrierName')
  for (const row of rows) check.see(row)
  return rows.flatMap((row, at) => check.problems(at, row, (field) => field)).map(({ value }) => value)
}

it.each([
  ['one that lacks as many as another begins with', ['00012345', '54321', '00077777'], ['54321']],
  ['also when the evidence comes later', ['7', '0008', '0123'], ['7']],
])('LostZeros finds lost zeros in %s', (_name, numbers, expected) =>
  expect(suspects(numbers)).toEqual(expected),
)

it.each([
  ['numbers of any length', ['7', '45', '1001']],
  ['a column of sound padded ones', ['0007', '0045', '1001']],
  ['padded ones of several widths', ['007', '0045', '5']],
  [
    'numbers of another carrier: fewer digits than any lost zero explains',
    ['00340434161094042557', '12345678901'],
  ],
  ['what is not a number', ['0012', 'A1']],
])('LostZeros reports none in %s', (_name, numbers) => expect(suspects(numbers)).toEqual([]))

it('lost zeros are compared within a carrier only', () => {
  expect(suspects(['01234567890123', '1234567890123'], ['DPD', 'BRT'])).toEqual([])
  expect(suspects(['01234567890123', '1234567890123'], ['DPD', 'dpd'])).toEqual(['1234567890123'])
})

const failure = { code: 'SH01', message: 'no, such "shipment"' }

it.each(['=HYPERLINK("http://x")', ' =1+1', '+1', '-1', '@SUM(1)', '\t=1', '\uff1d1'])(
  "a service message in failed.csv can't be a formula: %j",
  (said) => {
    const { line } = failedCsv(['a'])
    const row = { row: 2, columns: ['a'], cells: ['=1+1'] }
    const [, code, message] = line(row, { code: said, message: said }).match(/=1\+1,2,(.*),(.*)\r\n$/s) ?? []
    for (const cell of [code, message]) expect(cell).toMatch(/^"?'/)
  },
)

it('failed.csv can be fed back: same cells, formulas included, own columns once', async () => {
  let content = 'shipmentId;a;;\n =1+1 ;"x;y"\n1;"p""q\nr";-5;"\tz"\n'
  content = content.replace(' =1+1 ;"x;y"\n', ' =1+1 ;"x;y";;\n')
  let before: string[][] | undefined
  for (let round = 0; round < 3; round++) {
    const source = await open(content)
    const rows = await allRows(source)
    const own = source.header?.includes('_row') ? 3 : 0
    const cells = rows.map((row) => row.cells.slice(0, row.cells.length - own).map(String))
    before ??= cells
    expect(cells).toEqual(before)
    const { header, line } = failedCsv(source.header ?? [])
    content = header + rows.map((row) => line(row, failure)).join('')
  }
  expect(content).toMatch(/^shipmentId,a,,,_row,_code,_message\r\n/)
  expect(content).toContain(',2,SH01,"no, such ""shipment"""\r\n')
})

it('failed.csv has the keys of all records, and keeps rows that were too wide', async () => {
  const source = await open('{"b":"1","[a":2}\n{"c":{"d":[1.0]}}')
  const { header, line } = failedCsv(['[a', 'b', 'c'])
  const rows = await allRows(source)
  expect(await texts(header + rows.map((row) => line(row, failure)).join(''))).toEqual([
    [2, '2', '1', '', '1', 'SH01', failure.message],
    [3, '', '', '{"d":[1.0]}', '2', 'SH01', failure.message],
  ])
  const [wide] = await allRows(await open('a,b\n1,2,3\n'))
  expect(await texts(failedCsv(['a', 'b']).header + failedCsv(['a', 'b']).line(wide!, failure))).toEqual([
    [2, '1', '2', '2', 'SH01', failure.message, '3', '6 cells, but the header has 5 columns'],
  ])
})
