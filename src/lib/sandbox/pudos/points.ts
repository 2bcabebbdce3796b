import type { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import { greatCircleKm } from '../../wire/geography.ts'
import type { PudoPoint } from '../../wire/pudos.ts'
import { COUNTRIES, type CountryCode, SHOPS } from '../demo/catalogue.ts'
import { Random } from '../demo/random.ts'
import styles from './country-styles.json'
import networks from './networks.json'
import HOURS from './opening-hours.json'
import { type Place, placeKey, TOWNS, type Town, townKeys } from './towns.ts'

const [ALWAYS = []] = HOURS.always

interface CountryStyle {
  /** Pattern (`#` digit, `@` letter); an area's prefix replaces its beginning. */
  postalCode: string
  streets: string[]
  /** A street address of `{street}` and the house number `{n}`. */
  line1: string
  shops: string[]
  hasMiddayBreak?: boolean
  isAllNight?: boolean
}

const COUNTRY_STYLES: Readonly<Record<CountryCode, CountryStyle>> = styles

type LocationType = (typeof PUDO_LOCATION_TYPES)[number]

/** `{shop}`, `{street}` and `{town}` are filled in. */
type Kinds = [share: number, type: LocationType, name: string][]

interface Network {
  carrierCode: string
  countries: CountryCode[]
  inhabitantsPerPoint: number
  minPopulation?: number
  kinds: Kinds
  isStore?: boolean
}

export const NETWORKS = networks as Network[]

/** Abroad, shops of partners take a carrier's parcels. */
function kindsIn({ kinds, countries, isStore }: Network, country: CountryCode): Kinds {
  return isStore || countries.includes(country) ? kinds : [[1, 'SERVICE_POINT', '{shop}']]
}

function dropOffNetworks(country: CountryCode) {
  const services = SHOPS.flatMap((shop) => (shop.markets.includes(country) ? shop.services : []))
  return NETWORKS.filter((network) =>
    services.some(
      ({ serviceType, carrierCode }) =>
        serviceType.startsWith('drop-off') && carrierCode === network.carrierCode,
    ),
  )
}

/** Decided: a day ends at `24:00`. */
function openingHours(
  type: LocationType,
  { isStore }: Network,
  { isAllNight, hasMiddayBreak }: CountryStyle,
  random: Random,
): NonNullable<PudoPoint['openingHours']> {
  if (type === 'LOCKER') return ALWAYS
  if (type === 'POST_OFFICE') return random.pick(HOURS.postOffice)
  if (type === 'CARRIER_DEPOT') return random.pick(HOURS.depot)
  if (isStore) return random.pick(HOURS.store)
  if (isAllNight && random.chance(0.8)) return ALWAYS
  return random.pick(hasMiddayBreak && random.chance(0.7) ? HOURS.shopWithBreak : HOURS.shop)
}

// Points stay where they are after a reset.
const SEED = 20_260_301
const PLACE_STREAM = 11
const DETAIL_STREAM = 12
const HOME_STREAM = 13
/** More than any town has. */
const POINTS_PER_TOWN = 10_000
const METRES_PER_DEGREE = 111_195
/** Minimum of points of each carrier near a demo customer. */
const POINTS_AT_HOME = 3
/** Larger towns have these points no farther from the centre. */
const HOME_POPULATION = 2_000_000
const LABEL_PRINT_SHARES: Readonly<Record<LocationType, number>> = {
  SERVICE_POINT: 0.4,
  LOCKER: 0.05,
  POST_OFFICE: 0.8,
  CARRIER_DEPOT: 0.9,
}

interface PointRow extends Place {
  no: number
  network: Network
  type: LocationType
}

export interface PointGroup {
  town: Town
  reachM: number
  points(): readonly PointRow[]
}

export const POINT_GROUPS: readonly PointGroup[] = TOWNS.map((town) => {
  let made: PointRow[] | undefined
  const points = () => {
    made ??= townPoints(town)
    return made
  }
  // 2 % more, as `placeIn` treats the town as flat.
  return { town, reachM: 1.02 * townRadiusM(town.population), points }
})

function townPoints(town: Town) {
  const points: PointRow[] = []
  const counts = new Map<Network, number>()
  const add = (network: Network, count: number, population: number, random: Random) => {
    const kinds = kindsIn(network, town.country)
    for (let i = 0; i < count; i++) {
      const no = town.no * POINTS_PER_TOWN + points.length
      const type = typeOf(kinds, random.next())
      points.push({ no, network, type, ...placeIn({ ...town, population }, random) })
    }
  }
  const { population } = town
  for (const [index, network] of NETWORKS.entries()) {
    const { countries, inhabitantsPerPoint, minPopulation = 0 } = network
    if (!countries.includes(town.country) || population < minPopulation) continue
    const random = new Random(SEED, PLACE_STREAM, town.no * NETWORKS.length + index)
    const count = Math.floor(population / inhabitantsPerPoint + random.next())
    counts.set(network, count)
    add(network, count, population, random)
  }
  if (!isHome(town)) return points
  for (const network of dropOffNetworks(town.country)) {
    const random = new Random(SEED, HOME_STREAM, town.no * NETWORKS.length + NETWORKS.indexOf(network))
    const missing = POINTS_AT_HOME - (counts.get(network) ?? 0)
    add(network, missing, Math.min(population, HOME_POPULATION), random)
  }
  return points
}

function isHome(town: Town) {
  const keys = townKeys(town)
  return COUNTRIES[town.country].cities.some(([city]) => keys.has(placeKey(city)))
}

export function describePoint({ no, network, type, latitude, longitude }: PointRow, town: Town): PudoPoint {
  const { country } = town
  const style = COUNTRY_STYLES[country]
  const random = new Random(SEED, DETAIL_STREAM, no)
  const street = random.pick(style.streets)
  const name = (kindsIn(network, country).find(([, each]) => each === type)?.[2] ?? '')
    .replace('{shop}', random.pick(style.shops))
    .replace('{family}', ownerName(random.pick(COUNTRIES[country].family), country))
    .replaceAll('{street}', street)
    .replace('{town}', town.name)
  return {
    id: `PU${String(no).padStart(9, '0')}`,
    name,
    locationType: type,
    address: {
      line1: style.line1.replace('{street}', street).replace('{n}', String(random.between([1, 120]))),
      city: town.name,
      postalCode: random.fill(postalPattern(town)),
      region: town.region || undefined,
      countryCode: country,
    },
    latitude,
    longitude,
    openingHours: openingHours(type, network, style, random),
    timeZone: town.timeZone,
    services: [
      'DROP_OFF',
      ...(network.isStore || random.chance(0.1) ? [] : (['PICK_UP'] as const)),
      ...(random.chance(LABEL_PRINT_SHARES[type]) ? (['LABEL_PRINT'] as const) : []),
    ],
    temporarilyClosed: random.chance(0.02),
  }
}

function postalPattern({ country, area }: Town) {
  if (country === 'GB') return `${area}# #@@`
  if (country === 'IE') return `${area} X###`
  return area + COUNTRY_STYLES[country].postalCode.slice(area.length)
}

function ownerName(family: string, country: CountryCode) {
  return country === 'JP' || country === 'KR' ? family.replace(/ .*/, '') : family
}

function typeOf(kinds: Network['kinds'], draw: number) {
  let left = draw
  for (const [share, type] of kinds) {
    left -= share
    if (left < 0) return type
  }
  return kinds[0]?.[1] ?? 'SERVICE_POINT'
}

function townRadiusM(population: number) {
  return 300 + Math.sqrt(population) * 5
}

/** Places a point within the town's radius, denser towards the centre. */
function placeIn({ latitude, longitude, population }: Town, random: Random) {
  const metres = townRadiusM(population) * random.next() ** 0.6
  const angle = random.next() * 2 * Math.PI
  const north = (metres * Math.cos(angle)) / METRES_PER_DEGREE
  const east = (metres * Math.sin(angle)) / (METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180))
  return {
    latitude: Number((latitude + north).toFixed(5)),
    longitude: Number((longitude + east).toFixed(5)),
  }
}

