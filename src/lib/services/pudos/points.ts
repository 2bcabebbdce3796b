import type { FoundPoint, Position, PudoRecord, WeekWords } from '../../output/map/point.ts'
import { addressLines } from '../../wire/address-lines.ts'
import { greatCircleKm } from '../../wire/geography.ts'
import type { PudoResult } from '../../wire/pudos.ts'
import { isRecord, joinParts } from '../../wire/raw.ts'
import { isTimeZone } from '../../wire/time.ts'
import type { Moment } from './open-at-flag.ts'
import { hoursAhead, looseNumber, looseText, openingAt, readHours, weekRows } from './opening-hours.ts'

export interface PointOptions {
  reference: Position | undefined
  moment: Moment
  zone: string
  words?: WeekWords
}

/** Returns the points of all carriers, nearest first. Unknown distances come last, in the order sent. */
export function findPoints(results: readonly PudoResult[], options: PointOptions): FoundPoint[] {
  const found = results.flatMap((result) =>
    pointsOf(result).map((point) => {
      const { carrierCode, carrierExternalCode } = result
      return describePoint({ carrierCode, carrierExternalCode, ...point }, options)
    }),
  )
  return found.sort((a, b) => (a.distanceKm ?? Infinity) - (b.distanceKm ?? Infinity) || 0)
}

export function mergeServices(points: readonly FoundPoint[]): FoundPoint[] {
  const merged = new Map<unknown, FoundPoint>()
  for (const point of points) {
    const key = keyOf(point.record, point.record.carrierCode)
    const first = merged.get(key)
    if (first) first.services = [...new Set([...first.services, ...point.services])]
    else merged.set(key, { ...point })
  }
  return [...merged.values()]
}

/** Identifies a point that several services send. Points without an id are all different. */
function keyOf(record: PudoRecord, carrierCode: unknown): unknown {
  const id = looseText(record.id)
  return id === undefined ? record : JSON.stringify([looseText(carrierCode), id])
}

/** Keeps the nearest points of all carriers together. */
export function nearestOf(
  results: readonly PudoResult[],
  { limit, isOpenOnly }: { limit: number; isOpenOnly: boolean },
  options: PointOptions,
) {
  const all = results.flatMap((result) =>
    pointsOf(result).map((point) => {
      const { distanceKm = Infinity, opening } = describePoint(point, options)
      return { key: keyOf(point, result.carrierCode), distanceKm, state: opening.state }
    }),
  )
  const wanted = all
    .filter(({ state }) => !isOpenOnly || state === 'open' || state === 'always')
    .sort((a, b) => a.distanceKm - b.distanceKm || 0)
  const keys = [...new Set(wanted.map(({ key }) => key))]
  const kept = new Set(limit > 0 ? keys.slice(0, limit) : keys)
  const found = results.map((result) => ({
    ...result,
    pudoPoints: pointsOf(result).filter((point) => kept.has(keyOf(point, result.carrierCode))),
  }))
  const isWhole = all.every(({ key }) => kept.has(key))
  const unknown = isOpenOnly ? all.filter(({ state }) => state === 'unknown').length : 0
  /** `total` counts before the limit. `unknown` counts points left out because their hours are not known. */
  return { results: isWhole ? results : found, total: keys.length, unknown }
}

/** Skips results and points that are not objects. */
function pointsOf(result: PudoResult) {
  const points = isRecord(result) ? result.pudoPoints : undefined
  return Array.isArray(points) ? points.filter((point) => isRecord(point)) : []
}

function describePoint(record: PudoRecord, { reference, moment, zone, words }: PointOptions): FoundPoint {
  const position = positionOf(record)
  const sent = looseNumber(record.distance)
  const distanceKm = sent ?? (position && reference && greatCircleKm(reference, position))
  const hours = readHours(record.openingHours)
  const named = looseText(record.timeZone)
  const ownZone = named !== undefined && isTimeZone(named) ? named : undefined
  const wall = moment(ownZone ?? zone)
  return {
    record: sent === undefined && distanceKm !== undefined ? { ...record, distance: distanceKm } : record,
    position,
    distanceKm,
    carrier: looseText(record.carrierCode) ?? '',
    services: [looseText(record.carrierExternalCode) ?? ''].filter(Boolean),
    name: looseText(record.name) ?? looseText(record.id) ?? 'Drop-off point',
    type: looseText(record.locationType) ?? '',
    address: addressText(record.address),
    opening: record.temporarilyClosed === true ? { state: 'suspended' } : openingAt(hours, wall, words),
    zone: ownZone,
    ahead: hoursAhead(hours, wall),
    week: weekRows(hours, words),
  }
}

function positionOf(record: PudoRecord) {
  const latitude = looseNumber(record.latitude)
  const longitude = looseNumber(record.longitude)
  if (latitude === undefined || longitude === undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}

function addressText(address: unknown) {
  if (!isRecord(address)) return looseText(address) ?? ''
  const record: PudoRecord = { ...address }
  return joinParts([...addressLines(record).all, looseText(record.countryCode)])
}
