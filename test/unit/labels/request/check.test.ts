import { expect, it } from 'vitest'
import { checkLabelRequest } from '../../../../src/lib/labels/request/check.ts'
import { phoneDoubt, postalCodeDoubt } from '../../../../src/lib/labels/request/checked.ts'
import { isCountry, isCurrency } from '../../../../src/lib/wire/geography.ts'
import full from '../../../fixtures/wire/label-request.full.json' with { type: 'json' }
import minimal from '../../../fixtures/wire/label-request.minimal.json' with { type: 'json' }
import { times, valuesOf } from '../../../helpers/values-of.ts'

const parcel = { clientParcelId: '1', description: 'x' }
const item = { description: 'x', hsCode: '620520', quantity: 1, unitPrice: 1 }
const withParcel = (more: object) => ({ ...full, parcels: [{ ...parcel, ...more }] })
const paths = (input: unknown) => valuesOf(checkLabelRequest(input).problems, 'path')

it('checkLabelRequest accepts the examples unchanged', () => {
  expect(checkLabelRequest(full).request).toEqual(full)
  expect(paths(minimal)).toEqual([])
})

it.each([
  [{ ...full, labelFormat: 'PNG' }, ['labelFormat']],
  [{ ...full, clientShipmentId: ' ' }, ['clientShipmentId']],
  [{ ...full, tags: ['a:b', 'ab', ':b', 'a:'] }, ['tags[1]', 'tags[2]', 'tags[3]']],
  [{ ...full, origin: { ...full.origin, email: 'x' } }, ['origin.email']],
  [{ ...full, shipper: { ...full.shipper, phone: 'call me' } }, ['shipper.phone']],
  [withParcel({ weight: 0 }), ['parcels[0].weight']],
  [withParcel({ weight: 0.85 }), ['parcels[0].weight']],
  [withParcel({ weight: 2_000_000 }), ['parcels[0].weight']],
  [withParcel({ items: [{ ...item, quantity: 0 }] }), ['parcels[0].items[0].quantity']],
  [withParcel({ items: [{ ...item, hsCode: '6205' }] }), ['parcels[0].items[0].hsCode']],
  [withParcel({ items: [{ ...item, currencyCode: 'EURO' }] }), ['parcels[0].items[0].currencyCode']],
  [withParcel({ items: [{ ...item, originCountryCode: 'XX' }] }), ['parcels[0].items[0].originCountryCode']],
  [{ ...full, parcels: [parcel, parcel] }, ['parcels[1].clientParcelId']],
])('checkLabelRequest finds what is wrong (%#)', (input, expected) => {
  expect(paths(input)).toEqual(expected)
})

it('checkLabelRequest warns of items heavier than their parcel, each piece counted', () => {
  const warned = (weight: number) => {
    const { problems, warnings } = checkLabelRequest(
      withParcel({ weight, items: [{ ...item, weight: 0.4, quantity: 2 }] }),
    )
    return [problems, valuesOf(warnings, 'path')]
  }
  expect(warned(500)).toEqual([[], ['parcels[0].weight']])
  expect(warned(800)).toEqual([[], []])
})

it('checkLabelRequest never throws', () => {
  for (const input of [null, 1, 'x', [], { origin: 1, parcels: [1, null], tags: 'x' }])
    expect(checkLabelRequest(input).problems.length).toBeGreaterThan(0)
})

it.each(['ES', 'GB', 'US', 'XK', 'TW', 'GG'])('%s is a country', (code) => expect(isCountry(code)).toBe(true))
it.each(['UK', 'EU', 'XX', 'es', 'ESP', 'SU', 'ZZ', ''])('"%s" is not a country', (code) =>
  expect(isCountry(code)).toBe(false),
)
it('isCountryCode knows all 249 countries, and Kosovo', () => {
  const letters = times(26, (index) => String.fromCharCode(65 + index))
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  expect(codes.filter(isCountry)).toHaveLength(250)
})
it.each([
  ['EUR', true],
  ['USD', true],
  ['eur', false],
  ['XXZ', false],
])('%s is a currency: %s', (code, known) => expect(isCurrency(code)).toBe(known))

it('checkLabelRequest warns of an odd postal code and phone of a country with few known rules', () => {
  const address = { ...full.origin.address, countryCode: 'VN', postalCode: 'x' }
  const odd = { ...full, origin: { ...full.origin, address, phone: '+84 1' + '2345' } }
  const { warnings, request } = checkLabelRequest(odd)
  expect(valuesOf(warnings, 'path')).toEqual(['origin.address.postalCode', 'origin.phone'])
  expect(request).toBeDefined()
})

/** Outcome of a value: it is sent, sent with a warning, or refused. */
const verdict = (doubt: { isCertain: boolean } | undefined) =>
  doubt === undefined ? 'sent' : doubt.isCertain ? 'refused' : 'warned of'

it.each([
  ['28013', 'ES', 'sent'],
  ['2801', 'ES', 'refused'],
  ['53001', 'ES', 'refused'],
  ['D-10115', 'DE', 'sent'],
  ['LV-1010', 'LV', 'sent'],
  ['SW1A1AA', 'GB', 'sent'],
  ['GIR 0AA', 'GB', 'warned of'],
  ['0810', 'AT', 'warned of'],
  ['1000001', 'JP', 'sent'],
  ['100011234', 'US', 'sent'],
  ['00001', 'PL', 'sent'],
  ['00000-', 'US', 'refused'],
  ['1', 'KR', 'warned of'],
  ['anything', 'AO', 'sent'],
])('the postal code %s in %s is %s', (postalCode, country, expected) => {
  expect(verdict(postalCodeDoubt(postalCode, country))).toBe(expected)
})

it.each([
  ['+34600123456', 'ES', 'sent'],
  ['0034 600 12 34 56', 'ES', 'sent'],
  ['+3460012345', 'ES', 'refused'],
  ['600 123 456', 'ES', 'sent'],
  ['600 123', 'ES', 'warned of'],
  ['+44 (0)20 7946 0000', 'GB', 'sent'],
  ['+49 30 123456', 'ES', 'sent'],
  ['+49 1', 'ES', 'refused'],
  ['+1 555 1234', 'ES', 'warned of'],
  ['+52 55 1234 56789', 'MX', 'warned of'],
  ['+999 1234567', 'ES', 'warned of'],
  ['12', 'ES', 'refused'],
  ['+1234567890123456', undefined, 'refused'],
  ['+034600', 'ES', 'refused'],
  ['n/a', 'ES', 'refused'],
])('the phone %s in %s is %s', (phone, country, expected) => {
  expect(verdict(phoneDoubt(phone, country))).toBe(expected)
})
