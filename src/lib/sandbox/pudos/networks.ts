import type { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import type { PudoPoint } from '../../wire/pudos.ts'
import { type CountryCode, SHOPS } from '../demo/catalogue.ts'
import type { Random } from '../demo/random.ts'
import styles from './country-styles.json'
import networks from './networks.json'
import HOURS from './opening-hours.json'

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

export const COUNTRY_STYLES: Readonly<Record<CountryCode, CountryStyle>> = styles

export type LocationType = (typeof PUDO_LOCATION_TYPES)[number]

/** `{shop}`, `{street}` and `{town}` are filled in. */
type Kinds = [share: number, type: LocationType, name: string][]

export interface Network {
  carrierCode: string
  countries: CountryCode[]
  inhabitantsPerPoint: number
  minPopulation?: number
  kinds: Kinds
  isStore?: boolean
}

export const NETWORKS = networks as Network[]

/** Abroad, shops of partners take a carrier's parcels. */
export function kindsIn({ kinds, countries, isStore }: Network, country: CountryCode): Kinds {
  return isStore || countries.includes(country) ? kinds : [[1, 'SERVICE_POINT', '{shop}']]
}

export function dropOffNetworks(country: CountryCode): Network[] {
  const services = SHOPS.flatMap((shop) => (shop.markets.includes(country) ? shop.services : []))
  return NETWORKS.filter((network) =>
    services.some(
      ({ serviceType, carrierCode }) =>
        serviceType.startsWith('drop-off') && carrierCode === network.carrierCode,
    ),
  )
}

/** Decided: a day ends at `24:00`. */
export function openingHours(
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
