import { describe, expect, test } from 'vitest'
import { createTable, tableCell, tableColumn } from '../../../../src/lib/output/formats/table.ts'
import { displayWidth, prepareWidths } from '../../../../src/lib/output/width.ts'

const COLUMNS = [
  tableColumn('NAME', undefined),
  tableColumn('CUSTOMER', undefined, true),
  tableColumn('REFUND', 'money'),
]
const ROWS = [
  ['R#-1', '北京 太郎', '12.50 EUR'],
  ['R#-1002', '👩‍👩‍👧 Zoë', '7.00 EUR'],
  ['', 'a', ''],
]

async function print(
  rows: string[][],
  { columns = COLUMNS, headers = true, colour = false, maxWidth = 0 } = {},
) {
  const cells = rows.map((row) => row.map((text) => tableCell(text, undefined, 'UTC')))
  const table = await createTable(columns, cells, {
    headers,
    colour,
    maxWidth: maxWidth || undefined,
    isWhole: true,
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

test('without headers they take no room', async () => {
  expect(await print([['a', 'b', 'c']], { headers: false })).toBe('a  b  c\n')
})

describe('on a terminal', () => {
  const long = [['R#-1002', 'A customer with quite a long name', '123456.50 EUR']]

  test('the widest flexible column gives room first', async () => {
    expect(await print(long, { maxWidth: 44 })).toBe(
      [
        'NAME     CUSTOMER                     REFUND',
        'R#-1002  A customer with qui…  123456.50 EUR',
        '',
      ].join('\n'),
    )
  })

  test('then the others, but never an amount', async () => {
    const text = await print(long, { maxWidth: 25 })
    expect(text).toBe('NAME  CUS…         REFUND\nR#-…  A c…  123456.50 EUR\n')
  })

  test('nothing is cut when all fits exactly', async () => {
    expect(await print(long, { maxWidth: 7 + 33 + 13 + 4 })).not.toContain('…')
  })

  test('rows after the sample are fitted into the same columns', async () => {
    const table = await createTable(COLUMNS, [[{ text: 'a' }, { text: 'b' }, { text: 'c' }]], {
      headers: false,
      colour: false,
      maxWidth: 80,
      isWhole: false,
    })
    expect(table.row([{ text: 'wide' }, { text: '北京' }, { text: '1' }])).toBe('…  …  1\n')
  })
})

test('elsewhere a row that is wider than the sample is printed whole', async () => {
  const table = await createTable(COLUMNS, [[{ text: 'a' }, { text: 'b' }, { text: 'c' }]], {
    headers: false,
    colour: false,
    maxWidth: undefined,
    isWhole: false,
  })
  expect(table.row([{ text: 'wide' }, { text: '北京' }, { text: '1' }])).toBe('wide  北京  1\n')
})

test('colour marks the header and the status, and takes no room', async () => {
  const cells = [[tableCell('CLOSED', 'status', 'UTC'), tableCell('x', undefined, 'UTC')]]
  const columns = [tableColumn('STATUS', 'status'), tableColumn('B', undefined)]
  const table = await createTable(columns, cells, {
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
