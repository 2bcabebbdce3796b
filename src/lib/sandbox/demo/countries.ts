import data from './countries.json'

/** `#` is a digit of the postal code, `@` a letter. */
export type City = [name: string, postalCode: string, region: string]

export interface Country {
  currency: string
  /** Tax contained in prices, per cent. */
  taxPercent: number
  /** E.164, `#` a digit; of the range kept for fiction where a country has one. */
  phone: string
  given: string[]
  family: string[]
  /** `{n}` is the house number. */
  streets: string[]
  line2?: string[]
  cities: City[]
  remarks: string[]
  /** The family name is written first; names are followed by their Latin form. */
  isFamilyFirst?: boolean
}

export type CountryCode = keyof typeof data

/** Places and people of the demo data. */
export const COUNTRIES = data as Record<CountryCode, Country>
