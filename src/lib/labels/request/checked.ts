import { getCountryCallingCode, isSupportedCountry, validatePhoneNumberLength } from 'libphonenumber-js/min'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import type * as z from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import { isCountry, isCurrency } from '../../wire/geography.ts'
import { asNumber, asText, at, pathText } from '../../wire/raw.ts'

export type Checked<Request> = (
  | { request: Request; problems: [] }
  | { request?: undefined; problems: ErrorDetail[] }
) & {
  warnings: ErrorDetail[]
}

/** Adds a problem, or a warning if uncertain, at a path such as `parcels[0].weight`. */
export type Note = (path: string, message: string, isCertain?: boolean) => void

export function checked<S extends z.ZodType>(
  schema: S,
  input: unknown,
  look: (note: Note) => void,
): Checked<z.infer<S>> {
  const problems: ErrorDetail[] = []
  const warnings: ErrorDetail[] = []
  const note: Note = (path, message, isCertain = true) =>
    (isCertain ? problems : warnings).push({ path, message })
  const parsed = schema.safeParse(input)
  for (const issue of parsed.error?.issues ?? []) note(pathText(issue.path), wordsOf(issue, input))
  look(note)
  return parsed.success && problems.length === 0
    ? { request: parsed.data, problems: [], warnings }
    : { problems, warnings }
}

function wordsOf(issue: z.core.$ZodIssue, input: unknown) {
  const value = issue.path.reduce<unknown>((parent, step) => at(parent, step), input)
  if (value === undefined || value === null) return 'is missing'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code !== 'invalid_type') return issue.message
  return `must be ${TYPE_WORDS[issue.expected] ?? `a ${issue.expected}`}`
}

const TYPE_WORDS: Readonly<Record<string, string>> = { string: 'text', array: 'a list', object: 'an object' }

interface Doubt {
  message: string
  isCertain: boolean
}

/** Countries whose rules were compared with real codes and phones, so that faults are certain. */
const STRICT_COUNTRIES: ReadonlySet<string> = new Set(
  'AD AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IL IN IT JP LI LT LU LV MC MT MX NL NO NZ PL PT RO SE SG SI SK TR US'.split(
    ' ',
  ),
)

/** Codes that the library rejects but that may exist. */
const UNCERTAIN_CODES: Readonly<Record<string, RegExp>> = {
  AT: /^0\d{3}$/,
  FR: /^2[AB]\d{3}$/i,
  GB: /^GIR ?0AA$/i,
  LI: /^9498$/,
}

export function noteDoubt(doubt: Doubt | undefined, path: string, note: Note) {
  if (doubt) note(path, doubt.message, doubt.isCertain)
}

/** Notes blank texts. The schema reports missing values. */
export function noteBlank(value: unknown, path: string, fields: readonly string[], note: Note) {
  for (const field of fields) {
    if (asText(at(value, field))?.trim() === '') note(`${path}.${field}`, 'is missing')
  }
}

export function noteQuantity(item: unknown, path: string, note: Note) {
  const quantity = asNumber(at(item, 'quantity'))
  if (quantity === undefined || (quantity >= 1 && Number.isInteger(quantity))) return
  note(`${path}.quantity`, 'must be a whole number of pieces, at least 1')
}

export function noteCountry(value: unknown, path: string, note: Note) {
  const code = asText(value)
  if (code === undefined || isCountry(code)) return
  const upper = code.trim().toUpperCase()
  const better = upper === 'UK' ? 'GB' : upper
  const meant = better !== code && isCountry(better) ? `: write ${better}` : ''
  note(path, `${JSON.stringify(code)} is not an ISO 3166-1 country code of two letters${meant}`)
}

export function noteCurrency(value: unknown, path: string, note: Note) {
  const code = asText(value)
  if (code === undefined || isCurrency(code)) return
  note(path, `${JSON.stringify(code)} is not an ISO 4217 currency code`)
}

export function noteAddressCodes(address: unknown, path: string, note: Note) {
  const country = asText(at(address, 'countryCode'))
  if (country === undefined) return
  noteCountry(country, `${path}.countryCode`, note)
  const postalCode = asText(at(address, 'postalCode'))
  noteDoubt(postalCode?.trim() ? postalCodeDoubt(postalCode, country) : undefined, `${path}.postalCode`, note)
}

/** Returns undefined for countries whose codes are unknown. */
export function postalCodeDoubt(postalCode: string, country: string): Doubt | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return undefined
  // Senders abroad may add a prefix: `D-10115`, `LV-1010`, `SE-111 29`.
  const own = country === 'DE' ? 'DE?' : country
  const bare = postalCode.trim().replace(new RegExp(`^${own}[- ]`, 'i'), '')
  if ([bare, postalCode.trim()].some((code) => fits(code, country))) return undefined
  return {
    message: `${JSON.stringify(postalCode)} is not a postal code of ${country}`,
    isCertain: STRICT_COUNTRIES.has(country) && !UNCERTAIN_CODES[country]?.test(bare),
  }
}

/** Accepts codes without their separator: `1000001` for `100-0001`. */
function fits(code: string, country: string) {
  if (postcodeValidator(code, country)) return true
  if (/\w[ -]\w/.test(code) && fits(code.replace(/[ -]/, ''), country)) return true
  if (!/^[A-Z\d]+$/i.test(code)) return false
  const indexes = Array.from(code, (_letter, at) => at)
  return indexes.some((at) =>
    ['-', ' '].some((mark) => postcodeValidator(code.slice(0, at) + mark + code.slice(at), country)),
  )
}

const MIN_DIGITS = 4
/** Limit of ITU-T E.164, including the calling code. */
const MAX_DIGITS = 15
/** Countries that used longer numbers than the library knows. */
const FORMERLY_LONGER: readonly string[] = ['MX', 'SE']

export function phoneDoubt(phone: string, country: string | undefined): Doubt | undefined {
  const doubt = (what: string, isCertain = true) => ({
    message: `${JSON.stringify(phone)} ${what}`,
    isCertain,
  })
  if (!/^\+?[\d\s()./-]+$/.test(phone.trim())) {
    return doubt('is not a phone number: digits, with + and the calling code in front')
  }
  const isInternational = /^\s*(?:\+|00)/.test(phone)
  const digits = phone.replace(/\(0\)/, '').replace(/\D/g, '').replace(/^00/, '')
  if (isInternational && digits.startsWith('0')) return doubt('has a calling code that begins with 0')
  if (digits.length < MIN_DIGITS) return doubt('is too short for a phone number')
  if (digits.length > MAX_DIGITS) return doubt('is too long for a phone number')
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined
  const number = isInternational ? `+${digits}` : digits
  const wrong = isInternational || home ? validatePhoneNumberLength(number, home) : undefined
  if (wrong === undefined) return undefined
  if (wrong === 'INVALID_COUNTRY') return doubt('has a calling code that no country has', false)
  // Other countries' numbers only get a warning, as people move.
  const isOwn = isInternational && home !== undefined && digits.startsWith(getCountryCallingCode(home))
  const isBeyond = wrong === 'TOO_SHORT' || (wrong === 'TOO_LONG' && !FORMERLY_LONGER.includes(home ?? ''))
  const many = { TOO_SHORT: 'too few', TOO_LONG: 'too many' }[wrong as string] ?? 'a wrong number of'
  return doubt(
    `has ${many} digits for a phone number${isOwn ? ` of ${home}` : ''}`,
    isOwn && isBeyond && STRICT_COUNTRIES.has(home),
  )
}
