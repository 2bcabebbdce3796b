import fc from 'fast-check'
import { expect, it } from 'vitest'
import { geoJson } from '../../../../src/lib/output/formats/geojson.ts'
import type { FoundPoint, Position } from '../../../../src/lib/output/map/point.ts'

const found = (position: Position | undefined, record: Record<string, unknown> = {}): FoundPoint => ({
  record: position ? { ...record, ...position } : record,
  position,
  distanceKm: undefined,
  carrier: '',
  services: [],
  name: '',
  type: '',
  address: '',
  opening: { state: 'unknown' },
  zone: undefined,
  ahead: undefined,
  week: [],
})
const at = (longitude: number, latitude: number) => found({ longitude, latitude })

/** The rules of RFC 7946 for a collection of points, by their sections. */
function problems(json: string) {
  const said: string[] = []
  const rule = (section: string, holds: boolean) => holds || said.push(section)
  const doc = JSON.parse(json)
  rule('3.3', doc.type === 'FeatureCollection' && Array.isArray(doc.features))
  rule('4: no crs', !('crs' in doc))
  rule('7.1: no members of other types', !('geometry' in doc || 'properties' in doc || 'coordinates' in doc))
  const places: [number, number][] = []
  for (const feature of doc.features) {
    rule('3.2: type', feature.type === 'Feature')
    rule('3.2: properties', 'properties' in feature && typeof feature.properties === 'object')
    rule('3.2: geometry', 'geometry' in feature)
    rule('3.2: id', !('id' in feature) || ['string', 'number'].includes(typeof feature.id))
    rule('7.1: feature', !('features' in feature || 'coordinates' in feature))
    if (feature.geometry === null) continue
    rule('3.1.2: Point', feature.geometry.type === 'Point' && feature.geometry.coordinates.length === 2)
    const [longitude, latitude] = feature.geometry.coordinates
    rule('3.1.1: longitude first', Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90)
    places.push([longitude, latitude])
  }
  rule('5: bbox where there is anything', 'bbox' in doc === places.length > 0)
  if (places.length === 0) return said
  const [west, south, east, north] = doc.bbox
  rule('5: length', doc.bbox.length === 4 && doc.bbox.every(Number.isFinite))
  for (const [longitude, latitude] of places) {
    rule('5: latitudes', latitude >= south && latitude <= north)
    // 5.2: a box whose west is greater than its east lies across the antimeridian.
    const isInside =
      west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
    rule('5.2: longitudes', isInside)
  }
  return said
}

it('GeoJSON follows RFC 7946, whatever the points are', () => {
  const place = fc.record({
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(fc.option(place, { nil: undefined })), (places) => {
      expect(problems(JSON.stringify(geoJson(places.map((one) => found(one)))))).toEqual([])
    }),
  )
})

it.each([
  ['around Greenwich', [at(-0.1, 51.5), at(0.1, 51.6)], [-0.1, 51.5, 0.1, 51.6]],
  ['across the antimeridian', [at(179.9, -16), at(-179.8, -17), at(178, -18)], [178, -18, -179.8, -16]],
  ['a single point', [at(2, 41)], [2, 41, 2, 41]],
])('the box %s of GeoJSON is the smallest', (_name, points, bbox) => {
  expect(geoJson(points).bbox).toEqual(bbox)
})

it('GeoJSON keeps every field as sent, with null geometry for points without a position', () => {
  const { features } = geoJson([
    found({ latitude: 1, longitude: 2 }, { id: 'P-1', address: { city: 'X' } }),
    found(undefined, { id: 'P-2', latitude: 'north' }),
  ])
  expect(features).toEqual([
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [2, 1] },
      properties: { id: 'P-1', address: { city: 'X' } },
    },
    { type: 'Feature', geometry: null, properties: { id: 'P-2', latitude: 'north' } },
  ])
})
