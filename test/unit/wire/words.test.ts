import { expect, test } from 'vitest'
import {
  PUDO_LOCATION_TYPES,
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../../src/lib/wire/enumerations.ts'
import { carrierName, type WordsKind, wordsOf } from '../../../src/lib/wire/words.ts'

const CODES = {
  returnStatus: RETURN_STATUSES,
  transportStatus: TRANSPORTATION_STATUSES,
  refundStatus: REFUND_STATUSES,
  refundType: REFUND_TYPES,
  refundMode: REFUND_MODES,
  locationType: PUDO_LOCATION_TYPES,
}

test('every code of a kind has words of its own', () => {
  for (const kind of Object.keys(CODES) as WordsKind[]) {
    const words = CODES[kind].map((code) => wordsOf(kind, code))
    expect(new Set(words).size, kind).toBe(words.length)
    for (const each of words) expect(each).toMatch(/^[a-z][a-z ,-]+$/)
  }
})

test('a code means what its kind says, and one that nobody knows is shown as it was sent', () => {
  expect(wordsOf('returnStatus', 'PENDING')).toBe('waiting for the parcel')
  expect(wordsOf('refundStatus', 'PENDING')).toBe('not executed yet')
  expect(wordsOf('refundMode', 'SHIPPING_COMPLETED')).toBe('when the parcel arrives')
  expect(['LOST', 'constructor', 7, null, undefined].map((code) => wordsOf('returnStatus', code))).toEqual([
    'LOST',
    'constructor',
    '7',
    '',
    '',
  ])
})

test.each([
  ['ROYAL_MAIL', 'Royal Mail'],
  ['DHL_SE', 'DHL'],
  ['USPS', 'USPS'],
  ['NEW_ONE', 'NEW ONE'],
  ['constructor', 'constructor'],
  ['OTHER', undefined],
])('the carrier %s is written to customers as %s', (code, expected) => {
  expect(carrierName(code)).toBe(expected)
})
