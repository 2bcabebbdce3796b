import type { PudoPoint } from '../../wire/pudos.ts'
import { PUDO_LOCATION_TYPES } from '../../wire/pudos.ts'
import { COUNTRIES, type CountryCode } from '../demo/countries.ts'
import { Random } from '../demo/random.ts'
import { COUNTRY_STYLES, postalPattern } from './country-styles.ts'
import { type LocationType, NETWORKS, type Network } from './networks.ts'
import { openingHours } from './opening-hours.ts'
import type { Place } from './sphere.ts'
import type { Town } from './towns.ts'

// Not the seed of the demo data: points survive a reset.
const SEED = 20_260_301
const PLACE_STREAM = 11
const DETAIL_STREAM = 12
const METRES_PER_DEGREE = 111_195

/** Row of the index; the rest follows from it and its town. */
export interface PointRow extends Place {
  no: number
  /** Index in `NETWORKS`. */
  network: number
  /** Index in `PUDO_LOCATION_TYPES`. */
  type: number
  town: number
}

/** The same for the same towns. */
export function makePoints(towns: readonly Town[]): PointRow[] {
  const points: PointRow[] = []
  for (const town of towns) {
    for (const [index, network] of NETWORKS.entries()) {
      if (!network.countries.includes(town.country) || town.population < (network.minPopulation ?? 0))
        continue
      const random = new Random(SEED, PLACE_STREAM, town.no * NETWORKS.length + index)
      const count = Math.floor(town.population / network.inhabitantsPerPoint + random.next())
      for (let i = 0; i < count; i++) {
        const type = PUDO_LOCATION_TYPES.indexOf(typeOf(network, random.next()))
        points.push({ no: points.length, network: index, type, town: town.no, ...placeIn(town, random) })
      }
    }
  }
  return points
}

/** A point without its distance. */
export function describePoint(row: PointRow, town: Town): PudoPoint {
  const network = NETWORKS[row.network]
  const locationType = PUDO_LOCATION_TYPES[row.type]
  if (network === undefined || locationType === undefined) throw new Error(`Point ${row.no} is of no network`)
  const { country } = town
  const style = COUNTRY_STYLES[country]
  const random = new Random(SEED, DETAIL_STREAM, row.no)
  const street = random.pick(style.streets)
  const name = (network.kinds.find(([, type]) => type === locationType)?.[2] ?? '')
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

/** The local one of two spellings. */
function ownerName(family: string, country: CountryCode): string {
  return country === 'JP' || country === 'KR' ? family.replace(/ .*/, '') : family
}

function typeOf({ kinds }: Network, draw: number): LocationType {
  let left = draw
  for (const [share, type] of kinds) {
    left -= share
    if (left < 0) return type
  }
  return kinds[0]?.[1] ?? 'SERVICE_POINT'
}

/** Around the centre of the town, denser towards it, as far as a town of its size reaches. */
function placeIn({ lat, lon, population }: Town, random: Random): Place {
  const metres = (300 + Math.sqrt(population) * 5) * random.next() ** 0.6
  const angle = random.next() * 2 * Math.PI
  const north = (metres * Math.cos(angle)) / METRES_PER_DEGREE
  const east = (metres * Math.sin(angle)) / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180))
  return { lat: Number((lat + north).toFixed(5)), lon: Number((lon + east).toFixed(5)) }
}
