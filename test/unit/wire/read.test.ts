import { expect, test } from 'vitest'
import { shapeOf } from '../../../src/lib/wire/fields.ts'
import { labelSetListSchema } from '../../../src/lib/wire/labels.ts'
import {
  ContainerError,
  readList,
  readRecord,
  readRecords,
  SpecDeviations,
} from '../../../src/lib/wire/read.ts'
import { labelSetShape, returnShape } from '../../../src/lib/wire/shapes.ts'
import { fixture } from '../../helpers/fixture.ts'

const sample = () => fixture('wire/return.full.json')

function departuresOf(change: (record: ReturnType<typeof sample>) => void) {
  const deviations = new SpecDeviations()
  const record = sample()
  change(record)
  readRecord(returnShape, record, 'return', deviations)
  return deviations.entries()
}

test('a record that keeps to the specification comes back as it is, with no deviations', () => {
  const deviations = new SpecDeviations()
  const record = { ...sample(), newField: { a: [1] } }
  expect(readRecord(returnShape, record, 'return', deviations)).toBe(record)
  expect(deviations.size).toBe(0)
})

test('a record that departs from the specification comes back all the same', () => {
  const deviations = new SpecDeviations()
  const record = { name: 5, status: 'LOST' }
  expect(readRecord(returnShape, record, 'return', deviations)).toBe(record)
  expect(record).toEqual({ name: 5, status: 'LOST' })
  expect(deviations.size).toBeGreaterThan(5)
})

test.each([
  ['an absent required field', (r) => delete r.customer.email, 'return.customer.email', 'missing'],
  ['a null required field', (r) => Object.assign(r, { name: null }), 'return.name', 'missing'],
  [
    'a null required enum',
    (r) => (r.returnLineItems[0].refundType = null),
    'return.returnLineItems[].refundType',
    'missing',
  ],
  ['a number where text belongs', (r) => Object.assign(r, { id: 12 }), 'return.id', 'wrong-type'],
  [
    'text where a number belongs',
    (r) => Object.assign(r, { totalTax: 'n/a' }),
    'return.totalTax',
    'wrong-type',
  ],
  [
    'text where an object belongs',
    (r) => Object.assign(r, { origin: 'Madrid' }),
    'return.origin',
    'wrong-type',
  ],
  [
    'an object where a list belongs',
    (r) => Object.assign(r, { returnLineItems: {} }),
    'return.returnLineItems',
    'wrong-type',
  ],
  ['an enum that is not text', (r) => Object.assign(r, { status: 3 }), 'return.status', 'wrong-type'],
] satisfies [string, (record: ReturnType<typeof sample>) => unknown, string, string][])(
  '%s is noted as a deviation',
  (_, change, path, problem) => {
    expect(departuresOf(change)).toEqual([{ path, problem, records: 1 }])
  },
)

test.each([
  ['amounts as text', (r) => Object.assign(r, { totalReturnFee: '3.95', totalTax: '0' })],
  ['a phone as a number', (r) => Object.assign(r.customer, { phone: 34600123456 })],
  [
    'null in an optional field',
    (r) => Object.assign(r, { status: null, activeTransportation: null, customerIban: null }),
  ],
  [
    'dates with an offset or with a T',
    (r) => Object.assign(r, { createdAt: '2026-03-01 11:00:00+01:00', updatedAt: '2026-03-01T10:00:00Z' }),
  ],
] satisfies [string, (record: ReturnType<typeof sample>) => unknown][])(
  '%s are no deviation',
  (_, change) => {
    expect(departuresOf(change)).toEqual([])
  },
)

test('records are counted, not occurrences, and unknown values are kept once each', () => {
  const deviations = new SpecDeviations()
  const record = (...modes: string[]) => {
    const { returnLineItems, ...rest } = sample()
    const items = modes.map((refundMode) => ({ ...returnLineItems[0], refundMode }))
    return { ...rest, id: modes.join(), returnLineItems: items }
  }
  const body = { returns: [record('SOON', 'LATER', 'SOON'), record('LATER'), record('MANUAL')] }
  const { sent: read } = readRecords(returnShape, body, 'returns', deviations)
  expect(read).toEqual(body.returns)
  expect(read[0]).toBe(body.returns[0])
  expect(deviations.entries()).toEqual([
    {
      path: 'returns[].returnLineItems[].refundMode',
      problem: 'unknown-value',
      values: ['SOON', 'LATER'],
      records: 2,
    },
  ])
})

test('one path may have several problems; values stop at ten', () => {
  const deviations = new SpecDeviations()
  deviations.add('returns[].status', 'missing')
  for (let i = 0; i < 25; i += 1) deviations.add('returns[].status', 'unknown-value', `S${i}`)
  expect(deviations.size).toBe(2)
  expect(deviations.entries()).toEqual([
    { path: 'returns[].status', problem: 'missing', records: 1 },
    {
      path: 'returns[].status',
      problem: 'unknown-value',
      values: ['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9'],
      records: 25,
    },
  ])
})

test('records that are not objects are noted and kept', () => {
  const deviations = new SpecDeviations()
  expect(readRecords(returnShape, { returns: [null, 'x'] }, 'returns', deviations)).toMatchObject({
    sent: [null, 'x'],
    records: [],
  })
  expect(deviations.entries()).toEqual([
    { path: 'returns[]', problem: 'missing', records: 1 },
    { path: 'returns[]', problem: 'wrong-type', records: 1 },
  ])
})

test('a body that is the list itself needs no key', () => {
  const deviations = new SpecDeviations()
  const read = (raw: unknown) => readRecord(labelSetShape, raw, '[]', deviations)
  expect(readList([{ shippingLabels: [] }, {}], undefined, read).items).toHaveLength(2)
  expect(deviations.entries()).toEqual([{ path: '[].shippingLabels', problem: 'missing', records: 1 }])
  readRecord(shapeOf(labelSetListSchema), [{}], 'labels', deviations)
  expect(deviations.entries()[1]?.path).toBe('labels[].shippingLabels')
})

test.each([
  [
    { returns: { 0: 'x' } },
    'returns',
    'an object with a list under "returns"',
    'an object with an object there',
  ],
  [{}, 'returns', 'an object with a list under "returns"', 'an object with nothing there'],
  [{ returns: null }, 'returns', 'an object with a list under "returns"', 'an object with null there'],
  [[], 'returns', 'an object with a list under "returns"', 'a list'],
  [null, 'returns', 'an object with a list under "returns"', 'null'],
  ['<html>', 'returns', 'an object with a list under "returns"', 'a string'],
  [undefined, undefined, 'a list', 'nothing'],
  [{}, undefined, 'a list', 'an object'],
  [7, undefined, 'a list', 'a number'],
])('%j is not a container with the key %s', (body, key, expected, found) => {
  const read = () => readList(body, key, (item) => item)
  expect(read).toThrow(ContainerError)
  expect(read).toThrow(
    expect.objectContaining({ expected, found, message: `expected ${expected}, found ${found}` }),
  )
})

test('a record that is read again counts once in what departs', () => {
  const deviations = new SpecDeviations()
  for (const id of ['1', '1', '2', undefined, undefined]) {
    readRecord(returnShape, { ...sample(), id, name: null }, 'returns[]', deviations)
  }
  expect(deviations.entries().find(({ path }) => path === 'returns[].name')?.records).toBe(4)
})
