import { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import type { PudoPoint } from '../../wire/pudos.ts'
import { COUNTRIES, type CountryCode } from '../demo/countries.ts'
import { Random } from '../demo/random.ts'
import { COUNTRY_STYLES, postalPattern } from './country-styles.ts'
import { dropOffNetworks, kindsIn, type LocationType, NETWORKS, type Network } from './networks.ts'
import { openingHours } from './opening-hours.ts'
import type { Place } from './sphere.ts'
import { placeKey, type Town, townKeys } from './towns.ts'

// Not the seed of the demo data: where drop-off points are does not change with a reset.
const SEED = 20_260_301
const PLACE_STREAM = 11
const DETAIL_STREAM = 12
const HOME_STREAM = 13
const METRES_PER_DEGREE = 111_195
/** Where a demo customer lives, each carrier that they are sent to has as many points at least. */
const POINTS_AT_HOME = 3
/** Those are not as far out as the edge of the largest towns. */
const HOME_POPULATION = 2_000_000

/** What the index holds of a point; all else follows from these and its town. */
export interface PointRow extends Place {
  no: number
  /** Index in `NETWORKS`. */
  network: number
  /** Index in `PUDO_LOCATION_TYPES`. */
  type: number
  /** Number of its town. */
  town: number
}

/** The points of all networks, always the same ones for the same towns. */
export function makePoints(towns: readonly Town[]): PointRow[] {
  const points: PointRow[] = []
  const add = (town: Town, network: Network, count: number, random: Random) => {
    for (let i = 0; i < count; i++) {
      const type = PUDO_LOCATION_TYPES.indexOf(typeOf(kindsIn(network, town.country), random.next()))
      const place = placeIn(town, random)
      points.push({ no: points.length, network: NETWORKS.indexOf(network), type, town: town.no, ...place })
    }
  }
  const counts = new Map<string, number>()
  for (const town of towns) {
    for (const [index, network] of NETWORKS.entries()) {
      if (!network.countries.includes(town.country) || town.population < (network.minPopulation ?? 0))
        continue
      const random = new Random(SEED, PLACE_STREAM, town.no * NETWORKS.length + index)
      const count = Math.floor(town.population / network.inhabitantsPerPoint + random.next())
      add(town, network, count, random)
      counts.set(`${town.no} ${index}`, count)
    }
  }
  // After all others, whose numbers they leave alone.
  for (const town of customerTowns(towns)) {
    for (const network of dropOffNetworks(town.country)) {
      const index = NETWORKS.indexOf(network)
      const missing = POINTS_AT_HOME - (counts.get(`${town.no} ${index}`) ?? 0)
      const random = new Random(SEED, HOME_STREAM, town.no * NETWORKS.length + index)
      add({ ...town, population: Math.min(town.population, HOME_POPULATION) }, network, missing, random)
    }
  }
  return points
}

/** The towns that demo customers live in: which one of several that have a name, their postal codes say. */
function customerTowns(towns: readonly Town[]): Town[] {
  const homes = new Set(
    Object.entries(COUNTRIES).flatMap(([country, { cities }]) =>
      cities.map(([city]) => `${country} ${placeKey(city)}`),
    ),
  )
  return towns.filter((town) => [...townKeys(town)].some((key) => homes.has(`${town.country} ${key}`)))
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
      line1: style.line1.replace('{street}', street).replace('{n}', String(random.between(1, 120))),
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

/** Of names that are written in two scripts the local one. */
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

/** Around the centre of the town, denser towards it, as far as a town of that size reaches. */
function placeIn({ lat, lon, population }: Town, random: Random): Place {
  const metres = (300 + Math.sqrt(population) * 5) * random.next() ** 0.6
  const angle = random.next() * 2 * Math.PI
  const north = (metres * Math.cos(angle)) / METRES_PER_DEGREE
  const east = (metres * Math.sin(angle)) / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
  return { lat: Number((lat + north).toFixed(5)), lon: Number((lon + east).toFixed(5)) }
}
