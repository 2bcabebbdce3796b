import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { type CellKind, cellText, Money, plainValue } from '../../../../src/lib/output/formats/cell.ts'

test.each<[unknown, CellKind | undefined, string]>([
  [null, undefined, ''],
  [undefined, 'date', ''],
  ['two\nlines\x1b', undefined, 'two\\nlines\\x1b'],
  [12.5, 'number', '12.5'],
  ['12.50', 'number', '12.50'],
  [new LosslessNumber('12345678901234567890'), 'number', '12345678901234567890'],
  // Distances: two decimals, so that they compare down a column.
  [1, 'distance', '1.00'],
  [0.95, 'distance', '0.95'],
  [undefined, 'distance', ''],
  [false, undefined, 'false'],
  [['a', 1], undefined, 'a, 1'],
  [{ a: '\x1b' }, undefined, '{"a":"\\u001b"}'],
  [[{ a: 1 }], undefined, '[{"a":1}]'],
  // Dates: in the zone, to the minute; what is not a date stays.
  ['2026-03-01 10:00:00Z', 'date', '2026-03-01 11:00'],
  ['2026-07-01T10:00:59.5+00:00', 'date', '2026-07-01 12:00'],
  ['2026-03-01 10:00:00Z', 'text', '2026-03-01 10:00:00Z'],
  ['soon\x1b', 'date', 'soon\\x1b'],
  // Amounts: the digits sent, zeros added up to what the currency has, nothing taken away.
  [new Money(12.5, 'EUR'), 'money', '12.50 EUR'],
  [new Money(12, 'EUR'), 'money', '12.00 EUR'],
  [new Money('12', 'EUR'), 'money', '12.00 EUR'],
  [new Money(-0.5, 'EUR'), 'money', '-0.50 EUR'],
  [new Money(12.345, 'EUR'), 'money', '12.345 EUR'],
  [new Money(1200, 'JPY'), 'money', '1200 JPY'],
  [new Money(1.5, 'KWD'), 'money', '1.500 KWD'],
  [new Money(1e21, 'EUR'), 'money', '1e+21 EUR'],
  [new Money('1,5', 'EUR'), 'money', '1,5 EUR'],
  [new Money(0, 'EUR'), 'money', '0.00 EUR'],
  [new Money(12.5, undefined), 'money', '12.5'],
  [new Money(12.5, 'not a code'), 'money', '12.5 not a code'],
  [new Money(null, 'EUR'), 'money', ''],
  [new Money(new LosslessNumber('12345678901234567890.5'), 'EUR'), 'money', '12345678901234567890.50 EUR'],
  [new Money('5\x1b', 'EU\x1b'), 'money', '5\\x1b EU\\x1b'],
])('%j as %s is %j', (value, kind, text) => {
  expect(cellText(value, kind, 'Europe/Madrid')).toBe(text)
})

test('plainValue returns values as sent', () => {
  expect(plainValue(new Money(12.5, 'EUR'))).toBe(12.5)
  expect(plainValue('2026-03-01 10:00:00Z')).toBe('2026-03-01 10:00:00Z')
})
