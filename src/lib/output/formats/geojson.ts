import type { FoundPoint, Position } from '../map/point.ts'

/** RFC 7946. Unlocated points have a null geometry. */
export function geoJson(points: readonly FoundPoint[]) {
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

/**
 * Returns west, south, east and north. Across the antimeridian west exceeds east. The smallest box leaves out
 * the widest gap between longitudes.
 */
function boundingBox(positions: readonly Position[]) {
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
