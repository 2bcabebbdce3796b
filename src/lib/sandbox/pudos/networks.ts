import type { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import type { CountryCode } from '../demo/countries.ts'
import { MERCHANTS } from '../demo/merchants.ts'
import data from './networks.json'

export type LocationType = (typeof PUDO_LOCATION_TYPES)[number]

/** Share of each kind, with what its points are called: `{shop}`, `{street}` and `{town}` are filled in. */
type Kinds = [share: number, type: LocationType, name: string][]

/** The points of one carrier. */
export interface Network {
  carrierCode: string
  countries: CountryCode[]
  inhabitantsPerPoint: number
  /** Smaller towns have none. */
  minPopulation?: number
  kinds: Kinds
  /** Its points are shops of its own, which keep other hours. */
  isStore?: boolean
}

/** Carriers with drop-off points: those of the demo shops that have counters, and the sandbox's own. */
export const NETWORKS = data as Network[]

const PARTNERS: Kinds = [[1, 'SERVICE_POINT', '{shop}']]

/** The kinds of points that a network has in a country: abroad, shops of partners take a carrier's parcels. */
export function kindsIn({ kinds, countries, isStore }: Network, country: CountryCode): Kinds {
  return isStore || countries.includes(country) ? kinds : PARTNERS
}

/** The networks that customers of the demo shops in a country are sent to. */
export function dropOffNetworks(country: CountryCode): Set<Network> {
  const carriers = MERCHANTS.filter(({ markets }) => markets.includes(country))
    .flatMap(({ services }) => services)
    .flatMap(([type, , carrier]) => (type.startsWith('drop-off') ? [carrier] : []))
  return new Set(NETWORKS.filter(({ carrierCode }) => carriers.includes(carrierCode)))
}
