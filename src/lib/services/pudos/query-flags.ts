import type { Context } from '../../cli/context.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { readWord, type WordList } from '../../config/flag-values.ts'
import { AppError, type ErrorDetail, usageError } from '../../errors.ts'
import { addressLines } from '../../wire/address-lines.ts'
import { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import { CUSTOMER_LANGUAGES, isCountry } from '../../wire/geography.ts'
import type { PudosRequest } from '../../wire/pudos.ts'
import { joinParts } from '../../wire/raw.ts'
import { HASH_HINT } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { fullCode } from '../mirror/mirror-file.ts'
import { servicesOfReturn, servicesOfShop, type WantedServices } from './carrier-services.ts'

export const pudoFlags = {
  lat: textFlag('DEGREES', 'Latitude; coordinates win over an address'),
  lon: textFlag('DEGREES', 'Longitude'),
  address: textFlag('TEXT', 'Street and number'),
  city: textFlag('NAME', 'City'),
  'postal-code': textFlag('CODE', 'Postal code'),
  country: textFlag('CODE', 'Country: ES, DE …'),
  'carrier-service': listFlag('CODE', 'Carrier service whose points are wanted, more than once for several', {
    multipleNonGreedy: true,
  }),
  limit: textFlag('N', 'Points in all, the nearest; 20 by default, at most 200'),
  range: textFlag('KM', 'How far away, 10 km by default, at most 100'),
  type: textFlag('TYPE', 'Only SERVICE_POINT, LOCKER, POST_OFFICE or CARRIER_DEPOT, or its words'),
  'open-at': textFlag(
    'WHEN',
    "Only those open then, by their own clocks: now, 'sat 18:00', 'tomorrow 9:00', '2026-11-28 18:00'",
  ),
  map: textFlag('FILE.html', 'Also write a page with a map, which works offline'),
  language: textFlag('CODE', "Language of the page; by default that of the customer's country", {
    options: [...CUSTOMER_LANGUAGES],
    dependsOn: ['map'],
  }),
  force: switchFlag('Replace the page if it has other content', { dependsOn: ['map'] }),
  paste: switchFlag('One line of text for each point, to paste into a chat'),
}

export type PudoFlags = FlagValues<typeof pudoFlags>

export type PudoQuery = Awaited<ReturnType<typeof readPudoQuery>>

interface Findings {
  problems: ErrorDetail[]
  notes: string[]
}

const TYPES: WordList = { what: 'a type of drop-off point', words: PUDO_LOCATION_TYPES, kind: 'locationType' }

/** Maximum number of points of a search. Both limits are ours, not the specification's. */
export const MAX_LIMIT = 200
const MAX_RANGE_KM = 100

const PLACE_FLAGS = ['address', 'city', 'postal-code', 'country'] as const

type Place = Pick<PudosRequest, 'address' | 'city' | 'postalCode' | 'countryCode'>

/** Reads the request (spec §4.5). @throws AppError `usage` that lists every problem */
export async function readPudoQuery(ofReturn: string | undefined, flags: PudoFlags, context: Context) {
  const { reference, given, limit, range, locationType, codes } = await readFlags(ofReturn, flags, context)
  const record =
    ofReturn === undefined ? undefined : await (await context.connection.lookup()).record(ofReturn)
  const place = record && !reference ? placeOf(record, ofReturn ?? '') : given
  const country = (record?.customer?.address ?? given).countryCode ?? undefined
  const wanted: WantedServices =
    codes.length > 0
      ? { codes }
      : await (record ? servicesOfReturn(record, ofReturn ?? '', context) : servicesOfShop(country, context))
  if (reference && hasPlace(given)) {
    await context.note('Searching around the coordinates: they win over the address')
  }
  const words = reference ? `${reference.latitude}, ${reference.longitude}` : placeText(place)
  if (record || wanted.about) {
    const about = wanted.about === undefined ? '' : `: ${wanted.about}`
    await context.note(`Searching near ${words}, for ${wanted.codes.join(', ')}${about}`)
  }
  const body: PudosRequest = {
    shopCode: record?.shopCode || (await context.settings()).shop?.value || wanted.shop,
    carrierServices: wanted.codes.map((code) => ({ code })),
    limit,
    ...(reference ?? place),
    range,
    locationType,
  }
  return {
    body: withoutBlanks(body),
    reference,
    place: words,
    country,
    withoutPoints: wanted.withoutPoints,
  }
}

async function readFlags(ofReturn: string | undefined, flags: PudoFlags, context: Context) {
  const found: Findings = { problems: [], notes: [] }
  const { problems, notes } = found
  const reference = readCoordinates(flags, problems)
  const given = readPlace(flags, problems)
  const limit = readNumber('--limit', flags.limit, found, { max: MAX_LIMIT, whole: true })
  const range = readNumber('--range', flags.range, found, { max: MAX_RANGE_KM, whole: false })
  const type = flags.type === undefined ? undefined : readWord('--type', flags.type, TYPES)
  if (type?.note) notes.push(type.note)
  const typed = [...new Set((flags['carrier-service'] ?? []).map((code) => code.trim()))]
  if (typed.includes('')) problems.push({ message: '--carrier-service is empty' })
  const besides = PLACE_FLAGS.filter((name) => flags[name] !== undefined)
  if (ofReturn !== undefined && besides.length > 0) {
    problems.push({ message: `--${besides.join(', --')}: the return says where its customer is` })
  }
  if (problems.length > 0) {
    throw new AppError('usage', 'The search can not be made like this; nothing was sent.', {
      details: problems,
    })
  }
  if (!reference && !hasPlace(given) && ofReturn === undefined) throw noPlace(given)
  for (const note of notes) await context.warn(note)
  const codes = await Promise.all(typed.map((code) => fullCode('--carrier-service', code, context)))
  return { reference, given, limit, range, locationType: type?.value, codes }
}

function readCoordinates({ lat, lon }: PudoFlags, problems: ErrorDetail[]) {
  if (lat === undefined && lon === undefined) return undefined
  const latitude = readDegrees('--lat', lat, 90, problems)
  const longitude = readDegrees('--lon', lon, 180, problems)
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}

function readDegrees(flag: string, text: string | undefined, max: number, problems: ErrorDetail[]) {
  if (text === undefined) {
    problems.push({ message: `${flag} is missing: coordinates are two` })
    return undefined
  }
  const degrees = /^[+-]?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN
  if (Math.abs(degrees) <= max) return degrees
  problems.push({
    message: `${flag}: ${JSON.stringify(text)} is not a number of degrees from -${max} to ${max}`,
  })
  return undefined
}

function readPlace(flags: PudoFlags, problems: ErrorDetail[]): Place {
  const country = flags.country?.trim().toUpperCase()
  if (country !== undefined && !isCountry(country)) {
    const shown = JSON.stringify(flags.country)
    problems.push({
      message: `--country: ${shown} is not an ISO 3166-1 country code of two letters${country === 'UK' ? ', use GB' : ''}`,
    })
  }
  return withoutBlanks({
    address: flags.address,
    city: flags.city,
    postalCode: flags['postal-code'],
    countryCode: country,
  })
}

/** Sends numbers beyond our limits with a warning, since the specification sets none. */
function readNumber(
  flag: string,
  text: string | undefined,
  { problems, notes }: Findings,
  { max, whole }: { max: number; whole: boolean },
) {
  if (text === undefined) return undefined
  const known = whole ? `whole numbers from 1 to ${max}` : `kilometres above 0, up to ${max}`
  const shown = JSON.stringify(text)
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim())) {
    problems.push({ message: `${flag}: ${shown} is not a number; known: ${known}` })
    return undefined
  }
  const number = Number(text)
  const isKnown = number > 0 && number <= max && (!whole || Number.isInteger(number))
  if (!isKnown) notes.push(`${flag}: ${shown} is sent as it is; known: ${known}`)
  return number
}

