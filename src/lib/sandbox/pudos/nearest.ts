import type { PointRow } from './demo-points.ts'
import { type Circle, distanceM, mayReach, type Place } from './sphere.ts'
import type { Town } from './towns.ts'

/** The points of a town, all of them in its circle. */
export interface PointGroup extends Circle {
  town: Town
  /** Made on first use. */
  points(): readonly PointRow[]
}

export interface NearestQuery {
  center: Place
  rangeM: number
  /** Index in `NETWORKS`. */
  network: number
  /** Index in `PUDO_LOCATION_TYPES`; without it, all. */
  type: number | undefined
  limit: number
}

export interface NearPoint {
  point: PointRow
  town: Town
  distanceM: number
}

/** Sorted by distance, then by number. */
export function nearestPoints(
  { center, rangeM, network, type, limit }: NearestQuery,
  groups: readonly PointGroup[],
): NearPoint[] {
  const within = (reachM: number): NearPoint[] => {
    const found: NearPoint[] = []
    for (const group of groups) {
      if (!mayReach(group, center, reachM)) continue
      for (const point of group.points()) {
        if (point.network !== network || (type !== undefined && point.type !== type)) continue
        const metres = distanceM(center, point)
        if (metres <= reachM) found.push({ point, town: group.town, distanceM: metres })
      }
    }
    return found
  }
  // Begins with a fraction of the range, which is enough in a city: making points takes the time. Looking again takes
  // none where there are few.
  let reachM = rangeM / 64
  let found = within(reachM)
  while (found.length < limit && reachM < rangeM) {
    reachM = Math.min(reachM * 2, rangeM)
    found = within(reachM)
  }
  return found.sort((a, b) => a.distanceM - b.distanceM || a.point.no - b.point.no).slice(0, limit)
}
