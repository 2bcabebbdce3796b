import fc from 'fast-check'
import { expect, it } from 'vitest'
import { labelFileName, shipmentStem } from '../../../../src/lib/labels/folder/names.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'

const place = fc.record({
  clientShipmentId: fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('A', 'a', '1', '-', '2', 'o', 'F', '.', '#', 'R', '/'), maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('R#-', 'A', 'a', '-T', 'T', '1'), maxLength: 5 }),
  ),
  parcel: fc.integer({ min: 1, max: 3 }),
  parcels: fc.constant(3),
  isCode: fc.boolean(),
})

it('label file names are names on any disk', () => {
  fc.assert(
    fc.property(place, (one) => {
      const name = labelFileName(shipmentStem(one.clientShipmentId), one, 'ZPL')
      expect(name).toMatch(
        /^[A-Za-z0-9][A-Za-z0-9_-]*(\.(?:[0-9a-f]{10}|T[A-Z0-9]+)(-\dof\d)?(-code)?)?\.zpl$/,
      )
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\./i)
      expect(name.length).toBeLessThan(130)
    }),
    { numRuns: 2000 },
  )
})

it('label file names differ for different labels, even if case is ignored', () => {
  const places = fc.sample(
    fc.record({ ...{ parcel: fc.integer({ min: 1, max: 2 }), isCode: fc.boolean() }, place }),
    20_000,
  )
  const seen = new Map<string, string>()
  for (const { place: one, parcel, isCode } of places) {
    const parcels = isCode ? 1 : 2
    const label = { ...one, parcel: isCode ? 1 : parcel, parcels, isCode }
    const name = labelFileName(shipmentStem(label.clientShipmentId), label, 'PDF').toLowerCase()
    const key = JSON.stringify(label)
    const other = seen.get(name) ?? key
    // Only what fails: an assertion takes longer than all else here.
    if (other !== key) expect(other).toBe(key)
    seen.set(name, key)
  }
  expect(seen.size).toBeGreaterThan(1000)
})
