import type { CountryCode } from '../demo/catalogue.ts'
import { countHomePoints, countPoints, isHome, spreadM } from './demo-points.ts'
import { type Circle, circleAround } from './sphere.ts'
import data from './towns.json'
import { gazetteerOf } from './towns.ts'

// Made by the build, which puts in the data: to find them takes all towns.

export interface CountryNumbers {
  /** Holds all its points. */
  circle: Circle
  /** Number of the first point of the town, and of those near customers. */
  firstPoint: number
  firstHomePoint: number
  /** Numbers of the towns that demo customers live in. */
  homes: number[]
}

export const POINT_NUMBERS: Readonly<Partial<Record<CountryCode, CountryNumbers>>> = numbered()

function numbered() {
  const numbers: Partial<Record<CountryCode, CountryNumbers>> = {}
  const countries = [...gazetteerOf(data).values()]
  let next = 0
  for (const { code, towns } of countries) {
    const circle = circleAround(towns.map((town) => ({ ...town, reachM: spreadM(town) })))
    const homes = towns.filter(isHome).map(({ no }) => no)
    numbers[code] = { circle, firstPoint: next, firstHomePoint: 0, homes }
    for (const town of towns) next += countPoints(town)
  }
  // After all others, whose numbers they leave alone.
  for (const { code, towns } of countries) {
    const country = numbers[code]
    if (country === undefined) continue
    country.firstHomePoint = next
    for (const town of towns) if (country.homes.includes(town.no)) next += countHomePoints(town)
  }
  return numbers
}
