import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { chooseColumns, type View } from '../../../src/lib/output/columns.ts'

const RECORD = {
  name: 'R#-1',
  createdAt: '2026-03-01 10:00:00Z',
  customer: { email: 'a@example.com', address: { city: 'Madrid' } },
  returnLineItems: [
    { sku: 'A', quantity: 1, tags: ['x', 'y'], returnReason: { code: 'R1' } },
    { sku: 'B', quantity: 2, exchangeLineItems: [{ sku: 'C' }] },
  ],
}

const VIEW: View<typeof RECORD> = {
  columns: [{ name: 'name', header: 'NAME', value: (r) => r.name }],
  extra: [{ name: 'order', header: 'ORDER', value: () => 'o' }],
  paths: ['name', 'createdAt', 'customer', 'returnLineItems'],
  empty: 'Nothing',
}

test.each<[string, unknown]>([
  ['name', 'R#-1'],
  ['NAME', 'R#-1'],
  ['order', 'o'],
  ['createdAt', '2026-03-01 10:00:00Z'],
  ['customer.email', 'a@example.com'],
  ['customer.address.city', 'Madrid'],
  ['customer.address', { city: 'Madrid' }],
  ['customer.nothing.here', undefined],
  ['customer.constructor', undefined],
  ['returnLineItems.0.sku', 'A'],
  ['returnLineItems.9.sku', undefined],
  ['returnLineItems.sku', 'A, B'],
  ['returnLineItems.quantity', '1, 2'],
  ['returnLineItems.tags', '["x","y"]'],
  ['returnLineItems.exchangeLineItems.sku', 'C'],
  ['returnLineItems.returnReason.code', 'R1'],
])('%s finds %j', (name, value) => {
  const [column] = chooseColumns(VIEW, [name])
  expect(column?.value(RECORD)).toEqual(value)
})

test('columns come in the order asked for; dates are told by their names', () => {
  const columns = chooseColumns(VIEW, ['order', 'createdAt', 'name'])
  expect(columns.map(({ header, kind }) => [header, kind])).toEqual([
    ['ORDER', undefined],
    ['createdAt', 'date'],
    ['NAME', undefined],
  ])
})

describe('an unknown name', () => {
  test('lists the known ones and suggests the nearest', () => {
    const choose = () => chooseColumns(VIEW, ['name', 'custmer'])
    expect(choose).toThrow(AppError)
    try {
      choose()
    } catch (error) {
      expect(error).toMatchObject({
        kind: 'usage',
        message: '"custmer" is not a column.',
        details: [
          { message: 'Columns: name, order' },
          { message: 'Fields, also with a dotted path: name, createdAt, customer, returnLineItems' },
        ],
        hints: ['--columns customer'],
      })
    }
  })

  test.each(['', 'nothing.like.it', '.name', '0'])('%j', (name) => {
    expect(() => chooseColumns(VIEW, [name])).toThrow(AppError)
  })

  test('of a view that knows no paths is told by the records', () => {
    const view: View<object> = { ...VIEW, columns: [], extra: [], paths: undefined }
    expect(chooseColumns(view, ['extra.x'])).toHaveLength(1)
    expect(chooseColumns(view, ['extra.x'], [])).toHaveLength(1)
    expect(chooseColumns(view, ['extra.x'], [{}, { extra: 1 }])).toHaveLength(1)
    expect(() => chooseColumns(view, ['extra.x'], [{}])).toThrow(AppError)
  })
})
