import { expect, it } from 'vitest'
import { readTrackingNumber } from '../../../src/lib/mappings/tracking-numbers.ts'

/** Sample numbers that carriers publish, with the digits that carriers check. */
const SOUND: [number: string, carrier: string | undefined, named?: string][] = [
  ['1Z5R89390357567127', 'UPS'],
  ['1Z879E930346834440', 'UPS'],
  ['1ZXX3150YW44070023', 'UPS'],
  ['RB123456785GB', 'Royal Mail'],
  ['RB123456785US', 'USPS'],
  ['RB 123 456 785 CV', undefined],
  ['9400 1112 0108 0805 4830 16', 'USPS'],
  ['9505 5110 6960 5048 6006 24', 'USPS'],
  ['92001903060085300042901077', 'USPS'],
  ['420 22153 9101026837331000039521', 'USPS'],
  ['4201002334249200190132607600833457', 'USPS'],
  ['9611020987654312345672', 'FedEx'],
  ['986578788855', undefined, 'FedEx'],
  ['041441760228964', undefined, 'FedEx'],
  ['3318810025', undefined, 'DHL Express'],
  ['00340434161094000007', undefined],
]

it.each(SOUND)('the tracking number %s is sound', (number, carrier, named) => {
  expect(readTrackingNumber(number, named)).toMatchObject({ carrier, isValid: true })
})

it.each(SOUND)('the tracking number %s with another last digit is not sound', (number, _carrier, named) => {
  const spoilt = number.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
  expect([spoilt, readTrackingNumber(spoilt, named)?.isValid]).toEqual([spoilt, false])
})

it.each(['1Z5R89390357567127', '00340434161094000007'])(
  'one wrong digit in the tracking number %s is detected',
  (number) => {
    for (let at = 2; at < number.length - 1; at++) {
      const digit = number.charAt(at)
      if (!/\d/.test(digit)) continue
      const spoilt = `${number.slice(0, at)}${(Number(digit) + 1) % 10}${number.slice(at + 1)}`
      expect([spoilt, readTrackingNumber(spoilt)?.isValid]).toEqual([spoilt, false])
    }
  },
)

it('a tracking number rounded by a spreadsheet is not sound', () => {
  expect(readTrackingNumber('9405803699300120000000')?.isValid).toBe(false)
})

it.each(['', '0998', '3SABCD1234567', '986578788850', '05300000000000', 'R#-1001'])(
  'the tracking number %j has no known check digit',
  (number) => {
    expect(readTrackingNumber(number)).toBeUndefined()
  },
)
