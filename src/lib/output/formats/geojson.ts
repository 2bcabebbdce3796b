import type { FoundPoint, Position } from '../map/point.ts'

interface Feature {
  type: 'Feature'
  geometry: { type: 'Point'; coordinates: [longitude: number, latitude: number] } | null
  properties: Record<string, unknown>
}

interface FeatureCollection {
  type: 'FeatureCollection'
  /** West, south, east, north; west is greater than east across the antimeridian. */
  bbox?: [number, number, number, number]
  features: Feature[]
}

/** RFC 7946. Unlocated points have a null geometry. */
export function geoJson(points: readonly FoundPoint[]): FeatureCollection {
  const bbox = boundingBox(points.flatMap(({ position }) => position ?? []))
  return {
    type: 'FeatureCollection',
    ...(bbox && { bbox }),
    features: points.map(({ record, position }) => {
      const { latitude, longitude, ...properties } = record
      const left = position ? properties : { ...properties, latitude, longitude }
      return {
        type: 'Feature',
        geometry: position ? { type: 'Point', coordinates: [position.longitude, position.latitude] } : null,
        properties: left,
      }
    }),
  }
}

/** The smallest box leaves out the widest gap between longitudes. */
function boundingBox(positions: readonly Position[]): FeatureCollection['bbox'] {
  if (positions.length === 0) return undefined
  const latitudes = positions.map(({ latitude }) => latitude)
  const longitudes = positions.map(({ longitude }) => longitude).sort((a, b) => a - b)
  const first = longitudes[0] ?? 0
  let west = first
  let east = longitudes.at(-1) ?? 0
  let widest = first + 360 - east
  for (const [index, from] of longitudes.entries()) {
    const to = longitudes[index + 1]
    if (to !== undefined && to - from > widest) {
      widest = to - from
      west = to
      east = from
    }
  }
  return [west, Math.min(...latitudes), east, Math.max(...latitudes)]
}
