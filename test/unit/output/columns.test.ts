import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { chooseColumns, columnsOf } from '../../../src/lib/output/columns.ts'
import { fieldNames, lazySchema, type View } from '../../../src/lib/output/view.ts'
import { filesBelow } from '../../helpers/files.ts'

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
  schema: lazySchema((z) => {
    const any = z.unknown()
    return z.object({ name: any, createdAt: any, customer: any, returnLineItems: any })
  }),
  empty: 'Nothing',
}

test.each([
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
])('the column %s has the value %j', async (name, value) => {
  const [column] = await chooseColumns(VIEW, [name])
  expect(column?.value(RECORD)).toEqual(value)
})

test('columns come in the order asked for; dates are told by their names', async () => {
  const columns = await chooseColumns(VIEW, ['order', 'createdAt', 'name'])
  expect(columns.map(({ header, kind }) => [header, kind])).toEqual([
    ['ORDER', undefined],
    ['createdAt', 'date'],
    ['NAME', undefined],
  ])
})

test('an unknown column lists the known ones and suggests the nearest', async () => {
  await expect(chooseColumns(VIEW, ['name', 'custmer'])).rejects.toMatchObject({
    kind: 'usage',
    message: '"custmer" is not a column.',
    details: [
      { message: 'Columns: name, order' },
      { message: 'Fields, also with a dotted path: name, createdAt, customer, returnLineItems' },
    ],
    hints: ['--columns customer'],
  })
})

test.each([
  ['customer.emial', 'customer.fullName, customer.email, customer.address', ['--columns customer.email']],
  ['lines.0.skuu', 'lines.sku', ['--columns lines.sku']],
  ['name.first', undefined, []],
])('the dotted path %s names the fields that there are', async (name, fields, hints) => {
  const view = {
    ...{ columns: ['name'], empty: 'Nothing' },
    schema: lazySchema((z) => {
      const customer = z.object({ fullName: z.string(), email: z.string(), address: z.unknown() })
      const lines = z.array(z.object({ sku: z.string() })).nullish()
      return z.object({ name: z.string(), customer: customer.nullable(), lines })
    }),
  }
  await expect(chooseColumns(view, [name])).rejects.toMatchObject({
    details: [
      { message: 'Columns: name' },
      ...(fields ? [{ message: `Fields, also with a dotted path: ${fields}` }] : []),
    ],
    hints,
  })
  expect(await chooseColumns(view, ['customer.address.anything', 'lines.0.sku', 'lines'])).toHaveLength(3)
})

test.each(['', 'nothing.like.it', '.name', '0'])('the column %j is refused', async (name) => {
  await expect(chooseColumns(VIEW, [name])).rejects.toThrow(AppError)
})

test('an unknown column of a view without a schema is detected by its records', async () => {
  const view = { ...VIEW, columns: [], extra: [], schema: undefined }
  expect(await chooseColumns(view, ['extra.x'])).toHaveLength(1)
  expect(await chooseColumns(view, ['extra.x'], [])).toHaveLength(1)
  expect(await chooseColumns(view, ['extra.x'], [{}, { extra: 1 }])).toHaveLength(1)
  await expect(chooseColumns(view, ['extra.x'], [{}])).rejects.toThrow(AppError)
})

test('a column without header and value shows the field with its name', () => {
  const view = { columns: [{ name: 'sent-by' }, { name: 'total' }], empty: 'Nothing' }
  expect(columnsOf(view).map(({ header, value }) => [header, value({ total: 3 })])).toEqual([
    ['SENT BY', undefined],
    ['TOTAL', 3],
  ])
})

test('every column of a result shows a field of its schema', async () => {
  const folder = join(import.meta.dirname, '../../../src/lib/services')
  const results: Record<string, View<never>>[] = await Promise.all(
    filesBelow(folder, '.result.ts').map((file) => import(join(folder, file))),
  )
  const views = results.flatMap((result) => Object.entries(result)).filter(([, { columns }]) => columns)
  const wrong: string[] = []
  for (const [name, { columns, extra = [], schema }] of views) {
    const fields = await fieldNames(schema)
    for (const column of [...columns, ...extra]) {
      const { value, path } = typeof column === 'string' ? { path: column } : column
      const field = (path ?? '').replace(/\..*/, '').replace(/-(.)/g, (_, letter) => letter.toUpperCase())
      if (path && !value && !fields.includes(field)) wrong.push(`${name}: ${field}`)
    }
  }
  expect(views.length).toBeGreaterThan(20)
  expect(wrong).toEqual([])
})
