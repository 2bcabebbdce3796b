import countryLanguages from './words/country-languages.json'

/** Codes of CLDR that ISO 3166-1 does not have. */
const NOT_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ')

let countries: Intl.DisplayNames | undefined
let currencies: ReadonlySet<string> | undefined

/** ISO 3166-1 alpha-2, and `XK`. */
export function isCountry(code: string) {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.includes(code)) return false
  countries ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Withdrawn codes (UK, DD) are aliases.
  return countries.of(code) !== undefined && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}

/** ISO 4217. */
export function isCurrency(code: string) {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

export const CUSTOMER_LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ja'] as const

/**
 * Languages by country and pattern of postal codes: the first match counts, and mixed regions have several. CLDR knows
 * the language of other countries.
 */
const LANGUAGES: Readonly<Record<string, readonly (readonly string[])[]>> = countryLanguages

/** Returns the possible languages of an address; none for an unknown country. */
export function languagesOf(country: string | undefined, postalCode = ''): string[] {
  const code = country?.toUpperCase() ?? ''
  if (!isCountry(code)) return []
  const [, ...languages] =
    LANGUAGES[code]?.find(([form = '']) => new RegExp(form, 'i').test(postalCode.trim())) ?? []
  return languages.length > 0 ? languages : [new Intl.Locale(`und-${code}`).maximize().language ?? 'en']
}

interface CustomsAddress {
  countryCode: string
  postalCode: string
}

const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
)

/** Countries inside another customs territory. */
const UNIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EU_MEMBERS.map((code) => [code, 'EU'])),
  IM: 'GB',
  LI: 'CH',
  MC: 'EU',
  PR: 'US',
}

/** Regions outside the customs union, by postal code. */
const EXCEPTIONS: readonly (readonly [country: string, postalCode: RegExp, territory: string])[] = [
  ['ES', /^3[58]/, 'ES-CN'],
  ['ES', /^51/, 'ES-CE'],
  ['ES', /^52/, 'ES-ML'],
  ['FR', /^9[78]/, 'FR-DOM'],
  // Northern Ireland follows the EU for goods.
  ['GB', /^BT/i, 'EU'],
  ['FI', /^22/, 'FI-01'],
  ['DE', /^(?:78266|27498)$/, 'DE-X'],
  ['IT', /^23041$/, 'IT-X'],
]

/** False if an address is unknown. */
export function passesCustoms(from: CustomsAddress | null | undefined, to: typeof from) {
  const [origin, destination] = [territory(from), territory(to)]
  return origin !== undefined && destination !== undefined && origin !== destination
}

function territory(address: CustomsAddress | null | undefined) {
  if (!address) return undefined
  const { countryCode, postalCode } = address
  const exception = EXCEPTIONS.find(([country, form]) => country === countryCode && form.test(postalCode))
  return exception?.[2] ?? UNIONS[countryCode] ?? countryCode
}

interface GlobePoint {
  latitude: number
  longitude: number
}

/** Mean radius in km (IUGG). Distances are right to 0.5 %. */
const EARTH_KM = 6371.0088

/** Haversine formula. */
export function greatCircleKm(a: GlobePoint, b: GlobePoint): number {
  const rad = Math.PI / 180
  const sinLat = Math.sin(((b.latitude - a.latitude) * rad) / 2)
  const sinLon = Math.sin(((b.longitude - a.longitude) * rad) / 2)
  const h = sinLat ** 2 + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * sinLon ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}
