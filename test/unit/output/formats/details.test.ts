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

test('a small table fits the terminal, values are whole', async () => {
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
  const [, field, , row] = text.split('\n')
  expect(field).toBe(`  Url  ${long}`)
  expect(row).toBe(`  a  ${'x'.repeat(54)}…`)
})
