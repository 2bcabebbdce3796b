import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { fitted, misfits } from '../../../src/lib/wire/read.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { returnShape } from '../../../src/lib/wire/shapes.ts'
import { fixture } from '../../helpers/fixture.ts'

const sample = (): Return => fixture('wire/return.full.json')

test('a record that fits is the record itself, codes that are not known included', () => {
  for (const record of [
    sample(),
    { ...sample(), status: 'LOST', extra: { a: [null] } } as unknown as Return,
  ]) {
    expect(fitted(returnShape, record)).toBe(record)
  }
})

test('plain values are text where text belongs, and what is of another type is left out', () => {
  const record = {
    ...sample(),
    id: 12,
    totalTax: 'n/a',
    origin: 'Madrid',
    returnLineItems: [null, { sku: 5 }, 'x'],
  }
  expect(fitted(returnShape, record as unknown as Return)).toEqual({
    ...sample(),
    id: '12',
    totalTax: undefined,
    origin: undefined,
    returnLineItems: [{ sku: '5' }],
  })
})

test('a missing value is not an item of a list', () => {
  const record = { ...sample(), returnLineItems: [null, ...sample().returnLineItems] }
  expect(fitted(returnShape, record as Return)).toEqual(sample())
})

test('a fitted value holds only reliable fields, whatever stands where', () => {
  const fields = Object.keys(sample())
  const odd = fc.oneof(fc.constantFrom(null, 7, 'odd', true, new LosslessNumber('1e999')), fc.jsonValue())
  fc.assert(
    fc.property(fc.constantFrom(...fields), odd, (field, value) => {
      const record = fitted(returnShape, { ...sample(), [field]: value })
      for (const { value: left, isUnknownValue } of misfits(returnShape, record)) {
        expect(isUnknownValue || left === undefined || left === null).toBe(true)
      }
    }),
  )
})
