import { expect, test } from 'vitest'
import { createTable, type TableColumn } from '../../../../src/lib/output/formats/table.ts'
import { displayWidth, prepareWidths } from '../../../../src/lib/output/width.ts'

type Options = Omit<Parameters<typeof createTable>[2], 'timeZone' | 'inWords'>

const tableOf = (columns: readonly TableColumn[], rows: unknown[][], options: Options) =>
  createTable(columns, rows, { timeZone: 'UTC', inWords: false, ...options })

const COLUMNS: TableColumn[] = [
  { header: 'NAME' },
  { header: 'CUSTOMER', flexible: true, rank: 1 },
  { header: 'REFUND', kind: 'money' as const, rank: 2 },
]
const ROWS = [
  ['R#-1', '北京 太郎', '12.50 EUR'],
  ['R#-1002', '👩‍👩‍👧 Zoë', '7.00 EUR'],
  ['', 'a', ''],
]

async function print(
  rows: string[][],
  { columns = COLUMNS, headers = true, colour = false, maxWidth = 0, wraps = false } = {},
) {
  const cells = rows
  const table = await tableOf(columns, cells, {
    headers,
    colour,
    maxWidth: maxWidth || undefined,
    isWhole: true,
    wraps,
  })
  return [table.head, ...cells.map(table.row)].join('')
}

test('columns are aligned by what is seen, amounts on their right, nothing trails', async () => {
  expect(await print(ROWS)).toBe(
    [
      'NAME     CUSTOMER      REFUND',
      'R#-1     北京 太郎  12.50 EUR',
      'R#-1002  👩‍👩‍👧 Zoë      7.00 EUR',
      '         a',
      '',
    ].join('\n'),
  )
})

test('a table without headers keeps no room for them', async () => {
  expect(await print([['a', 'b', 'c']], { headers: false })).toBe('a  b  c\n')
})

const long = [['R#-LU105189-2', 'A customer whose name is longer than most', '123456.50 EUR']]

test('flexible columns give room first', async () => {
  expect(await print(long, { maxWidth: 60 })).toBe(
    [
      'NAME           CUSTOMER                               REFUND',
      'R#-LU105189-2  A customer whose name is long…  123456.50 EUR',
      '',
    ].join('\n'),
  )
})

test('a cell of names is wrapped if its column has room', async () => {
  const cells = [['R#-1', `/${'a'.repeat(60)} is a folder`, '123456.50 EUR']]
  expect(await print(cells, { maxWidth: 60, wraps: true })).toBe(
    [
      'NAME  CUSTOMER                                        REFUND',
      `R#-1  /${'a'.repeat(38)}  123456.50 EUR`,
      `      ${'a'.repeat(22)} is a folder`,
      '',
    ].join('\n'),
  )
  const wide = [[`R#-${'1'.repeat(40)}`, 'A customer whose name is long', '123456.50 EUR']]
  const lines = (await print(wide, { maxWidth: 60, wraps: true })).trimEnd().split('\n')
  expect(lines).toHaveLength(2)
})

test('the least important columns are left out and reported, and no other is cut', async () => {
  const wide = [[`R#-${'1'.repeat(30)}`, 'A customer whose name is long', '123456.50 EUR']]
  const cells = wide
  const options = { headers: true, colour: false, maxWidth: 60, isWhole: true }
  const table = await tableOf(COLUMNS, cells, options)
  expect([table.head, ...cells.map(table.row)]).toEqual([
    `NAME${' '.repeat(38)}REFUND\n`,
    `${wide[0]?.[0]}  123456.50 EUR\n`,
  ])
  expect(table.leftOut).toEqual([1])
})

test('a column that fits beside the more important ones comes back', async () => {
  const columns = [
    { header: 'NAME' },
    { header: 'FILE', rank: 2 },
    { header: 'SIZE', kind: 'number' as const, rank: 1 },
  ]
  expect(await print([['R#-1', 'x'.repeat(70), '12']], { columns, maxWidth: 60 })).toBe(
    'NAME  SIZE\nR#-1    12\n',
  )
})

test('rows that still do not fit, and all rows below 60 columns, become blocks of lines', async () => {
  const blocks = (rows: string[][]) =>
    rows.map(([name, customer, refund]) => `NAME      ${name}\nCUSTOMER  ${customer}\nREFUND    ${refund}\n`)
  expect(await print(long, { maxWidth: 59 })).toBe(blocks(long).join(''))
  expect(await print([...long, ...long], { maxWidth: 59 })).toBe(blocks([...long, ...long]).join('\n'))
  const endless = [[`R#-${'1'.repeat(80)}`, 'Zoë', '1']]
  expect(
    await print(endless, { maxWidth: 80, columns: COLUMNS.map((one) => ({ ...one, rank: undefined })) }),
  ).toBe(blocks(endless).join(''))
})

test('a table that fits exactly is not cut', async () => {
  expect(await print(long, { maxWidth: 13 + 41 + 13 + 4 })).not.toContain('…')
})

test('rows after the sample are fitted into the same columns', async () => {
  const table = await tableOf(COLUMNS, [['a', 'b', 'c']], {
    headers: false,
    colour: false,
    maxWidth: 80,
    isWhole: false,
  })
  expect(table.row(['wide', '北京', '1'])).toBe('wide  …  1\n')
})

test('a row wider than the sample is printed whole outside a terminal', async () => {
  const table = await tableOf(COLUMNS, [['a', 'b', 'c']], {
    headers: false,
    colour: false,
    maxWidth: undefined,
    isWhole: false,
  })
  expect(table.row(['wide', '北京', '1'])).toBe('wide  北京  1\n')
})

test('colour marks the header and the status, and takes no room', async () => {
  const cells = [['CLOSED', 'x']]
  const columns = [{ header: 'STATUS', kind: 'status' as const }, { header: 'B' }]
  const table = await tableOf(columns, cells, {
    headers: true,
    colour: true,
    maxWidth: 80,
    isWhole: true,
  })
  expect(table.head).toBe('\x1b[1mSTATUS\x1b[22m  \x1b[1mB\x1b[22m\n')
  expect(cells.map(table.row)).toEqual(['\x1b[32mCLOSED\x1b[39m  x\n'])
  await prepareWidths()
  expect(displayWidth(table.head)).toBe(9)
})