/** A country alone is not a place to search around. */
function hasPlace({ address, city, postalCode }: Place) {
  return Boolean(address || city || postalCode)
}

function noPlace({ countryCode }: Place) {
  return usageError(
    countryCode ? `--country ${countryCode} alone is not a place to search around.` : 'Near what place?',
    '--lat 40.4168 --lon -3.7038',
    "--address 'Calle Mayor 1' --city Madrid --postal-code 28013 --country ES",
    "rma pudos search R#-1001 for the customer's address",
    HASH_HINT,
  )
}

/** @throws AppError `usage` for a return without the customer's address */
export function placeOf(record: Return, reference: string): Place {
  const address = record.origin?.address ?? record.customer?.address
  const place = withoutBlanks({
    address: address?.line1,
    city: address?.city,
    postalCode: address?.postalCode,
    countryCode: address?.countryCode,
  })
  if (hasPlace(place)) return place
  throw usageError(
    `${reference} has no address of the customer.`,
    'give the place with --lat and --lon, or with --city and --country',
  )
}

function placeText({ address, city, postalCode, countryCode }: Place) {
  return joinParts([...addressLines({ line1: address, city, postalCode, countryCode }).all, countryCode])
}

function withoutBlanks<T extends object>(fields: T) {
  const isGiven = (value: unknown) =>
    value !== undefined && !(typeof value === 'string' && value.trim() === '')
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value))) as Partial<T>
}
