import { expect, test } from 'vitest'
import { ean13 } from '../../../../src/lib/sandbox/demo/catalogue.ts'
import { randomIban } from '../../../../src/lib/sandbox/demo/people.ts'
import { Random } from '../../../../src/lib/sandbox/demo/random.ts'

test.each([
  ['400638133393', '4006381333931'],
  ['590123412345', '5901234123457'],
  ['000000000000', '0000000000000'],
])('EAN-13 of %s is %s', (twelve, expected) => {
  expect(ean13(twelve)).toBe(expected)
})

test.each([
  ['DE', 22],
  ['ES', 24],
  ['GB', 22],
  ['NO', 15],
  ['PL', 28],
])('an IBAN of %s has %i characters and remainder 1', (country, length) => {
  for (let index = 0; index < 50; index++) {
    const iban = randomIban(country, new Random(1, 1, index)) ?? ''
    expect(iban).toHaveLength(length)
    expect(iban.slice(0, 2)).toBe(country)
    expect(ibanRemainder(iban)).toBe(1n)
  }
})

test('a country without IBANs gets no IBAN', () => {
  expect(randomIban('US', new Random(1, 1, 1))).toBeUndefined()
})

/** Computes with big integers instead of digit by digit. */
function ibanRemainder(iban: string) {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55))
  return BigInt(digits) % 97n
}
