import { COUNTRIES, type CountryCode } from '../demo/catalogue.ts'
import type { Place } from './sphere.ts'

export interface Town extends Place {
  no: number
  name: string
  /** Other spellings. */
  aliases: readonly string[]
  country: CountryCode
  /** Empty where addresses have none. */
  region: string
  population: number
  /** IANA name. */
  timeZone: string
  /** Prefix of its postal codes. */
  area: string
}

export interface PostalArea {
  prefix: string
  /** Town at its centre, if any is near. */
  town: number | undefined
}

export function hasTowns(code: string): code is CountryCode {
  return Object.hasOwn(COUNTRIES, code)
}

interface CountryRows {
  zones: string
  areas: string[]
  towns: string[]
}

/** The places of a country, read on first use: those of all take a tenth of a second. */
export class CountryPlaces {
  readonly #rows: CountryRows
  #towns: Town[] | undefined
  #named: Map<string, Town[]> | undefined

  constructor(
    readonly code: CountryCode,
    /** Number of its first town. */
    readonly first: number,
    rows: CountryRows,
  ) {
    this.#rows = rows
  }

  /** Numbered, the largest first. */
  get towns(): readonly Town[] {
    const zones = this.#rows.zones.split('|')
    this.#towns ??= this.#rows.towns.map((row, index) => {
      const [name = '', aliases = '', lat, lon, population, zone, area = '', region = ''] = row.split('|')
      return {
        no: this.first + index,
        name,
        aliases: aliases === '' ? [] : aliases.split(';'),
        country: this.code,
        region,
        lat: Number(lat),
        lon: Number(lon),
        population: Number(population),
        timeZone: zones[Number(zone)] ?? '',
        area,
      }
    })
    return this.#towns
  }

  get areas(): PostalArea[] {
    return this.#rows.areas.map((row) => {
      const [prefix = '', town = ''] = row.split('|')
      return { prefix, town: town === '' ? undefined : this.first + Number(town) }
    })
  }

  /** The largest first. */
  named(name: string): readonly Town[] {
    this.#named ??= byKey(this.towns)
    return this.#named.get(placeKey(name)) ?? []
  }

  /** The town at the centre of a postal code's area. */
  ofPostalCode(postalCode: string): Town | undefined {
    const key = areaKey(this.code, postalCode)
    let found: PostalArea | undefined
    for (const area of this.areas) {
      if (area.prefix <= key && (found === undefined || area.prefix > found.prefix)) found = area
    }
    if (found?.town === undefined || (hasSingleKeys(this.code) && found.prefix !== key)) return undefined
    return this.towns[found.town - this.first]
  }
}

/** Keys are country codes. */
export type Gazetteer = ReadonlyMap<string, CountryPlaces>

/** `tools/gazetteer.mjs` writes the file. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const { default: data } = await import('./towns.json')
  return gazetteerOf(data)
}

export function gazetteerOf(data: { countries: Readonly<Record<string, CountryRows>> }): Gazetteer {
  const countries = new Map<string, CountryPlaces>()
  let first = 0
  for (const [code, rows] of Object.entries(data.countries)) {
    if (!hasTowns(code)) throw new Error(`The gazetteer has an unknown country ${code}`)
    countries.set(code, new CountryPlaces(code, first, rows))
    first += rows.towns.length
  }
  return countries
}

function byKey(towns: readonly Town[]): Map<string, Town[]> {
  const named = new Map<string, Town[]>()
  for (const town of [...towns].sort((a, b) => b.population - a.population || a.no - b.no)) {
    for (const key of townKeys(town)) named.set(key, [...(named.get(key) ?? []), town])
  }
  return named
}

/** There the areas are no ranges: each has a name of its own. */
function hasSingleKeys(country: CountryCode): boolean {
  return country === 'GB' || country === 'IE'
}

function areaKey(country: CountryCode, postalCode: string): string {
  const bare = postalCode.toUpperCase().replace(/[^A-Z\d]/g, '')
  if (country === 'GB') return /^[A-Z]*/.exec(bare)?.[0] ?? ''
  return country === 'IE' ? bare.slice(0, 3) : bare
}

const NOT_DECOMPOSED: Readonly<Record<string, string>> = {
  ...{ ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
}
const WITHOUT_UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const ABBREVIATED: Readonly<Record<string, string>> = {
  saint: 'st',
  sainte: 'ste',
  sankt: 'st',
  fort: 'ft',
  mount: 'mt',
}

/** Some letters decompose into one, `´` into a space. */
const APOSTROPHES = /['’ʼ`´]/g

/** Looked-up form: without case, diacritics and punctuation; empty without letters. */
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
