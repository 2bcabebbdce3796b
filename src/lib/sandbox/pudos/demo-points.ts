import { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import type { PudoPoint } from '../../wire/pudos.ts'
import { COUNTRIES, type CountryCode } from '../demo/catalogue.ts'
import { Random } from '../demo/random.ts'
import {
  COUNTRY_STYLES,
  dropOffNetworks,
  kindsIn,
  type LocationType,
  NETWORKS,
  type Network,
  openingHours,
  postalPattern,
} from './networks.ts'
import type { Place } from './sphere.ts'
import { placeKey, type Town, townKeys } from './towns.ts'

// Constant, unlike the seed of the demo data: drop-off points stay where they are after a reset.
const SEED = 20_260_301
const PLACE_STREAM = 11
const DETAIL_STREAM = 12
const HOME_STREAM = 13
const METRES_PER_DEGREE = 111_195
/** Points of each carrier near a demo customer, at least. */
const POINTS_AT_HOME = 3
/** Towns of more people have these points nearer than their edge. */
const HOME_POPULATION = 2_000_000

/** All else of a point follows from these and its town. */
export interface PointRow extends Place {
  no: number
  /** Index in `NETWORKS`. */
  network: number
  /** Index in `PUDO_LOCATION_TYPES`. */
  type: number
  /** Number of its town. */
  town: number
}

/** Points of one network in a town. */
interface Stock {
  network: Network
  count: number
  /** Goes on to make them. */
  random: Random
}

/** A town's points of all networks, always the same ones; their numbers follow each other from `first` on. */
export function townPoints(town: Town, first: number): PointRow[] {
  return made(town, stocksOf(town), first)
}

/** Like `townPoints`, for additional points near demo customers. */
export function homePoints(town: Town, first: number): PointRow[] {
  return made({ ...town, population: Math.min(town.population, HOME_POPULATION) }, homeStocksOf(town), first)
}

export function countPoints(town: Town): number {
  return total(stocksOf(town))
}

export function countHomePoints(town: Town): number {
  return total(homeStocksOf(town))
}

/** Whether demo customers live in it: which one of several that have a name, their postal codes say. */
export function isHome(town: Town): boolean {
  homes ??= new Set(
    Object.entries(COUNTRIES).flatMap(([country, { cities }]) =>
      cities.map(([city]) => `${country} ${placeKey(city)}`),
    ),
  )
  for (const key of townKeys(town)) if (homes.has(`${town.country} ${key}`)) return true
  return false
}

let homes: Set<string> | undefined

/** No point of a town is further from its centre. */
export function spreadM({ population }: Town): number {
  // `placeIn` takes the town for flat.
  return 1.02 * largestM(population)
}

function total(stocks: readonly Stock[]): number {
  return stocks.reduce((sum, { count }) => sum + count, 0)
}

function stocksOf(town: Town): Stock[] {
  return NETWORKS.flatMap((network, index) => {
    const { countries, inhabitantsPerPoint, minPopulation = 0 } = network
    if (!countries.includes(town.country) || town.population < minPopulation) return []
    const random = new Random(SEED, PLACE_STREAM, town.no * NETWORKS.length + index)
    return [{ network, count: Math.floor(town.population / inhabitantsPerPoint + random.next()), random }]
  })
}

function homeStocksOf(town: Town): Stock[] {
  const stocks = stocksOf(town)
  return [...dropOffNetworks(town.country)].map((network) => {
    const known = stocks.find((stock) => stock.network === network)?.count ?? 0
    const random = new Random(SEED, HOME_STREAM, town.no * NETWORKS.length + NETWORKS.indexOf(network))
    return { network, count: Math.max(0, POINTS_AT_HOME - known), random }
  })
}

function made(town: Town, stocks: readonly Stock[], first: number): PointRow[] {
  const points: PointRow[] = []
  for (const { network: of, count, random } of stocks) {
    const [network, kinds] = [NETWORKS.indexOf(of), kindsIn(of, town.country)]
    for (let i = 0; i < count; i++) {
      const type = PUDO_LOCATION_TYPES.indexOf(typeOf(kinds, random.next()))
      points.push({ no: first + points.length, network, type, town: town.no, ...placeIn(town, random) })
    }
  }
  return points
}

/** All that is told of a point but its distance. */
export function describePoint(row: PointRow, town: Town): PudoPoint {
  const network = NETWORKS[row.network]
  const locationType = PUDO_LOCATION_TYPES[row.type]
  if (network === undefined || locationType === undefined) throw new Error(`Point ${row.no} is of no network`)
  const { country } = town
  const style = COUNTRY_STYLES[country]
  const random = new Random(SEED, DETAIL_STREAM, row.no)
  const street = random.pick(style.streets)
  const name = (kindsIn(network, country).find(([, type]) => type === locationType)?.[2] ?? '')
    .replace('{shop}', random.pick(style.shops))
    .replace('{family}', ownerName(random.pick(COUNTRIES[country].family), country))
    .replaceAll('{street}', street)
    .replace('{town}', town.name)
  return {
    id: `PU${String(row.no).padStart(6, '0')}`,
    name,
    locationType,
    address: {
      line1: style.line1.replace('{street}', street).replace('{n}', String(random.between([1, 120]))),
      city: town.name,
      postalCode: random.fill(postalPattern(country, town.area)),
      ...(town.region === '' ? {} : { region: town.region }),
      countryCode: country,
    },
    latitude: row.lat,
    longitude: row.lon,
    openingHours: openingHours(locationType, network, style, random),
    timeZone: town.timeZone,
    services: [
      'DROP_OFF',
      ...(network.isStore || random.chance(0.1) ? [] : (['PICK_UP'] as const)),
      ...(random.chance(LABEL_PRINT_SHARES[locationType]) ? (['LABEL_PRINT'] as const) : []),
    ],
    temporarilyClosed: random.chance(0.02),
  }
}

const LABEL_PRINT_SHARES: Readonly<Record<LocationType, number>> = {
  SERVICE_POINT: 0.4,
  LOCKER: 0.05,
  POST_OFFICE: 0.8,
  CARRIER_DEPOT: 0.9,
}

/** Returns the local form of names that are written in two scripts. */
function ownerName(family: string, country: CountryCode): string {
  return country === 'JP' || country === 'KR' ? family.replace(/ .*/, '') : family
}

function typeOf(kinds: Network['kinds'], draw: number): LocationType {
  let left = draw
  for (const [share, type] of kinds) {
    left -= share
    if (left < 0) return type
  }
  return kinds[0]?.[1] ?? 'SERVICE_POINT'
}

function largestM(population: number): number {
  return 300 + Math.sqrt(population) * 5
}

/** Around the centre of the town, denser towards it, as far as a town of that size reaches. */
function placeIn({ lat, lon, population }: Town, random: Random): Place {
  const metres = largestM(population) * random.next() ** 0.6
  const angle = random.next() * 2 * Math.PI
  const north = (metres * Math.cos(angle)) / METRES_PER_DEGREE
  const east = (metres * Math.sin(angle)) / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
  return { lat: Number((lat + north).toFixed(5)), lon: Number((lon + east).toFixed(5)) }
}
