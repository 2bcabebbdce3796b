import type { Party } from '../store/rows.ts'
import countries from './countries.json'
import merchants from './merchants.json'

export interface Country {
  currency: string
  /** Tax contained in prices, per cent. */
  taxPercent: number
  /** E.164, from the range reserved for fiction if there is one. */
  phone: string
  given: string[]
  family: string[]
  streets: string[]
  line2?: string[]
  /** `#` is a digit of the postal code, `@` a letter. */
  cities: [name: string, postalCode: string, region: string][]
  remarks: string[]
  /** The family name is written first; names are followed by their Latin form. */
  isFamilyFirst?: boolean
}

export type CountryCode = keyof typeof countries

export const COUNTRIES = countries as Record<CountryCode, Country>

/** Amounts are in minor units of the shop's currency. */
export interface CarrierService extends Record<'serviceType' | 'serviceMessage' | 'carrierCode', string> {
  carrierServiceCode: string
  trackingCodePattern: string
  fee: number
  trackingUrlPrefix?: string
  hasLabel: boolean
}

export const SHOPS = merchants.map((merchant, no) => ({
  ...merchant,
  no,
  /** A country listed twice has twice the customers. */
  markets: merchant.markets as CountryCode[],
  warehouses: merchant.warehouses as Party[],
  services: merchant.services as CarrierService[],
  products: merchant.products.map(({ name, vendor, price, variants }, position) => {
    const productNo = no * 100 + position
    const article = String(1000 + position * 37)
    const items = variants.map((variantName, i) => ({
      productName: name,
      variantName,
      sku: `${merchant.shortCode}-${article}-${String(i + 1).padStart(2, '0')}`,
      barcode: ean13(`${merchant.barcodePrefix}${article}${String(productNo * 10 + i).padStart(4, '0')}`),
      vendor,
      imageUrl: `https://images.example.com/${merchant.shortCode.toLowerCase()}/${article}.jpg`,
      productId: String(7_310_000_000_000 + productNo * 8_191),
      variantId: String(41_200_000_000_000 + productNo * 100_003 + i),
    }))
    return { price, items }
  }),
}))

export type Shop = (typeof SHOPS)[number]

export const SHOP_CODES = SHOPS.map(({ code }) => code)

const ITEMS = new Map(
  SHOPS.flatMap(({ products }) => products.flatMap(({ items }) => items)).map((item) => [item.sku, item]),
)

export function shopOf({ shop }: { shop: number }): Shop {
  return required(SHOPS[shop], `shop ${shop}`)
}

export function itemOf(sku: string) {
  return required(ITEMS.get(sku), `item ${sku}`)
}

export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`There is no ${what}`)
  return value
}

export function ean13(twelve: string): string {
  const sum = [...twelve].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return twelve + String((10 - (sum % 10)) % 10)
}
