import { expect, test } from 'vitest'
import { COUNTRIES, SHOPS } from '../../../../src/lib/sandbox/demo/catalogue.ts'
import { isPostalCode } from '../../../../src/lib/sandbox/labels/connections.ts'

test.each([
  ['28013', 'ES', true],
  ['53001', 'ES', false],
  ['2801', 'ES', false],
  ['SW7 5QJ', 'GB', true],
  ['SW75QJ', 'GB', true],
  ['28013', 'GB', false],
  ['4400-123', 'PT', true],
  ['D02 X285', 'IE', true],
  ['10115 ', 'DE', true],
  ['', 'DE', false],
  ['anything', 'AO', true],
])('the postal code %s in %s: %s', (code, country, expected) => {
  expect(isPostalCode(code, country)).toBe(expected)
})

test('postal codes of the demo data are right', () => {
  for (const [country, { cities }] of Object.entries(COUNTRIES)) {
    for (const [, form] of cities) {
      const code = form.replaceAll('#', '2').replaceAll('@', 'A')
      expect(isPostalCode(code, country), `${code} ${country}`).toBe(true)
    }
  }
  for (const { address } of SHOPS.flatMap(({ warehouses }) => warehouses)) {
    expect(isPostalCode(address.postalCode, address.countryCode), address.postalCode).toBe(true)
  }
})
