import { expect, test } from 'vitest'
import { crossesCustoms } from '../../../../src/lib/sandbox/labels/connections.ts'
import { labelRequest } from '../../../helpers/label-requests.ts'

test.each([
  ['ES 28013', 'PT 4400-123', false],
  ['ES 28013', 'GB SW7 5QJ', true],
  ['ES 28013', 'ES 35001', true],
  ['ES 38001', 'ES 35001', false],
  ['ES 51001', 'ES 52001', true],
  ['FR 75001', 'MC 98000', false],
  ['CH 8001', 'LI 9490', false],
  ['US 10001', 'CA M5V 1A1', true],
  ['US 10001', 'PR 00901', false],
])('customs between %s and %s: %s', (from, to, expected) => {
  const party = (place: string) => ({
    fullName: 'A',
    email: 'a@example.com',
    phone: '1',
    address: { line1: 'x', city: 'x', countryCode: place.slice(0, 2), postalCode: place.slice(3) },
  })
  const request = labelRequest({ origin: party(from), destination: party(to) })
  expect(crossesCustoms(request)).toBe(expected)
  expect(crossesCustoms({ ...request, origin: { ...request.origin, address: null } })).toBe(false)
})
