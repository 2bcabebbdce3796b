import { COUNTRIES, type CountryCode } from '../demo/countries.ts'
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
  country: CountryCode
  prefix: string
  /** Town at its centre, if any is near. */
  town: number | undefined
}

export interface Gazetteer {
  towns: Town[]
  areas: PostalArea[]
}

export function hasTowns(code: string): code is CountryCode {
  return Object.hasOwn(COUNTRIES, code)
}

/** Numbered, the largest of each country first. `tools/gazetteer.mjs` writes the file. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const { default: data } = await import('./towns.json')
  const towns: Town[] = []
  const areas: PostalArea[] = []
  for (const [country, { zones, areas: areaRows, towns: townRows }] of Object.entries(data.countries)) {
    if (!hasTowns(country)) throw new Error(`The gazetteer has an unknown country ${country}`)
    const first = towns.length
    const zoneNames = zones.split('|')
    for (const row of townRows) {
      const [name = '', aliases = '', lat, lon, population, zone, area = '', region = ''] = row.split('|')
      towns.push({
        no: towns.length,
        name,
        aliases: aliases === '' ? [] : aliases.split(';'),
        country,
        region,
        lat: Number(lat),
        lon: Number(lon),
        population: Number(population),
        timeZone: zoneNames[Number(zone)] ?? '',
        area,
      })
    }
    for (const row of areaRows) {
      const [prefix = '', town = ''] = row.split('|')
      areas.push({ country, prefix, town: town === '' ? undefined : first + Number(town) })
    }
  }
  return { towns, areas }
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
