import { COUNTRIES } from '../demo/countries.ts'
import { ApiError } from '../http/api-error.ts'
import { invalid } from '../http/request-body.ts'
import { isPostalCode } from '../labels/postal-codes.ts'
import type { PudoSearch } from './request.ts'
import { distanceM, type Place } from './sphere.ts'
import { type Gazetteer, hasTowns, type Town } from './towns.ts'

/**
 * Decided: coordinates go before the address, its city before the area of its postal code; the street is not read.
 * @throws ApiError 400 PU01 without either, VA01 for an address that the gazetteer doesn't know
 */
export function referencePlace({ coordinates, address }: PudoSearch, gazetteer: Gazetteer): Place {
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
  if (postalCode !== '' && !isPostalCode(postalCode, countryCode)) {
    throw invalid([`postalCode: ${postalCode} is not a postal code of ${countryCode}`])
  }
  const places = gazetteer.get(countryCode)
  const area = postalCode === '' ? undefined : places?.ofPostalCode(postalCode)
  const place = fitting(places?.named(city) ?? [], area) ?? area
  if (place !== undefined) return place
  if (city === '') throw invalid([`postalCode: no area of ${countryCode} is known for ${postalCode}`])
  const neither = postalCode === '' ? '' : `, and no area for ${postalCode}`
  throw invalid([`city: no town ${city} is known in ${countryCode}${neither}`])
}

/** The town nearest to the postal code's area, else the largest. */
function fitting(towns: readonly Town[], area: Town | undefined): Town | undefined {
  if (area === undefined) return towns[0]
  return [...towns].sort((a, b) => distanceM(a, area) - distanceM(b, area))[0]
}
