import { expect, it } from 'vitest'
import { cellStyleOf, dateText } from '../../../../../src/lib/bulk/rows/xlsx/workbook.ts'
import { expectRejection } from '../../../../helpers/rejections.ts'
import { allRows, open, texts, zip } from '../../../../helpers/row-input.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** @param prefix of every name, as some writers have it */
function workbook(
  sheets: readonly { xml: string; state?: string }[],
  { strings = '', properties = '', formats = '', styles = '', prefix = '' } = {},
) {
  const tags = sheets.map(
    ({ state = 'visible' }, at) =>
      `<${prefix}sheet name="S${at + 1}" sheetId="${at + 1}" state="${state}" r:id="r${at}"/>`,
  )
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Type="${RELATIONS}/worksheet" Target="worksheets/s${at}.xml"/>`,
  )
  return zip({
    'xl/workbook.xml': `<${prefix}workbook><${prefix}workbookPr ${properties}/>${tags.join('')}</${prefix}workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ xml }, at) => [`xl/worksheets/s${at}.xml`, `<worksheet>${xml}</worksheet>`]),
    ),
  })
}

const text = (value: string, cell = '') => `<c ${cell} t="inlineStr"><is><t>${value}</t></is></c>`
const HEADER = `<row r="1">${text('a')}${text('b')}</row>`

it('every kind of cell of a workbook is read', async () => {
  const file = workbook(
    [
      {
        xml: `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="str"><v> </v></c></row>
            <row r="4"><c r="B4"><f>1+1</f><v>2.50</v></c></row>
            <row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" t="e"><v>#N/A</v></c><c r="C5"/></row>
            <row r="6"><c r="A6" t="str"><f>X</f><v>x_x0041_&amp;</v></c><c r="B6" s="1"><v>46082.5</v></c></row>
            <row r="7"><c r="A7"><v>1.2345678E7</v></c><c r="B7"><v>1001.0</v></c></row>
            <row r="8"><c r="A8"><v>1.23E+17</v></c><c r="C8" t="str"><v>over</v></c></row>
            <row r="9"/>
            <row r="10"><c r="A10"><f>NOW()</f></c><c r="B10" t="str"><f>""</f><v></v></c></row>`,
      },
    ],
    {
      strings:
        '<si><t>a</t></si><si><r><t>b</t></r><r><t xml:space="preserve"> c</t></r><rPh><t>no</t></rPh></si>',
      formats: '<numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/>',
      styles: '<xf/><xf numFmtId="164"/>',
    },
  )
  const source = await open(file)
  expect(source).toMatchObject({ format: 'xlsx', header: ['a', 'b c'], sheet: { name: 'S1', sheets: 1 } })
  expect((await allRows(source)).map(({ row, cells }) => [row, ...cells])).toEqual([
    [4, '', { number: '2.50' }],
    [5, 'true', '#N/A'],
    [6, 'xA&', '2026-03-01T12:00:00'],
    [7, { number: '12345678' }, { number: '1001' }],
    [8, { number: '1.23E+17' }, '', 'over'],
    [10, '#VALUE!', ''],
  ])
  expect((await texts(file)).at(-2)).toContain('3 cells, but the header has 2 columns')
})

it('each cell that holds an error is read as the error of a formula', async () => {
  const errors = ['#SPILL!', 'Err:502', '#NICHTS', ''].map((error) => `<c t="e"><v>${error}</v></c>`)
  const xml = `<row r="1">${['a', 'b', 'c', 'd'].map((name) => text(name)).join('')}</row><row r="2">${errors.join('')}</row>`
  expect(await texts(workbook([{ xml }]))).toEqual([[2, '#SPILL!', 'Err:502', '#VALUE!', '#VALUE!']])
})

it('rows that a filter hides are read and counted, without blank ones and the header', async () => {
  const hidden = (row: number, value: string) => `<row r="${row}" hidden="1">${text(value)}</row>`
  const xml = `${HEADER.replace('r="1"', 'r="1" hidden="true"')}${hidden(2, ' ')}<row r="3" hidden="0">${text('x')}</row>${hidden(4, 'y')}${hidden(5, 'z')}`
  const source = await open(workbook([{ xml }]))
  expect((await allRows(source)).map(({ row }) => row)).toEqual([3, 4, 5])
  expect(source.hidden).toEqual({ count: 2, first: 4 })
})

