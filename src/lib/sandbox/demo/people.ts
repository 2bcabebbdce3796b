import type { Customer } from '../store/rows.ts'
import ACCOUNT_FORMS from './account-forms.json'
import { COUNTRIES, type Country, type CountryCode, required, SHOPS } from './catalogue.ts'
import { Random } from './random.ts'

/** Percentage of customers by shop. */
const SHOP_SHARES = [36, 22, 18, 12, 12]

export function makeCustomer(seed: number, no: number) {
  const random = new Random(seed, 1, no)
  let draw = random.below(100)
  const found = SHOPS.find((_, i) => {
    draw -= SHOP_SHARES[i] ?? 0
    return draw < 0
  })
  const shop = required(found, 'shop')
  const country = random.pick(shop.markets)
  return { shop, country, customer: personOf(country, random, no) }
}

function personOf(countryCode: CountryCode, random: Random, no: number): Customer {
  const country = COUNTRIES[countryCode]
  const [given, givenLatin] = spellings(random.pick(country.given), country)
  const [family, familyLatin] = spellings(random.pick(country.family), country)
  const [city, postalCode, region] = random.pick(country.cities)
  const line2 = country.line2 && random.chance(0.3) ? random.pick(country.line2) : undefined
  return {
    id: String(6_800_000_000_000 + no * 32_771),
    fullName: country.isFamilyFirst ? `${family} ${given}` : `${given} ${family}`,
    email: `${ascii(givenLatin)}.${ascii(familyLatin)}${no % 1000}@example.${random.pick(['com', 'org', 'net'])}`,
    phone: random.fill(country.phone),
    address: {
      line1: random.pick(country.streets).replace('{n}', String(random.between([1, 180]))),
      line2,
      city,
      postalCode: random.fill(postalCode),
      region,
      countryCode,
    },
  }
}

function spellings(name: string, country: Country): [written: string, latin: string] {
  if (!country.isFamilyFirst) return [name, name]
  const [written = name, latin = name] = name.split(' ')
  return [written, latin]
}

function ascii(name: string) {
  return name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}

/** Returns undefined for a country without IBANs here (ISO 13616). */
export function randomIban(country: string, random: Random): string | undefined {
  const forms: Readonly<Record<string, string>> = ACCOUNT_FORMS
  const form = forms[country]
  if (form === undefined) return undefined
  const account = random.fill(form)
  const digits = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`
}