interface NearestQuery {
  center: Place
  rangeM: number
  network: Network
  type: LocationType | undefined
  limit: number
}

/** Sorted by distance, then number. */
export function nearestPoints(
  { center, rangeM, network, type, limit }: NearestQuery,
  groups: readonly PointGroup[],
) {
  return groups
    .filter((group) => mayReach(group, center, rangeM))
    .flatMap(({ town, points }) =>
      points()
        .filter((point) => point.network === network && (type === undefined || point.type === type))
        .map((point) => ({ point, town, distanceM: distanceM(center, point) })),
    )
    .filter(({ distanceM }) => distanceM <= rangeM)
    .sort((a, b) => a.distanceM - b.distanceM || a.point.no - b.point.no)
    .slice(0, limit)
}

export function distanceM(a: Place, b: Place): number {
  return Math.round(greatCircleKm(a, b) * 1000)
}

/** Error in metres of two rounded distances. */
const ROUNDING_M = 2

export function mayReach({ town, reachM }: { town: Place; reachM: number }, center: Place, rangeM: number) {
  const mostM = rangeM + reachM + ROUNDING_M
  // Most towns are out of reach by their latitude alone, which is quicker to compare.
  const north = Math.abs(center.latitude - town.latitude)
  return north * METRES_PER_DEGREE <= mostM && distanceM(center, town) <= mostM
}
