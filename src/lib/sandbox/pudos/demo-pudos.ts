import {
  countHomePoints,
  countPoints,
  homePoints,
  type PointRow,
  spreadM,
  townPoints,
} from './demo-points.ts'
import { type NearestQuery, type NearPoint, nearestPoints, type PointGroup } from './nearest.ts'
import { type CountryNumbers, POINT_NUMBERS } from './point-numbers.ts'
import { type Circle, mayReach } from './sphere.ts'
import { type CountryPlaces, type Gazetteer, loadGazetteer } from './towns.ts'

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
