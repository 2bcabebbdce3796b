import type { PointGroup } from '../../src/lib/sandbox/pudos/points.ts'
import { NETWORKS, POINT_GROUPS } from '../../src/lib/sandbox/pudos/points.ts'
import { PLACES, type Place, TOWNS, type Town } from '../../src/lib/sandbox/pudos/towns.ts'
import { PUDO_LOCATION_TYPES } from '../../src/lib/wire/enumerations.ts'

/** All demo points and places, by their numbers. */
export function demoData() {
  const areas = [...PLACES].flatMap(([country, places]) =>
    places.areas.map(({ prefix, town }) => ({ country, prefix, town: town?.no })),
  )
  const points = POINT_GROUPS.flatMap(({ town, points }) => points().map((point) => ({ ...point, town })))
  return { towns: TOWNS, areas, groups: POINT_GROUPS, points: points.sort((a, b) => a.no - b.no) }
}

const TOWN: Town = {
  ...{ no: 0, name: 'Nowhere', aliases: [], country: 'ES', region: '', latitude: 0, longitude: 0 },
  ...{ population: 1, timeZone: 'UTC', area: '00' },
}

/** Points of the first network, numbered in order, in a town that spans the Earth. */
export function pointsAt(places: readonly Place[]): PointGroup[] {
  const points = places.map(({ latitude, longitude }, no): ReturnType<PointGroup['points']>[number] => {
    const [network, type] = [NETWORKS[0]!, PUDO_LOCATION_TYPES[no % 4]!]
    return { no, network, type, latitude, longitude }
  })
  return [{ reachM: 20_100_000, town: TOWN, points: () => points }]
}

/**
 * Distance in whole metres, computed differently from the product: the angle between two unit vectors by cross and dot
 * product, exact for near, far and opposite places alike.
 */
export function independentDistanceM(a: Place, b: Place): number {
  const [ax, ay, az] = vectorOf(a)
  const [bx, by, bz] = vectorOf(b)
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
  return Math.round(6_371_008.8 * Math.atan2(cross, ax * bx + ay * by + az * bz))
}

const vectors = new WeakMap<Place, readonly [number, number, number]>()

/** Unit vector of a point; cached, since each point is measured thousands of times. */
function vectorOf(place: Place): readonly [number, number, number] {
  const known = vectors.get(place)
  if (known) return known
  const [phi, lambda] = [(place.latitude * Math.PI) / 180, (place.longitude * Math.PI) / 180]
  const vector = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  vectors.set(place, vector)
  return vector
}
