import type { Party } from '../store/rows.ts'
import countries from './countries.json'
import merchants from './merchants.json'

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

export type CountryCode = keyof typeof countries

/** Places and people of the demo data. */
export const COUNTRIES = countries as Record<CountryCode, Country>

/** Fee in minor units of the merchant's currency. */
export type ServiceSeed = [
  type: 'drop-off' | 'pick-up' | 'direct' | 'do-it-yourself' | 'drop-off-store',
  message: string,
  carrierCode: string,
  carrierServiceCode: string,
  trackingCodePattern: string,
  fee: number,
]

/** Price in minor units of the merchant's currency. */
export type ProductSeed = [name: string, vendor: string, price: number, variants: string[]]

export interface MerchantSeed {
  code: string
  /** Part of client references (spec §2.4). */
  shortCode: string
  name: string
  currency: string
  /** Sorted by share of the customers, the largest first. */
  markets: CountryCode[]
  orderPrefix: string
  /** GS1 prefix of its barcodes. */
  barcodePrefix: string
  warehouses: Party[]
  services: ServiceSeed[]
  products: ProductSeed[]
}

/** The first merchants have most of the returns. */
export const MERCHANTS = merchants as MerchantSeed[]

/** Millionths of a euro for one unit: constant, so that base amounts can be checked by hand. */
export const EURO_PPM: Readonly<Record<string, number>> = {
  EUR: 1_000_000,
  GBP: 1_170_000,
  USD: 920_000,
  CAD: 680_000,
  MXN: 51_000,
  JPY: 6_100,
  KRW: 680,
  SEK: 88_000,
  NOK: 86_000,
  DKK: 134_000,
  PLN: 232_000,
}

export const RETURN_REASONS = [
  { code: 'SIZE_SMALL', reason: 'Too small' },
  { code: 'SIZE_LARGE', reason: 'Too large' },
  { code: 'NOT_AS_DESCRIBED', reason: 'Not as described' },
  { code: 'CHANGED_MIND', reason: 'Changed my mind' },
  { code: 'DAMAGED', reason: 'Arrived damaged' },
  { code: 'DEFECTIVE', reason: 'Defective' },
  { code: 'WRONG_ITEM', reason: 'Wrong item received' },
  { code: 'LATE', reason: 'Arrived too late' },
] as const
