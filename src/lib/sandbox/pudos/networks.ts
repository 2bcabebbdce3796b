import type { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import type { PudoPoint } from '../../wire/pudos.ts'
import { type CountryCode, SHOPS } from '../demo/catalogue.ts'
import type { Random } from '../demo/random.ts'
import styles from './country-styles.json'
import networks from './networks.json'

interface CountryStyle {
  /** Pattern (`#` digit, `@` letter); an area's prefix replaces its beginning. */
  postalCode: string
  /** Streets of any town. */
  streets: string[]
  /** A street address of `{street}` and the house number `{n}`. */
  line1: string
  /** Shops that take parcels; `{family}` is the owner. */
  shops: string[]
  /** Shops close at midday. */
  hasMiddayBreak?: boolean
  /** Convenience stores that never close. */
  isAllNight?: boolean
}

/** Countries with drop-off points. */
export const COUNTRY_STYLES: Readonly<Record<CountryCode, CountryStyle>> = styles

export function postalPattern(country: CountryCode, prefix: string): string {
  if (country === 'GB') return `${prefix}# #@@`
  if (country === 'IE') return `${prefix} X###`
  return prefix + COUNTRY_STYLES[country].postalCode.slice(prefix.length)
}

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
export const NETWORKS = networks as Network[]

const PARTNERS: Kinds = [[1, 'SERVICE_POINT', '{shop}']]

/** The kinds of points that a network has in a country: abroad, shops of partners take a carrier's parcels. */
export function kindsIn({ kinds, countries, isStore }: Network, country: CountryCode): Kinds {
  return isStore || countries.includes(country) ? kinds : PARTNERS
}

/** The networks that customers of the demo shops in a country are sent to. */
export function dropOffNetworks(country: CountryCode): Set<Network> {
  const carriers = SHOPS.filter(({ markets }) => markets.includes(country))
    .flatMap(({ services }) => services)
    .flatMap(({ serviceType, carrierCode }) => (serviceType.startsWith('drop-off') ? [carrierCode] : []))
  return new Set(NETWORKS.filter(({ carrierCode }) => carriers.includes(carrierCode)))
}

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

// Format of OpenStreetMap's `opening_hours`. Decided: a day ends at `24:00`, so that two whole days leave no minute
// closed.
const ALWAYS = 'Mo-Su 00:00-24:00'
const POST_OFFICE = [
  'Mo-Fr 09:00-17:30; Sa 09:00-12:30',
  'Mo-Fr 08:30-20:30; Sa 09:30-13:00',
  'Mo-Fr 08:30-14:30',
]
const DEPOT = ['Mo-Fr 08:00-19:00', 'Mo-Fr 08:00-20:00; Sa 09:00-13:00']
const STORE = ['Mo-Sa 10:00-21:00', 'Mo-Sa 10:00-20:00; Su 12:00-18:00']
const SHOP = ['Mo-Fr 09:00-18:30; Sa 09:00-14:00', 'Mo-Sa 07:00-20:00; Su 08:00-13:00', 'Mo-Su 08:00-22:00']
const SHOP_WITH_BREAK = [
  'Mo-Fr 09:00-14:00,17:00-20:30; Sa 09:30-14:00',
  'Mo-Sa 08:30-13:00,15:30-19:30',
  'Mo-Fr 09:00-12:30,14:00-19:00; Sa 09:00-12:30',
]

export function openingHours(
  type: LocationType,
  { isStore }: Pick<Network, 'isStore'>,
  style: { hasMiddayBreak?: boolean; isAllNight?: boolean },
  random: Random,
): Hours {
  const week = (): string => {
    if (type === 'LOCKER') return ALWAYS
    if (type === 'POST_OFFICE') return random.pick(POST_OFFICE)
    if (type === 'CARRIER_DEPOT') return random.pick(DEPOT)
    if (isStore) return random.pick(STORE)
    if (style.isAllNight && random.chance(0.8)) return ALWAYS
    return random.pick(style.hasMiddayBreak && random.chance(0.7) ? SHOP_WITH_BREAK : SHOP)
  }
  return hoursOf(week())
}

type Hours = NonNullable<PudoPoint['openingHours']>

/** Keys are weeks, of which there are few. */
const known = new Map<string, Hours>()

function hoursOf(week: string): Hours {
  const hours = known.get(week) ?? parseHours(week)
  known.set(week, hours)
  return hours
}

function parseHours(week: string): Hours {
  return week.split('; ').flatMap((rule) => {
    const [days = '', spans = ''] = rule.split(' ')
    const [first = '', last = first] = days.split('-')
    const numbers = DAYS.slice(DAYS.indexOf(first), DAYS.indexOf(last) + 1).map(
      (name) => DAYS.indexOf(name) + 1,
    )
    return numbers.flatMap((day) =>
      spans.split(',').map((span) => ({ day, opens: span.slice(0, 5), closes: span.slice(6) })),
    )
  })
}
