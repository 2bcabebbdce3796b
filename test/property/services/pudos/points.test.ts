import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentNow } from '../../../../src/lib/services/pudos/open-at-flag.ts'
import { openingAt, readHours } from '../../../../src/lib/services/pudos/opening-hours.ts'
import { findPoints } from '../../../../src/lib/services/pudos/points.ts'
import { greatCircleKm } from '../../../../src/lib/wire/geography.ts'

const DAY = 24 * 60
const hoursList = fc.array(
  fc.record({ day: fc.integer({ min: 1, max: 7 }), from: fc.nat(DAY - 1), to: fc.nat(DAY) }),
  { minLength: 1, maxLength: 12 },
)
const time = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const wallAt = (minute: number) =>
  new Date(Date.UTC(2026, 10, 16) + minute * 60_000).toISOString().slice(0, 19)

/** Minute by minute, which needs no thought about weeks and midnights. */
function openMinutes(hours: { day: number; from: number; to: number }[]): Set<number> {
  const open = new Set<number>()
  for (const { day, from, to } of hours) {
    const start = (day - 1) * DAY + from
    for (let at = start, left = to > from ? to - from : to + DAY - from; left > 0; at += 1, left -= 1)
      open.add(at % (7 * DAY))
  }
  return open
}

it('opening hours agree with a count of all minutes of the week', () => {
  fc.assert(
    fc.property(hoursList, fc.nat(7 * DAY - 1), (hours, minute) => {
      const spans = readHours(
        hours.map(({ day, from, to }) => ({ day, opens: time(from), closes: time(to) })),
      )
      const open = openMinutes(hours)
      const { state, until } = openingAt(spans, wallAt(minute))
      if (open.size === 7 * DAY) return expect(state).toBe('always')
      expect(state).toBe(open.has(minute) ? 'open' : 'closed')
      let change = minute
      while (open.has(change % (7 * DAY)) === open.has(minute)) change += 1
      const clock = time(change % DAY)
      expect(until?.slice(-5).replace('24:00', '00:00')).toBe(clock)
    }),
  )
})

const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })
const position = fc.record({ latitude: degrees(90), longitude: degrees(180) })

it('distances agree with the angle between vectors, poles and antimeridian included', () => {
  const vector = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
    const [lat, lon] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180]
    return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)] as const
  }
  fc.assert(
    fc.property(position, position, (a, b) => {
      const [u, v] = [vector(a), vector(b)]
      const chord = Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2])
      expect(greatCircleKm(a, b)).toBeCloseTo(2 * 6371.0088 * Math.asin(Math.min(1, chord / 2)), 3)
    }),
  )
})

describe('merging', () => {
  const point = fc.record({
    distance: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    id: fc.string(),
  })
  const results = fc.array(fc.record({ carrierCode: fc.string(), pudoPoints: fc.array(point) }))

  it('merging loses no point, sorts by distance, and puts unknown distances last', () => {
    fc.assert(
      fc.property(results, (given) => {
        const options = { reference: undefined, moment: momentNow(0), zone: 'UTC' }
        const found = findPoints(given, options)
        expect(found).toHaveLength(given.flatMap(({ pudoPoints }) => pudoPoints).length)
        const distances = found.map(({ distanceKm }) => distanceKm ?? Infinity)
        expect(distances).toEqual([...distances].sort((a, b) => a - b))
      }),
    )
  })

  const anything = fc.anything({ withNullPrototype: true })
  const names = [
    'id',
    'name',
    'latitude',
    'longitude',
    'distance',
    'address',
    'openingHours',
    'timeZone',
    'locationType',
  ]
  const oddFields = fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] })

  it('any answer of a service is shown', () => {
    fc.assert(
      fc.property(anything, oddFields, (odd, fields) => {
        const body = [{ carrierCode: 'C', pudoPoints: [odd, fields] }, odd, { pudoPoints: odd }]
        const options = { reference: { latitude: 0, longitude: 0 }, moment: momentNow(0), zone: 'UTC' }
        // @ts-expect-error a service is not bound by our types
        const found = findPoints(body, options)
        for (const { name, address, distanceKm } of found) {
          expect([typeof name, typeof address]).toEqual(['string', 'string'])
          expect(distanceKm === undefined || Number.isFinite(distanceKm)).toBe(true)
        }
      }),
    )
  })
})
