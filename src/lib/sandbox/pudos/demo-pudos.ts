import {
  countHomePoints,
  countPoints,
  homePoints,
  type PointRow,
  spreadM,
  townPoints,
} from './demo-points.ts'
import { type CountryNumbers, POINT_NUMBERS } from './point-numbers.ts'
import { type Circle, distanceM, mayReach, type Place } from './sphere.ts'
import { type CountryPlaces, type Gazetteer, loadGazetteer, type Town } from './towns.ts'

/** The drop-off points of all countries, and the places that addresses name. Made where a search looks. */
export class DemoPudos {
  readonly #groups = new Map<CountryPlaces, PointGroup[]>()

  private constructor(readonly gazetteer: Gazetteer) {}

  static async load(): Promise<DemoPudos> {
    return new DemoPudos(await loadGazetteer())
  }

  nearest(query: NearestQuery): NearPoint[] {
    const isNear = (circle: Circle | undefined) => circle && mayReach(circle, query.center, query.rangeM)
    const groups = [...this.gazetteer.values()]
      .filter(({ code }) => isNear(POINT_NUMBERS[code]?.circle))
      .flatMap((places) => this.groupsOf(places).filter(isNear))
    return nearestPoints(query, groups)
  }

  /** A group a town. */
  groupsOf(places: CountryPlaces): readonly PointGroup[] {
    const numbers = POINT_NUMBERS[places.code]
    const groups = this.#groups.get(places) ?? (numbers ? [...groupsOf(places, numbers)] : [])
    this.#groups.set(places, groups)
    return groups
  }
}

function* groupsOf({ towns }: CountryPlaces, { firstPoint, firstHomePoint, homes }: CountryNumbers) {
  const isHome = new Set(homes)
  let [next, nextHome] = [firstPoint, firstHomePoint]
  for (const town of towns) {
    const [first, firstAtHome] = [next, nextHome]
    let made: PointRow[] | undefined
    const points = (): PointRow[] => {
      made ??= [...townPoints(town, first), ...(isHome.has(town.no) ? homePoints(town, firstAtHome) : [])]
      return made
    }
    yield { lat: town.lat, lon: town.lon, reachM: spreadM(town), town, points }
    next += countPoints(town)
    if (isHome.has(town.no)) nextHome += countHomePoints(town)
  }
}

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
