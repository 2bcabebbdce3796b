import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { COUNTRIES, SHOPS } from '../../../../src/lib/sandbox/demo/catalogue.ts'
import { isPostalCode } from '../../../../src/lib/sandbox/labels/connections.ts'
import { describePoint, distanceM, NETWORKS } from '../../../../src/lib/sandbox/pudos/points.ts'
import { placeKey } from '../../../../src/lib/sandbox/pudos/towns.ts'
import { pudosResponseSchema } from '../../../../src/lib/wire/pudos.ts'
import { demoData } from '../../../helpers/pudo-data.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

const { towns, areas, points } = demoData()
const described = points
  .filter((_, index) => index % 20 === 0)
  .map((point) => ({ point, town: point.town, shown: describePoint(point, point.town) }))

test('there are enough points in all countries, and each belongs to a known carrier', () => {
  expect(points.length).toBeGreaterThan(20_000)
  expect(new Set(points.map(({ town }) => town.country))).toEqual(new Set(Object.keys(COUNTRIES)))
  const carriers = SHOPS.flatMap(({ services }) => valuesOf(services, 'carrierCode'))
  for (const { carrierCode } of NETWORKS) expect(['SBX', ...carriers]).toContain(carrierCode)
  expect(new Set(valuesOf(points, 'network')).size).toBe(NETWORKS.length)
})

test('points are the same every time, and have unique numbers', () => {
  expect(new Set(valuesOf(points, 'no')).size).toBe(points.length)
  const digest = createHash('sha256')
    .update(JSON.stringify([towns, areas, points.map(({ town, ...point }) => point)]))
    .digest('hex')
  // If this fails, towns or points have changed: those that a client remembers are elsewhere, or are others.
  expect(digest.slice(0, 16)).toBe('5343d20fcbe015a7')
})

test('every point looks like one of its country', () => {
  for (const { point, town, shown } of described) {
    const { address, timeZone, name, openingHours } = shown
    const at = JSON.stringify(shown)
    expect(isPostalCode(address?.postalCode ?? '', town.country), at).toBe(true)
    expect(address, at).toMatchObject({ city: town.name, countryCode: town.country })
    expect(timeZone, at).toBe(town.timeZone)
    expect(`${name}${address?.line1}`, at).not.toMatch(/[{}]|undefined/)
    expect(distanceM(point, town), at).toBeLessThan(20_000)
    const isWrong = ({ day, opens, closes }: NonNullable<typeof openingHours>[number]) =>
      !(Number(day) >= 1 && Number(day) <= 7) ||
      !/^([01]\d|2[0-3]):[0-5]\d ([01]\d:[0-5]\d|2[0-3]:[0-5]\d|24:00)$/.test(`${opens} ${closes}`) ||
      !(String(opens) < String(closes))
    expect(openingHours?.filter(isWrong) ?? [], at).toEqual([])
  }
  expect(pudosResponseSchema.safeParse([{ pudoPoints: valuesOf(described, 'shown') }]).success).toBe(true)
})

test('lockers never close, and a few points are closed for a time', () => {
  const lockers = described.filter(({ shown }) => shown.locationType === 'LOCKER')
  expect(lockers.length).toBeGreaterThan(500)
  const always = times(7, (i) => ({ day: i + 1, opens: '00:00', closes: '24:00' }))
  for (const { shown } of lockers) expect(shown.openingHours).toEqual(always)
  const closed = described.filter(({ shown }) => shown.temporarilyClosed).length / described.length
  expect(closed).toBeGreaterThan(0.01)
  expect(closed).toBeLessThan(0.03)
})

test('time zones are real, and those of their towns', () => {
  for (const zone of new Set(valuesOf(towns, 'timeZone'))) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow()
  }
  const zoneOf = (country: string, name: string) =>
    towns.find((town) => town.country === country && town.name === name)?.timeZone
  expect(zoneOf('ES', 'Las Palmas de Gran Canaria')).toBe('Atlantic/Canary')
  expect(zoneOf('PT', 'Ponta Delgada')).toBe('Atlantic/Azores')
  expect(zoneOf('US', 'Phoenix')).toBe('America/Phoenix')
  expect(zoneOf('US', 'Honolulu')).toBe('Pacific/Honolulu')
  expect(zoneOf('MX', 'Tijuana')).toBe('America/Tijuana')
  expect(zoneOf('CA', "St. John's")).toBe('America/St_Johns')
  // Near the border, where a coarse map has the neighbour's.
  const germans = towns.filter(({ country }) => country === 'DE')
  expect(new Set(valuesOf(germans, 'timeZone'))).toEqual(new Set(['Europe/Berlin']))
})

test('the gazetteer knows every town that demo customers live in', () => {
  const known = new Set(
    towns.flatMap(({ country, name, aliases }) => [name, ...aliases].map((n) => `${country} ${placeKey(n)}`)),
  )
  for (const [country, { cities }] of Object.entries(COUNTRIES)) {
    for (const [city] of cities) expect(known).toContain(`${country} ${placeKey(city)}`)
  }
})
