import { nearest } from '../../errors.ts'
import { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import { pudosRequestSchema } from '../../wire/pudos.ts'
import { invalid, parseBody } from '../http/request-body.ts'
import { toNumber } from '../labels/amount.ts'
import type { Place } from './sphere.ts'

const DEFAULT_RANGE_KM = 10
/** Distances are whole metres. */
const MIN_RANGE_KM = 0.001
const MAX_RANGE_KM = 100
const DEFAULT_LIMIT = 20
const MAX_LIMIT = 200

export interface PudoSearch {
  shopCode: string | undefined
  /** Each once; empty for all services of the shop. */
  carrierServices: string[]
  limit: number
  rangeM: number
  /** Index in `PUDO_LOCATION_TYPES`. */
  type: number | undefined
  coordinates: Place | undefined
  address: PostalPlace
}

/** Blanks are empty texts. */
export interface PostalPlace {
  street: string
  city: string
  postalCode: string
  countryCode: string
}

/**
 * Spec §4.5. Decided: `range` up to 100 km, default 10; `limit` up to 200, default 20.
 * @throws ApiError 400 VA01, with an entry for each problem
 */
export function parsePudoSearch(text: string): PudoSearch {
  const request = parseBody(pudosRequestSchema, text)
  const problems: string[] = []
  const bounded = (field: 'latitude' | 'longitude' | 'range' | 'limit', min: number, max: number) => {
    const value = toNumber(request[field])
    if (value < min || value > max)
      problems.push(`${field}: must be from ${min} to ${max}, not ${request[field]}`)
    return value
  }
  const lat = bounded('latitude', -90, 90)
  const lon = bounded('longitude', -180, 180)
  if (Number.isNaN(lat) !== Number.isNaN(lon)) {
    const missing = Number.isNaN(lat) ? 'latitude' : 'longitude'
    problems.push(`${missing}: is missing; latitude and longitude belong together`)
  }
  const rangeKm = bounded('range', MIN_RANGE_KM, MAX_RANGE_KM)
  const limit = bounded('limit', 1, MAX_LIMIT)
  const type = typeIndex(request.locationType, problems)
  if (problems.length > 0) throw invalid(problems)
  return {
    shopCode: request.shopCode ?? undefined,
    carrierServices: [...new Set((request.carrierServices ?? []).map(({ code }) => String(code)))],
    limit: Number.isNaN(limit) ? DEFAULT_LIMIT : limit,
    rangeM: Math.round((Number.isNaN(rangeKm) ? DEFAULT_RANGE_KM : rangeKm) * 1000),
    type,
    coordinates: Number.isNaN(lat) ? undefined : { lat, lon },
    address: {
      street: request.address?.trim() ?? '',
      city: request.city?.trim() ?? '',
      postalCode: request.postalCode?.trim() ?? '',
      countryCode: request.countryCode?.trim() ?? '',
    },
  }
}

function typeIndex(locationType: string | null | undefined, problems: string[]): number | undefined {
  if (locationType === undefined || locationType === null || locationType === '') return undefined
  const type = PUDO_LOCATION_TYPES.find((known) => known === locationType)
  if (type !== undefined) return PUDO_LOCATION_TYPES.indexOf(type)
  const guess = nearest(locationType, PUDO_LOCATION_TYPES)
  const hint = guess === undefined ? '' : `; did you mean ${guess}?`
  problems.push(`locationType: ${locationType} is none of ${PUDO_LOCATION_TYPES.join(', ')}${hint}`)
  return undefined
}
