/** Degrees. */
interface GlobePoint {
  latitude: number
  longitude: number
}

/** Mean radius in km (IUGG): great circles on it are right to 0.5 %. */
const EARTH_KM = 6371.0088

/** Haversine: exact enough at any distance, antimeridian and poles included. */
export function greatCircleKm(a: GlobePoint, b: GlobePoint): number {
  const rad = Math.PI / 180
  const sinLat = Math.sin(((b.latitude - a.latitude) * rad) / 2)
  const sinLon = Math.sin(((b.longitude - a.longitude) * rad) / 2)
  const h = sinLat ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * sinLon ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}
