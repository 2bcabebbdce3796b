import { nearest } from '../../errors.ts'
import { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import { pudosRequestSchema } from '../../wire/pudos.ts'
import { invalid, parseBody } from '../http/request-body.ts'
import { toNumber } from '../labels/amount.ts'
import type { Place } from './sphere.ts'

const DEFAULT_RANGE_KM = 10
const DEFAULT_LIMIT = 20

/** Accepted values, ends included, as in JSON Schema. The smallest `range` is a metre, the unit of distances. */
export const PUDO_BOUNDS = {
  latitude: { minimum: -90, maximum: 90 },
  longitude: { minimum: -180, maximum: 180 },
  range: { minimum: 0.001, maximum: 100 },
  limit: { minimum: 1, maximum: 200 },
} as const

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
  const bounded = (field: keyof typeof PUDO_BOUNDS) => {
    const { minimum, maximum } = PUDO_BOUNDS[field]
    const value = toNumber(request[field])
    if (value < minimum || value > maximum)
      problems.push(`${field}: must be from ${minimum} to ${maximum}, not ${request[field]}`)
    return value
  }
  const lat = bounded('latitude')
  const lon = bounded('longitude')
  if (Number.isNaN(lat) !== Number.isNaN(lon)) {
    const missing = Number.isNaN(lat) ? 'latitude' : 'longitude'
    problems.push(`${missing}: is missing; latitude and longitude belong together`)
  }
  const rangeKm = bounded('range')
  const limit = bounded('limit')
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
