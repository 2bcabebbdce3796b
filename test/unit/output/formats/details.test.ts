import { expect, test } from 'vitest'
import { detailsText } from '../../../../src/lib/output/formats/details.ts'

const OPTIONS = { timeZone: 'UTC', colour: false, maxWidth: undefined, inWords: false }
const SECTIONS = [
  {
    fields: [
      { label: 'Name', value: 'R#-1' },
      { label: 'Status', value: 'CLOSED', kind: 'status' as const },
      { label: 'Nothing', value: null },
    ],
  },
  { title: 'Left out', fields: [{ label: 'Nothing', value: '' }], columns: [{ header: 'A' }], rows: [] },
  {
    title: 'Items',
    fields: [{ label: 'Number of them', value: 2, kind: 'number' as const }],
    columns: [{ header: 'SKU' }, { header: 'QTY', kind: 'number' as const }],
    rows: [
      ['北京', 1],
      ['A\x1b', 12],
    ],
  },
]

test('labels are aligned over all sections; what is empty is left out', async () => {
  expect(await detailsText(SECTIONS, OPTIONS)).toBe(
    [
      'Name            R#-1',
      'Status          CLOSED',
      '',
      'Items',
      '  Number of them  2',
      '  SKU    QTY',
      '  北京     1',
      '  A\\x1b   12',
      '',
    ].join('\n'),
  )
})

test('colour marks titles and statuses', async () => {
  const text = await detailsText(SECTIONS, { ...OPTIONS, colour: true })
  expect(text).toContain('\x1b[32mCLOSED\x1b[39m\n')
  expect(text).toContain('\x1b[1mItems\x1b[22m\n')
})

test('a small table fits the terminal, on more lines where it has to; values are whole', async () => {
  const long = 'x'.repeat(60)
  const text = await detailsText(
    [
      {
        title: 'T',
        fields: [{ label: 'Url', value: long }],
        columns: [{ header: 'A' }, { header: 'B', flexible: true }],
        rows: [['a', long]],
      },
    ],
    { ...OPTIONS, maxWidth: 60 },
  )
  const [, field, , ...rows] = text.split('\n')
  expect(field).toBe(`  Url  ${long}`)
  expect(rows).toEqual([`  a  ${'x'.repeat(55)}`, `     ${'x'.repeat(5)}`, ''])
})

test('a code in a text is on a line of its own before it is broken', async () => {
  const text = await detailsText(
    [
      {
        columns: [
          { header: 'WHAT' },
          { header: 'DETAIL', flexible: true },
          { header: 'QTY', kind: 'number' },
        ],
        rows: [['x'.repeat(34), 'CORREOS_RETURN, PQ4E0863512939054', 1]],
      },
    ],
    { ...OPTIONS, maxWidth: 62 },
  )
  expect(text).toBe(
    [
      `WHAT${' '.repeat(32)}DETAIL${' '.repeat(15)}QTY`,
      `${'x'.repeat(34)}  CORREOS_RETURN,        1`,
      `${' '.repeat(36)}PQ4E0863512939054`,
      '',
    ].join('\n'),
  )
})

test('a bar gives way to columns with data', async () => {
  const section = (rank: number | undefined) => [
    {
      columns: [{ header: 'A' }, { header: '', ...(rank === undefined ? {} : { rank }) }],
      rows: [['a'.repeat(50), '████████']],
    },
  ]
  expect(await detailsText(section(0), { ...OPTIONS, maxWidth: 60 })).toBe(`A\n${'a'.repeat(50)}\n`)
})

test('long sentences are indented, and a command in one stays whole', async () => {
  const next = `Look into the refund that failed: rma returns refunds 'R#-HV-104987' --shop HARROW-UK`
  const text = await detailsText(
    [
      {
        isText: true,
        fields: [
          { label: 'Where', value: 'At the shop, checked, last scan by ROYAL_MAIL' },
          { label: 'Next', value: next },
        ],
      },
    ],
    { ...OPTIONS, maxWidth: 40 },
  )
  expect(text).toBe(
    [
      'Where  At the shop, checked, last scan',
      '       by ROYAL_MAIL',
      'Next   Look into the refund that failed:',
      `       rma returns refunds 'R#-HV-104987' --shop HARROW-UK`,
      '',
    ].join('\n'),
  )
})

test('a table too wide for the screen is broken between words, inside of its margin', async () => {
  const columns = [{ header: 'NAME' }, { header: 'DETAIL', flexible: true }]
  const rows = [['R#-1', '233.05 EUR, gift card, when the items are']]
  const text = await detailsText([{ title: 'T', columns, rows }], { ...OPTIONS, maxWidth: 50 })
  expect(text).toBe('T\n  NAME    R#-1\n  DETAIL  233.05 EUR, gift card, when the items\n          are\n')
})

test('a drawing gets the available width', async () => {
  const drawing = (columns: number) => ['-'.repeat(columns)]
  const text = (maxWidth: number | undefined) =>
    detailsText([{ title: 'T', drawing }], { ...OPTIONS, maxWidth })
  expect(await text(60)).toBe(`T\n  ${'-'.repeat(58)}\n`)
  expect(await text(undefined)).toBe(`T\n  ${'-'.repeat(72)}\n`)
})
