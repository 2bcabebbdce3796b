import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  middleOf,
  placeByDistances,
  placeMarkers,
  project,
  roundDown,
} from '../../../src/lib/output/map/drawing.ts'
import { mapPage } from '../../../src/lib/output/map/page.ts'
import type { FoundPoint, Position } from '../../../src/lib/output/map/point.ts'
import { greatCircleKm } from '../../../src/lib/wire/geography.ts'
import { times } from '../../helpers/values-of.ts'

const place = { latitude: 40.4168, longitude: -3.7038 }
const point = (more: Partial<FoundPoint> = {}): FoundPoint => ({
  record: {},
  position: place,
  distanceKm: 1.234,
  carrier: 'SBX',
  services: [],
  name: 'Estanco Sol',
  type: 'POST_OFFICE',
  address: 'Puerta del Sol 3',
  opening: { state: 'open', until: '20:30' },
  zone: undefined,
  ahead: undefined,
  week: [{ days: 'Mon–Fri', hours: '09:00–20:30' }],
  ...more,
})
const page = (points: FoundPoint[], reference: Position | null = place) =>
  mapPage(points, {
    place: 'Calle Mayor 1',
    reference: reference ?? undefined,
    asOf: 'Fri 20 Nov 2026, 13:00',
    language: 'en',
  })

const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true })
const position = fc.record({ latitude: degrees(90), longitude: degrees(180) })

it('the projection keeps the distance from the centre, anywhere on Earth', () => {
  const rad = Math.PI / 180
  fc.assert(
    fc.property(position, position, (centre, other) => {
      const cosine =
        Math.sin(centre.latitude * rad) * Math.sin(other.latitude * rad) +
        Math.cos(centre.latitude * rad) *
          Math.cos(other.latitude * rad) *
          Math.cos((other.longitude - centre.longitude) * rad)
      const km = 6371.0088 * Math.acos(Math.min(1, Math.max(-1, cosine)))
      const { x, y } = project(centre, other)
      // The law of cosines is coarse for the smallest distances.
      expect(Math.abs(Math.hypot(x, y) - km)).toBeLessThan(0.2)
    }),
  )
})

it.each([
  ['north', { latitude: 40.5, longitude: -3.7038 }, [0, -1]],
  ['south', { latitude: 40.3, longitude: -3.7038 }, [0, 1]],
  ['east', { latitude: 40.4168, longitude: -3.6 }, [1, 0]],
  ['west', { latitude: 40.4168, longitude: -3.8 }, [-1, 0]],
])('%s is where it is on a map', (_name, other, [x, y]) => {
  const spot = project(place, other)
  expect(
    [Math.round(spot.x / Math.hypot(spot.x, spot.y)), Math.round(spot.y / Math.hypot(spot.x, spot.y))].map(
      (n) => n + 0,
    ),
  ).toEqual([x, y])
})

it('the middle of places on both sides of the antimeridian is between them', () => {
  const middle = middleOf([
    { latitude: -17, longitude: 179 },
    { latitude: -17, longitude: -179 },
  ])
  expect(Math.abs(middle?.longitude ?? 0)).toBeCloseTo(180)
  expect(middleOf([])).toBeUndefined()
})

it.each([
  [0.3, 0.2],
  [1, 1],
  [4.9, 2],
  [7, 5],
  [99, 50],
])('%f is rounded down to %f', (value, round) => expect(roundDown(value)).toBeCloseTo(round, 10))

const spot = fc.record({
  x: fc.double({ min: 40, max: 520, noNaN: true }),
  y: fc.double({ min: 40, max: 520, noNaN: true }),
})
const crowd = fc.record({
  x: fc.double({ min: 260, max: 300, noNaN: true }),
  y: fc.double({ min: 260, max: 300, noNaN: true }),
})

it('no sign on the map hides another, and no point is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(spot, crowd), { maxLength: 60 }), (spots) => {
      const markers = placeMarkers(spots)
      expect(markers.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual([...spots.keys()])
      for (const [index, { anchor, radius }] of markers.entries()) {
        for (const other of markers.slice(index + 1)) {
          const distance = Math.hypot(anchor.x - other.anchor.x, anchor.y - other.anchor.y)
          expect(distance).toBeGreaterThan(radius + other.radius)
        }
      }
    }),
    { numRuns: 60 },
  )
})

it('a thousand points are grouped into few signs', () => {
  const spots = times(1000, (i) => ({
    x: 40 + ((i * 37) % 480),
    y: 40 + ((i * 91) % 480),
  }))
  const markers = placeMarkers(spots)
  expect(markers.length).toBeLessThanOrEqual(60)
  expect(markers.flatMap(({ members }) => members)).toHaveLength(1000)
})

it('points in one place share a larger sign, which others do not join', () => {
  const markers = placeMarkers([{ x: 209, y: 100 }, undefined, { x: 210, y: 101 }, { x: 250, y: 100 }])
  expect(markers).toMatchObject([
    { members: [0, 2], radius: 22 },
    { members: [3], radius: 15 },
  ])
})

