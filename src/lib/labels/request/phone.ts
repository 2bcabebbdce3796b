import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min'
import { type Doubt, STRICT_COUNTRIES } from './postal-code.ts'

const MIN_DIGITS = 4
/** With the calling code, by ITU-T E.164. */
const MAX_DIGITS = 15
/** Countries where longer numbers than the library knows were in use. */
const LONG_ONCE: readonly string[] = ['MX', 'SE']

/** What is wrong with a phone number that is used in a country. */
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
  const home: CountryCode | undefined =
    country !== undefined && isSupportedCountry(country) ? country : undefined
  const number = isInternational ? `+${digits}` : digits
  const wrong = isInternational || home ? validatePhoneNumberLength(number, home) : undefined
  if (wrong === undefined) return undefined
  if (wrong === 'INVALID_COUNTRY') return doubt('has a calling code that no country has', false)
  // A number of another country is doubted, not refused: people move.
  const isOwn = isInternational && home !== undefined && digits.startsWith(getCountryCallingCode(home))
  const isBeyond = wrong === 'TOO_SHORT' || (wrong === 'TOO_LONG' && !LONG_ONCE.includes(home ?? ''))
  const many = { TOO_SHORT: 'too few', TOO_LONG: 'too many' }[wrong as string] ?? 'a wrong number of'
  return doubt(
    `has ${many} digits for a phone number${isOwn ? ` of ${home}` : ''}`,
    isOwn && isBeyond && STRICT_COUNTRIES.has(home),
  )
}
