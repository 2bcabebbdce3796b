import type { Customer } from '../store/rows.ts'
import type { DemoShop } from './catalogue.ts'
import { Random } from './random.ts'
import { COUNTRIES, type Country, type CountryCode } from './seed-data.ts'

const CUSTOMER_STREAM = 1
/** Shares of the shops in the customers, per cent. */
const SHOP_SHARES = [36, 22, 18, 12, 12]

export interface CustomerHome {
  shop: DemoShop
  country: CountryCode
  customer: Customer
}

export function makeCustomer(seed: number, shops: readonly DemoShop[], no: number): CustomerHome {
  const random = new Random(seed, CUSTOMER_STREAM, no)
  let draw = random.below(100)
  const shop = shops.find((_, i) => {
    draw -= SHOP_SHARES[i] ?? 0
    return draw < 0
  })
  if (shop === undefined) throw new Error('The shares of the shops are less than 100')
  const country = random.pick(shop.merchant.markets)
  return { shop, country, customer: personOf(country, random, no) }
}

function personOf(countryCode: CountryCode, random: Random, no: number): Customer {
  const country: Country = COUNTRIES[countryCode]
  const [given, givenLatin] = spellings(random.pick(country.given), country)
  const [family, familyLatin] = spellings(random.pick(country.family), country)
  const [city, postalCode, region] = random.pick(country.cities)
  const line2 = country.line2 !== undefined && random.chance(0.3) ? random.pick(country.line2) : undefined
  return {
    id: String(6_800_000_000_000 + no * 32_771),
    fullName: country.isFamilyFirst ? `${family} ${given}` : `${given} ${family}`,
    email: `${ascii(givenLatin)}.${ascii(familyLatin)}${no % 1000}@example.${random.pick(['com', 'org', 'net'])}`,
    phone: random.fill(country.phone),
    address: {
      line1: random.pick(country.streets).replace('{n}', String(random.between(1, 180))),
      ...(line2 === undefined ? {} : { line2 }),
      city,
      postalCode: random.fill(postalCode),
      ...(region === undefined ? {} : { region }),
      countryCode,
    },
  }
}

function spellings(name: string, country: Country): [written: string, latin: string] {
  if (!country.isFamilyFirst) return [name, name]
  const [written = name, latin = name] = name.split(' ')
  return [written, latin]
}

const NOT_DECOMPOSED: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', ß: 'ss', ł: 'l' }

function ascii(name: string): string {
  return name
    .toLowerCase()
    .replace(/[øæßł]/g, (letter) => NOT_DECOMPOSED[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}