it('the map shows nothing of the service as anything but text', () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='alert(1)'>\u202e\x1b[31m&amp;`
  const html = page([
    point({ name: evil, address: evil, carrier: evil, type: evil, week: [{ days: evil, hours: evil }] }),
  ])
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).not.toMatch(/<img|onerror='|[\u202e\x1b]/)
  expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('\\u{202e}\\x1b[31m&amp;amp;')
})

it('the map may load nothing and asks for nothing', () => {
  const html = page([point()])
  expect(html).toMatch(
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+';/,
  )
  const withoutLinks = html.replaceAll(/<a href="https:[^"]+"/g, '<a')
  expect(withoutLinks).not.toMatch(/https?:|url\(|@import|\bstyle=|\bon[a-z]+=/)
})

it('each point with a position has a link to its place in a maps program', () => {
  const html = page([
    point({ name: 'A & B', position: { latitude: -33.8567844, longitude: 151.2152967 } }),
    point(),
    point({ position: undefined }),
  ])
  expect([...html.matchAll(/<a href="([^"]*)"[^>]* aria-label="([^"]*)"/g)].map(([, ...of]) => of)).toEqual([
    [expect.stringContaining('?mlat=40.4168&amp;'), 'Show on OpenStreetMap: Calle Mayor 1'],
    [
      'https://www.openstreetmap.org/?mlat=-33.856784&amp;mlon=151.215297#map=17/-33.856784/151.215297',
      'Show on OpenStreetMap: A &amp; B',
    ],
    [expect.stringContaining('?mlat=40.4168&amp;mlon=-3.7038#'), 'Show on OpenStreetMap: Estanco Sol'],
  ])
})

it.each([
  [[['open']], 'open'],
  [[['always']], 'open'],
  [[['closed']], 'closed'],
  [[['suspended']], 'closed'],
  [[['unknown']], 'unknown'],
  [[['closed', 'unknown', 'open']], 'open'],
  [[['closed', 'unknown']], 'unknown'],
] as const)('the sign of %j looks %s', ([states], look) => {
  const html = page(states.map((state) => point({ opening: { state } })))
  expect(/class="marker (\w+)"/.exec(html)?.[1]).toBe(look)
  expect(html).toContain(`class="key ${look}"`)
})

it.each([
  ['en', 'Drop-off points near X', 'nearest first', '1.2 km', 'Closed, opens Mon 09:00', 'Post office'],
  ['es', 'Puntos de entrega cerca de X', 'hora local', '1,2 km', 'Cerrado, abre: Mon', 'Oficina de correos'],
  ['fr', 'Points de dépôt près de X', 'heure locale', '1,2 km', 'Fermé, ouvre : Mon', 'Bureau de poste'],
  ['de', 'Abgabestellen in der Nähe von X', 'Ortszeit', '1,2 km', 'Geschlossen, öffnet Mon', 'Postfiliale'],
  ['it', 'Punti di consegna vicino a X', 'ora locale', '1,2 km', 'Chiuso, apre: Mon', 'Ufficio postale'],
] as const)('the map is in %s', (language, ...texts) => {
  const options = { place: 'X', reference: place, asOf: 'now', language }
  const html = mapPage([point({ opening: { state: 'closed', until: 'Mon 09:00' } })], options)
  for (const text of [`<html lang="${language}">`, ...texts]) expect(html).toContain(text)
})

it.each([
  [{ state: 'open', until: '20:30' }, 'Open until 20:30'],
  [{ state: 'closed', until: 'Mon 09:00' }, 'Closed, opens Mon 09:00'],
  [{ state: 'closed' }, 'Closed'],
  [{ state: 'always' }, 'Open day and night'],
  [{ state: 'suspended' }, 'Temporarily closed'],
  [{ state: 'unknown' }, 'Opening hours not known'],
] as const)('the map of %j reads "%s"', (opening, words) => {
  expect(page([point({ opening })])).toContain(`>${words}</p>`)
})

it('a shared sign names five of its points and counts the others, and rings tell their distance', () => {
  const north = { ...place, latitude: place.latitude + 2.01 / 111.195 }
  const html = page([...Array(7).fill(point()), point({ position: north })])
  const names = [1, 2, 3, 4, 5].map((number) => `${number}, Estanco Sol, 1.2 km`)
  expect(html).toContain(`aria-label="1+6: ${names.join('; ')} and 2 more"`)
  expect(html).toContain('aria-label="8, Estanco Sol, 1.2 km"')
  const notes = html.matchAll(/class="note"[^>]*>([^<]*)</g)
  expect([...notes].map(([, text]) => text)).toEqual(['1 km', '2 km', 'N'])
})

it('the map lists everything known about a point', () => {
  const html = page([point()])
  for (const text of [
    '1.2 km · SBX · Post office',
    'Puerta del Sol 3',
    'Mon–Fri 09:00–20:30',
    'as of Fri 20 Nov 2026, 13:00',
  ])
    expect(html).toContain(text)
})

it('a page without points or positions has no map', () => {
  expect(page([])).toContain('No drop-off points were found')
  expect(page([])).not.toContain('<svg')
  expect(page([point({ position: undefined })], null)).not.toContain('<svg')
})

it('a map without a reference has no rings and no cross, and says who is not on it', () => {
  const html = page([point(), point({ position: undefined })], null)
  expect(html).toContain('<svg')
  expect(html).not.toContain('class="here"')
  expect(html).not.toContain('class="ring"')
  expect(html).toContain('1 without a known position')
  expect(html).toMatch(/Streets need one: <a href="[^"]*\/search\?query=Calle%20Mayor%201"/)
})

it("the customer's address is marked where the distances of the points meet, if they do", () => {
  const positions = [
    [40.42, -3.7],
    [40.41, -3.72],
    [40.45, -3.69],
    [40.38, -3.75],
  ].map(([latitude = 0, longitude = 0]) => ({ latitude, longitude }))
  const measured = (factor: number) =>
    positions.map((position) => {
      const km = greatCircleKm(place, position) * factor
      return point({ position, distanceKm: Math.round(km * 100) / 100 })
    })
  const found = placeByDistances(measured(1))
  expect(found && greatCircleKm(found, place)).toBeLessThan(0.02)
  expect(page(measured(1), null)).toMatch(/<g class="here"[^>]*><title>Calle Mayor 1<\/title>/)
  expect(placeByDistances(measured(1.3))).toBeUndefined()
  expect(placeByDistances(measured(1).slice(2))).toBeUndefined()
})
