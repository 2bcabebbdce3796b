import { COUNTRIES, type CountryCode } from '../demo/countries.ts'
import type { Place } from './sphere.ts'

export interface Town extends Place {
  no: number
  name: string
  /** Other ways to write it. */
  aliases: readonly string[]
  country: CountryCode
  /** As its addresses have it; empty where they have none. */
  region: string
  population: number
  /** IANA name. */
  timeZone: string
  /** Prefix of its postal codes. */
  area: string
}

/** Where the postal codes that begin with a prefix are; without a town, nowhere near one. */
export interface PostalArea {
  country: CountryCode
  prefix: string
  /** Number of the town at its centre. */
  town: number | undefined
}

export interface Gazetteer {
  towns: Town[]
  areas: PostalArea[]
}

/** Whether the gazetteer has that country. */
export function hasTowns(code: string): code is CountryCode {
  return Object.hasOwn(COUNTRIES, code)
}

/** All towns, numbered, the largest of each country first. The file is written by `gazetteer.mjs`. */
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

/** A town's name as it is looked up: without case, diacritics and punctuation. Empty for what has no letters. */
export function placeKey(name: string): string {
  return name
    .replace(/['’ʼ`´]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[øæœßłđðþı]/g, (letter) => NOT_DECOMPOSED[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ABBREVIATED[word] ?? word)
    .join(' ')
}

/** Every key under which a town is found. */
export function townKeys({ name, aliases }: Pick<Town, 'name' | 'aliases'>): Set<string> {
  const plain = (text: string) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .replace(/[äöüøå]/g, (letter) => WITHOUT_UMLAUTS[letter] ?? letter)
  return new Set([name, ...aliases].flatMap((text) => [placeKey(text), placeKey(plain(text))]))
}
