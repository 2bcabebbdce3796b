import plainLetters from '../../wire/words/plain-letters.json'
import { COUNTRIES, type CountryCode } from '../demo/catalogue.ts'
import { isPostalCode } from '../labels/connections.ts'
import spellings from './spellings.json'
import towns from './towns.json'

export interface Place {
  latitude: number
  longitude: number
}

export interface Town extends Place {
  no: number
  name: string
  aliases: readonly string[]
  country: CountryCode
  region: string
  population: number
  /** IANA name. */
  timeZone: string
  area: string
}

interface PostalArea {
  prefix: string
  town: Town | undefined
}

interface CountryPlaces {
  towns: Town[]
  areas: PostalArea[]
  named?: Map<string, Town[]>
}

export function hasTowns(code: string): code is CountryCode {
  return Object.hasOwn(COUNTRIES, code)
}

export const TOWNS: Town[] = []

/** Places of each country. `tools/gazetteer.mjs` writes the file. */
export const PLACES = new Map<string, CountryPlaces>()

for (const [code, data] of Object.entries(towns.countries)) {
  const zones = data.zones.split('|')
  const ofCountry = data.towns.map((row, index): Town => {
    const [name = '', aliases = '', lat, lon, population, zone, area = '', region = ''] = row.split('|')
    return {
      no: TOWNS.length + index,
      name,
      aliases: aliases === '' ? [] : aliases.split(';'),
      country: code as CountryCode,
      region,
      latitude: Number(lat),
      longitude: Number(lon),
      population: Number(population),
      timeZone: zones[Number(zone)] ?? '',
      area,
    }
  })
  const areas = data.areas.map((row) => {
    const [prefix = '', town = ''] = row.split('|')
    return { prefix, town: town === '' ? undefined : ofCountry[Number(town)] }
  })
  PLACES.set(code, { towns: ofCountry, areas })
  TOWNS.push(...ofCountry)
}

export function townsNamed(country: CountryCode, name: string): readonly Town[] {
  const places = PLACES.get(country)
  if (places === undefined) return []
  places.named ??= byKey(places.towns)
  return places.named.get(placeKey(name)) ?? []
}

export function townOfPostalCode(country: CountryCode, postalCode: string): Town | undefined {
  const key = areaKey(country, postalCode)
  let found: PostalArea | undefined
  for (const area of PLACES.get(country)?.areas ?? []) {
    if (area.prefix <= key && (found === undefined || area.prefix > found.prefix)) found = area
  }
  // British and Irish areas have names (`SW`), not ranges of numbers.
  const isNamed = country === 'GB' || country === 'IE'
  const isKnown = isNamed ? found?.prefix === key : isPostalCode(postalCode, country)
  return isKnown ? found?.town : undefined
}

function byKey(towns: readonly Town[]) {
  const named = new Map<string, Town[]>()
  for (const town of [...towns].sort((a, b) => b.population - a.population || a.no - b.no)) {
    for (const key of townKeys(town)) named.set(key, [...(named.get(key) ?? []), town])
  }
  return named
}

function areaKey(country: CountryCode, postalCode: string) {
  const bare = postalCode.toUpperCase().replace(/[^A-Z\d]/g, '')
  if (country === 'GB') return /^[A-Z]*/.exec(bare)?.[0] ?? ''
  return country === 'IE' ? bare.slice(0, 3) : bare
}

const NOT_DECOMPOSED: Readonly<Record<string, string>> = plainLetters
const WITHOUT_UMLAUTS: Readonly<Record<string, string>> = spellings.withoutUmlauts
const ABBREVIATED: Readonly<Record<string, string>> = spellings.abbreviated

/** Some letters decompose into an apostrophe, `´` into a space. */
const APOSTROPHES = /['’ʼ`´]/g

/** Removes case, diacritics and punctuation. */
export function placeKey(name: string): string {
  return name
    .replace(APOSTROPHES, '')
    .normalize('NFKD')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .replace(/[øæœßłđðþı]/g, (letter) => NOT_DECOMPOSED[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ABBREVIATED[word] ?? word)
    .join(' ')
}

export function townKeys({ name, aliases }: Pick<Town, 'name' | 'aliases'>): Set<string> {
  const plain = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüøå]/g, (letter) => WITHOUT_UMLAUTS[letter] ?? letter)
  return new Set([name, ...aliases].flatMap((text) => [placeKey(text), placeKey(plain(text))]))
}
