import { nearHints } from '../../errors.ts'
import { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import { type PudoResult, type PudosRequest, pudosRequestSchema } from '../../wire/pudos.ts'
import { COUNTRIES } from '../demo/catalogue.ts'
import { ApiError } from '../http/answers.ts'
import { requestedShop } from '../http/auth.ts'
import type { Call } from '../http/platform.ts'
import { type FailIf, invalid, parseBody, toNumber } from '../http/received-request.ts'
import { findConnection } from '../labels/connections.ts'
import BOUNDS from './bounds.json'
import { describePoint, distanceM, NETWORKS, nearestPoints, POINT_GROUPS } from './points.ts'
import { hasTowns, type Place, townOfPostalCode, townsNamed } from './towns.ts'

/** Decided: without `carrierServices` all of the shop's (spec §4.5). */
export function answerPudoSearch(call: Call): PudoResult[] {
  const search = parsePudoSearch(call.body())
  const shop = requestedShop(call.tokenShops, search.shopCode)
  const center = referencePlace(search)
  const ofShop = shop.services.map(({ carrierServiceCode }) => carrierServiceCode)
  const codes = search.carrierServices.length > 0 ? search.carrierServices : ofShop
  return codes.map((code) => {
    const connection = findConnection(shop, code)
    const network = NETWORKS.find(({ carrierCode }) => carrierCode === connection?.carrierCode)
    const found = network ? nearestPoints({ ...search, center, network }, POINT_GROUPS) : []
    return {
      carrierCode: connection?.carrierCode ?? code,
      carrierExternalCode: connection?.carrierExternalCode ?? code,
      pudoPoints: found.map(({ point, town, distanceM }) => ({
        ...describePoint(point, town),
        distance: distanceM / 1000,
      })),
    }
  })
}

type PudoSearch = ReturnType<typeof parsePudoSearch>

/** Decided: `range` up to 100 km, `limit` up to 200. @throws ApiError 400 VA01 */
function parsePudoSearch(text: string) {
  const request = parseBody(pudosRequestSchema, text, checkSearch)
  const [latitude, longitude] = [toNumber(request.latitude), toNumber(request.longitude)]
  return {
    shopCode: request.shopCode ?? undefined,
    carrierServices: [...new Set((request.carrierServices ?? []).map(({ code }) => String(code)))],
    limit: toNumber(request.limit ?? 20),
    rangeM: Math.round(toNumber(request.range ?? 10) * 1000),
    type: PUDO_LOCATION_TYPES.find((known) => known === request.locationType),
    coordinates: Number.isNaN(latitude) ? undefined : { latitude, longitude },
    address: {
      street: request.address?.trim() ?? '',
      city: request.city?.trim() ?? '',
      postalCode: request.postalCode?.trim() ?? '',
      countryCode: request.countryCode?.trim() ?? '',
    },
  }
}

function checkSearch(request: PudosRequest, failIf: FailIf) {
  for (const field of ['latitude', 'longitude', 'range', 'limit'] as const) {
    const { minimum, maximum } = BOUNDS[field]
    const value = toNumber(request[field])
    const isOutside = value < minimum || value > maximum
    failIf(isOutside, `${field}: must be from ${minimum} to ${maximum}, not ${request[field]}`)
  }
  const missing = (['latitude', 'longitude'] as const).filter((field) =>
    Number.isNaN(toNumber(request[field])),
  )
  failIf(missing.length === 1, `${missing[0]}: is missing; latitude and longitude belong together`)
  const { locationType } = request
  const [hint = ''] = nearHints(locationType ?? '', PUDO_LOCATION_TYPES, (near) => `; did you mean ${near}?`)
  failIf(
    locationType && !PUDO_LOCATION_TYPES.some((known) => known === locationType),
    `locationType: ${locationType} is not one of ${PUDO_LOCATION_TYPES.join(', ')}${hint}`,
  )
}

/** Decided: coordinates, then the city, then the postal code's area. @throws ApiError 400 PU01 without any, VA01 for an unknown place */
function referencePlace({ coordinates, address }: PudoSearch): Place {
  if (coordinates !== undefined) return coordinates
  const { street, city, postalCode, countryCode } = address
  if (street === '' && city === '' && postalCode === '') {
    const message =
      'latitude: is missing; give latitude and longitude, or city or postalCode with countryCode'
    throw ApiError.of(400, 'PU01', message)
  }
  if (countryCode === '')
    throw invalid(['countryCode: is missing; an address is only known with its country'])
  if (!hasTowns(countryCode)) {
    throw invalid([
      `countryCode: ${countryCode} is not known here; known are ${Object.keys(COUNTRIES).join(', ')}`,
    ])
  }
  if (city === '' && postalCode === '') {
    throw invalid(['city: is missing; a street is only known with its city or postal code'])
  }
  const area = townOfPostalCode(countryCode, postalCode)
  const towns = townsNamed(countryCode, city)
  // Nearest to the area, else the largest.
  const [place = area] = area ? towns.toSorted((a, b) => distanceM(a, area) - distanceM(b, area)) : towns
  if (place !== undefined) return place
  if (city === '') throw invalid([`postalCode: no area of ${countryCode} is known for ${postalCode}`])
  const neither = postalCode === '' ? '' : `, and no area for ${postalCode}`
  throw invalid([`city: no town ${city} is known in ${countryCode}${neither}`])
}
