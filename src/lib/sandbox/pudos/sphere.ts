export interface Place {
  lat: number
  lon: number
}

/** What lies between two parallels and two meridians; `west` is never east of `east`. */
export interface GeoBox {
  south: number
  north: number
  west: number
  east: number
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

/** All places within `rangeM`: two boxes across the 180th meridian, all meridians with a pole in reach. */
export function boxesAround({ lat, lon }: Place, rangeM: number): GeoBox[] {
  // Distances are rounded to metres.
  const reach = (rangeM + 1) / EARTH_RADIUS_M
  const south = lat - reach / RADIANS
  const north = lat + reach / RADIANS
  if (south <= -90 || north >= 90) return [{ south, north, west: -180, east: 180 }]
  const width = Math.asin(Math.sin(reach) / Math.cos(lat * RADIANS)) / RADIANS
  const west = lon - width
  const east = lon + width
  if (west < -180) {
    return [
      { south, north, west: -180, east },
      { south, north, west: west + 360, east: 180 },
    ]
  }
  if (east > 180) {
    return [
      { south, north, west, east: 180 },
      { south, north, west: -180, east: east - 360 },
    ]
  }
  return [{ south, north, west, east }]
}
