export interface Place {
  lat: number
  lon: number
}

/** All that is at most `reachM` from its centre. */
export interface Circle extends Place {
  reachM: number
}

/** Mean radius by IUGG: within 0.5 % of the ellipsoid from 14° of latitude on. */
const EARTH_RADIUS_M = 6_371_008.8
const RADIANS = Math.PI / 180

/** Great-circle distance in whole metres. */
export function distanceM(a: Place, b: Place): number {
  const byLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2)
  const byLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2)
  const h = byLat ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * byLon ** 2
  return Math.round(2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h))))
}

/** One around all of them, not the smallest. */
export function circleAround(circles: readonly Circle[]): Circle {
  const mean = (of: (place: Place) => number) =>
    circles.reduce((sum, each) => sum + of(each), 0) / circles.length
  const center = { lat: mean(({ lat }) => lat), lon: mean(({ lon }) => lon) }
  const reaches = circles.map((each) => distanceM(center, each) + each.reachM)
  return { ...center, reachM: Math.ceil(Math.max(...reaches)) }
}

/** Distances are rounded to metres. */
const ROUNDING_M = 2

/** Whether a circle may hold anything within `rangeM` of a place. */
export function mayReach(circle: Circle, center: Place, rangeM: number): boolean {
  const reachM = rangeM + circle.reachM + ROUNDING_M
  // Along a meridian: most towns are told by that, and a tenth of the time.
  if (Math.abs(circle.lat - center.lat) * RADIANS * EARTH_RADIUS_M > reachM) return false
  return distanceM(center, circle) <= reachM
}
