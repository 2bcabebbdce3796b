import type { CountryCode } from '../demo/countries.ts'
import data from './country-styles.json'

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
export const COUNTRY_STYLES: Readonly<Record<CountryCode, CountryStyle>> = data

export function postalPattern(country: CountryCode, prefix: string): string {
  if (country === 'GB') return `${prefix}# #@@`
  if (country === 'IE') return `${prefix} X###`
  return prefix + COUNTRY_STYLES[country].postalCode.slice(prefix.length)
}
