import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressLines } from '../../../src/lib/wire/address-lines.ts'

const parts = { line1: 'Rua 1', line2: '2A', city: 'Porto', postalCode: '4000-001', region: 'Norte' }

it.each([
  ['DE', ['Rua 1', '2A', '4000-001 Porto', 'Norte']],
  ['GB', ['Rua 1', '2A', 'Porto', 'Norte', '4000-001']],
  ['US', ['Rua 1', '2A', 'Porto, Norte 4000-001']],
  ['BR', ['Rua 1', '2A', 'Porto-Norte', '4000-001']],
  ['JP', ['Rua 1', '2A', 'Porto', 'Norte', '4000-001']],
  ['??', ['Rua 1', '2A', 'Porto', 'Norte', '4000-001']],
])('addressLines orders an address as in %s', (countryCode, lines) => {
  expect(addressLines({ ...parts, countryCode }).all).toEqual(lines)
})

it('an address goes from large to small in a script that writes so', () => {
  const tokyo = {
    line1: '千代田1-1',
    city: '千代田区',
    postalCode: '100-0001',
    region: '東京都',
    countryCode: 'JP',
  }
  expect(addressLines(tokyo).all).toEqual(['〒100-0001', '東京都', '千代田区', '千代田1-1'])
  expect(addressLines(tokyo).street).toEqual(['千代田1-1'])
})

it('addressLines loses no part, whatever the country', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/)
  const country = fc.stringMatching(/^[A-Z]{2}$/)
  fc.assert(
    fc.property(word, word, word, word, country, (line1, city, postalCode, region, countryCode) => {
      const { all, street, place } = addressLines({ line1, city, postalCode, region, countryCode })
      const written = all.join('\n')
      for (const part of [line1, city, postalCode, region]) expect(written).toContain(part)
      expect([...all].sort()).toEqual([...street, ...place].sort())
    }),
  )
})

it('addressLines accepts values that are no address', () => {
  expect(addressLines({}).all).toEqual([])
  expect(addressLines({ line1: 7, city: null, countryCode: {} }).all).toEqual(['7'])
})
