import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceM, mayReach } from '../../../src/lib/sandbox/pudos/points.ts'
import { type Place, placeKey } from '../../../src/lib/sandbox/pudos/towns.ts'
import { independentDistanceM } from '../../helpers/pudo-data.ts'

const place = fc.record({
  latitude: fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.constantFrom(-90, -89.99, 0, 89.99, 90),
  ),
  longitude: fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.constantFrom(-180, -179.99, 0, 179.99, 180),
  ),
})

/** The place that lies a distance away in a direction. */
function destination({ latitude: lat, longitude: lon }: Place, metres: number, bearing: number) {
  const [phi, reach] = [(lat * Math.PI) / 180, metres / 6_371_008.8]
  const sin = Math.sin(phi) * Math.cos(reach) + Math.cos(phi) * Math.sin(reach) * Math.cos(bearing)
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(reach) * Math.cos(phi),
    Math.cos(reach) - Math.sin(phi) * sin,
  )
  const east = lon + (turn * 180) / Math.PI
  return {
    latitude: (Math.asin(Math.max(-1, Math.min(1, sin))) * 180) / Math.PI,
    longitude: east > 180 ? east - 360 : east < -180 ? east + 360 : east,
  }
}

test('a circle may reach everything that is in range of one of its places', () => {
  const within = fc.record({
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    bearing: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
  })
  const circle = fc.record({ middle: place, reachM: fc.integer({ min: 1, max: 3_000_000 }), within })
  fc.assert(
    fc.property(
      circle,
      fc.integer({ min: 1, max: 100_000 }),
      within,
      ({ middle, reachM, within: inside }, rangeM, { share, bearing }) => {
        const there = destination(middle, reachM * inside.share, inside.bearing)
        const center = destination(there, rangeM * share, bearing)
        fc.pre(distanceM(center, there) <= rangeM)
        expect(mayReach({ town: middle, reachM }, center, rangeM)).toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
})

test('distances agree with another formula to the metre, and are equal both ways', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      const metres = distanceM(a, b)
      // Opposite places are where haversines are weak; ranges end at 100 km.
      fc.pre(metres < 19_000_000)
      expect(Math.abs(metres - independentDistanceM(a, b))).toBeLessThanOrEqual(1)
      expect(distanceM(b, a)).toBe(metres)
    }),
  )
})

test('placeKey returns a key unchanged, whatever the case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (name) => {
      const key = placeKey(name)
      expect(placeKey(key)).toBe(key)
    }),
  )
})
