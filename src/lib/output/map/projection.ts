import { greatCircleKm } from '../../wire/great-circle.ts'
import type { Position } from './point.ts'

/** `y` grows downwards. */
export interface Spot {
  x: number
  y: number
}

const RAD = Math.PI / 180

/** Azimuthal equidistant, in km: true distances and directions from the centre, across antimeridian and poles. */
export function project(centre: Position, position: Position): Spot {
  const { latitude, longitude } = position
  const [lat0, lat, dLon] = [centre.latitude * RAD, latitude * RAD, (longitude - centre.longitude) * RAD]
  const km = greatCircleKm(centre, position)
  const east = Math.cos(lat) * Math.sin(dLon)
  const north = Math.cos(lat0) * Math.sin(lat) - Math.sin(lat0) * Math.cos(lat) * Math.cos(dLon)
  const length = Math.hypot(east, north)
  return length === 0 ? { x: 0, y: 0 } : { x: (km * east) / length, y: (-km * north) / length }
}

/** Middle on the globe; undefined of none. */
export function middleOf(positions: readonly Position[]): Position | undefined {
  if (positions.length === 0) return undefined
  let [x, y, z] = [0, 0, 0]
  for (const { latitude, longitude } of positions) {
    x += Math.cos(latitude * RAD) * Math.cos(longitude * RAD)
    y += Math.cos(latitude * RAD) * Math.sin(longitude * RAD)
    z += Math.sin(latitude * RAD)
  }
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / RAD, longitude: Math.atan2(y, x) / RAD }
}

/** The greatest 1, 2 or 5 times a power of ten up to the value. */
export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const digit = value / power
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power
}