it('a workbook keeps the leading zeros that a number format shows', async () => {
  const cells = (...values: string[]) => values.map((value) => `<c s="1"><v>${value}</v></c>`).join('')
  const xml = `<row r="1">${text('a')}${text('b')}${text('c')}</row><row r="2">${cells('12345678', '-5', '1.23E+17')}</row>`
  const file = workbook([{ xml }], {
    formats: '<numFmt numFmtId="164" formatCode="0000000000"/>',
    styles: '<xf/><xf numFmtId="164"/>',
  })
  expect(await texts(file)).toEqual([[2, '0012345678', '-5', '1.23E+17']])
})

it('rows come from the first visible sheet that has some', async () => {
  const phonetic = '<c t="inlineStr"><is><t>1</t><rPh><t>no</t></rPh></is></c>'
  const rows = `${HEADER}<row r="2">${phonetic}</row>`
  const sheets = [{ xml: rows, state: 'hidden' }, { xml: '' }, { xml: HEADER }, { xml: rows }]
  expect(await texts(workbook(sheets))).toEqual([[2, '1', '']])
  expect((await open(workbook(sheets))).sheet).toEqual({ name: 'S4', sheets: 4 })
  await expect(open(workbook([{ xml: HEADER }]))).rejects.toMatchObject({
    message: 'FILE has a header and no rows.',
  })
})

it('XML prefixes and dates since 1904 are read', async () => {
  const xml = `<x:row r="1">${text('a').replaceAll(/<(\/?)(\w)/g, '<$1x:$2')}</x:row><x:row r="2"><x:c s="0"><x:v>0.25</x:v></x:c></x:row>`
  const file = workbook([{ xml }], {
    prefix: 'x:',
    properties: 'date1904="1"',
    styles: '<xf numFmtId="22"/>',
  })
  expect(await texts(file)).toEqual([[2, '1904-01-01T06:00:00']])
})

it('a damaged workbook is a usage error', async () => {
  const damaged = [
    workbook([{ xml: '<row r="1"><c r="A1"><v>1</v></row>' }]),
    workbook([{ xml: `${HEADER}<row r="2"><c r="A2" t="s"><v>7</v></c></row>` }]),
    workbook([{ xml: `<row r="1">${text('a', 'r="ZZZZ1"')}</row>` }]),
    workbook([{ xml: `<row r="!1">${text('a')}</row><row r="2">${text('1')}</row>` }]),
    workbook([{ xml: `${HEADER}<row r="3">${text('1')}</row><row r="3">${text('2')}</row>` }]),
    workbook([]),
  ]
  for (const file of damaged) {
    await expectRejection(open(file), 'usage', /^FILE is an Excel workbook that can't be read: /)
  }
})

it.each([
  [14, undefined, 'date'],
  [22, undefined, 'date-time'],
  [21, undefined, 'time'],
  [2, undefined, undefined],
  [164, 'yyyy-mm-dd', 'date'],
  [164, '[$-409]d-mmm;@', 'date'],
  [164, 'mmm', 'date'],
  [164, 'dd hh:mm', 'date-time'],
  [164, 'mm:ss', 'time'],
  [164, '[h]:mm', 'time'],
  [164, '[HH]:mm:ss', 'time'],
  [164, '[mm]', 'time'],
  [164, '0.00 "days"', undefined],
  [164, '[Red]#,##0', undefined],
  [164, 'General', undefined],
  [14, '0', 1],
  [164, '0000000000', 10],
])('the number format %d %j is %s', (id, code, style) => expect(cellStyleOf(id, code)).toBe(style))

it.each([
  [46082, 'date', false, '2026-03-01'],
  [46082.5, 'date', false, '2026-03-01T12:00:00'],
  [46082, 'date-time', false, '2026-03-01T00:00:00'],
  [46082.4166666667, 'date-time', false, '2026-03-01T10:00:00'],
  [0.5, 'time', false, '12:00:00'],
  [1, 'date', false, '1900-01-01'],
  [59, 'date', false, '1900-02-28'],
  [60, 'date', false, undefined],
  [61, 'date', false, '1900-03-01'],
  [44620, 'date', true, '2026-03-01'],
  [-1, 'date', false, undefined],
  [1.5, 'time', false, undefined],
] as const)('the number %d as %s with dates since 1904 %s is %s', (serial, style, is1904, expected) => {
  expect(dateText(serial, style, is1904)).toBe(expected)
})
