import { expect, test } from 'vitest'
import { s10CheckDigit, trackingCode } from '../../../../src/lib/sandbox/labels/operations.ts'

test.each([
  ['47312482', '9'],
  ['00000000', '5'],
  ['00000001', '4'],
  ['00000010', '2'],
  ['10000000', '3'],
])('check digit of %s is %s', (serial, check) => {
  expect(s10CheckDigit(serial)).toBe(check)
})

test('tracking codes begin with the letters of the carrier', () => {
  expect(trackingCode('CORREOS', 'ES', 0)).toBe(`CS12345678${s10CheckDigit('12345678')}ES`)
  expect(trackingCode('DPD_UK', 'GB', 1)).toMatch(/^DK\d{9}GB$/)
  expect(trackingCode('24', 'GB', 1)).toMatch(/^RA\d{9}GB$/)
})
