import type { PointRow } from '../../src/lib/sandbox/pudos/demo-points.ts'
import { DemoPudos, type PointGroup } from '../../src/lib/sandbox/pudos/demo-pudos.ts'
import type { Place } from '../../src/lib/sandbox/pudos/sphere.ts'
import type { Town } from '../../src/lib/sandbox/pudos/towns.ts'

/** All demo points and places, by their numbers. */
export async function demoData() {
  const pudos = await DemoPudos.load()
  const countries = [...pudos.gazetteer.values()]
  const towns = countries.flatMap((places) => places.towns)
  const areas = countries.flatMap(({ code, areas }) => areas.map((area) => ({ country: code, ...area })))
  const groups = countries.flatMap((places) => pudos.groupsOf(places))
  const points = groups.flatMap((group) => group.points()).sort((a, b) => a.no - b.no)
  return { pudos, towns, areas, groups, points }
}

const TOWN: Town = {
  ...{ no: 0, name: 'Nowhere', aliases: [], country: 'ES', region: '', lat: 0, lon: 0 },
  ...{ population: 1, timeZone: 'UTC', area: '00' },
}

/** Points of one network, numbered as listed, in a town that reaches around the Earth. */
export function pointsAt(places: readonly Place[]): PointGroup[] {
  const points: PointRow[] = places.map((place, no) => ({ no, network: 0, type: no % 4, town: 0, ...place }))
  return [{ lat: 0, lon: 0, reachM: 20_100_000, town: TOWN, points: () => points }]
}

/**
 * Distance in whole metres by another way than the product's: the angle between two unit vectors, from their cross and
 * dot products, which is exact for near, far and opposite places alike.
 */
export function independentDistanceM(a: Place, b: Place): number {
  const [ax, ay, az] = vectorOf(a)
  const [bx, by, bz] = vectorOf(b)
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
  return Math.round(6_371_008.8 * Math.atan2(cross, ax * bx + ay * by + az * bz))
}

const vectors = new WeakMap<Place, readonly [number, number, number]>()

/** Unit vector of a point; made once, since each point is measured thousands of times. */
function vectorOf(place: Place): readonly [number, number, number] {
  const known = vectors.get(place)
  if (known) return known
  const [phi, lambda] = [(place.lat * Math.PI) / 180, (place.lon * Math.PI) / 180]
  const vector = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  vectors.set(place, vector)
  return vector
}
