import { describe, expect, test } from 'vitest'
import { COUNTRIES } from '../../../../src/lib/sandbox/demo/countries.ts'
import { MERCHANTS } from '../../../../src/lib/sandbox/demo/merchants.ts'
import { crossesCustoms } from '../../../../src/lib/sandbox/labels/customs.ts'
import { printable } from '../../../../src/lib/sandbox/labels/latin.ts'
import { isPostalCode } from '../../../../src/lib/sandbox/labels/postal-codes.ts'
import { s10CheckDigit, trackingCode } from '../../../../src/lib/sandbox/labels/tracking-code.ts'
import { labelRequest } from '../../../helpers/label-requests.ts'

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

describe('postal codes', () => {
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
  ])('%s in %s: %s', (code, country, expected) => {
    expect(isPostalCode(code, country)).toBe(expected)
  })

  test('those of the demo data are right', () => {
    for (const [country, { cities }] of Object.entries(COUNTRIES)) {
      for (const [, form] of cities) {
        const code = form.replaceAll('#', '2').replaceAll('@', 'A')
        expect(isPostalCode(code, country), `${code} ${country}`).toBe(true)
      }
    }
    for (const { address } of MERCHANTS.flatMap(({ warehouses }) => warehouses)) {
      expect(isPostalCode(address.postalCode, address.countryCode), address.postalCode).toBe(true)
    }
  })
})

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

test.each([
  ['Peña & Cía. «Ñandú» – 5 €', 'Peña & Cía. «Ñandú» – 5 €'],
  ['Łódź, Škoda, Győr, İzmir', 'Lódz, Škoda, Gyor, Izmir'],
  ['Αθήνα Москва Щука', 'Athina Moskva Shchuka'],
  ['空色ストア 返品', 'KongSesutoa FanPin'],
  ['서울특별시'.normalize('NFD'), 'SeoUlTeugByeolSi'],
  ['ビル２Ｆ（東）', 'biru2F(Dong)'],
  ['𠮷'.repeat(200), 'Kichi'.repeat(60)],
  ['שלום عنوان ที่อยู่', 'slvm `nw?n thoy'],
  ['a\u0000b\r\nc\u200bd\u00a0e', 'a b cd e'],
  ['e\u0301 \u{1f600} \ue000\ue001', 'é :grinning: ?'],
  ['', ''],
])('%j is printed as %j', (text, expected) => {
  expect(printable(text)).toBe(expected)
})
