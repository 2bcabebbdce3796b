/** What addresses of a country look like. */
export interface CountryShape {
  postalCode: RegExp
  /** A postal code of the country, for error messages. */
  example: string
  /** Calling code without `+`. */
  calling: string
  /** Fewest and most digits of a phone number after the calling code. */
  digits: readonly [number, number]
}

const D3 = /^\d{3} ?\d{2}$/
const D4 = /^\d{4}$/
const D5 = /^\d{5}$/
const D6 = /^\d{6}$/

const shape = (
  postalCode: RegExp,
  example: string,
  calling: string,
  from: number,
  to = from,
): CountryShape => ({ postalCode, example, calling, digits: [from, to] })

/**
 * Shapes for the countries that returns mostly come from. A country that is not here is not checked; prefixes of a
 * country to its postal codes (`D-10115`) are taken off before.
 */
export const COUNTRY_SHAPES: Readonly<Record<string, CountryShape>> = {
  AD: shape(/^AD\d{3}$/i, 'AD500', '376', 6, 9),
  AT: shape(D4, '1010', '43', 4, 13),
  AU: shape(D4, '2000', '61', 9),
  BE: shape(D4, '1000', '32', 8, 9),
  BG: shape(D4, '1000', '359', 7, 9),
  BR: shape(/^\d{5}-?\d{3}$/, '01310-100', '55', 10, 11),
  CA: shape(/^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i, 'K1A 0B1', '1', 10),
  CH: shape(D4, '8001', '41', 9),
  CY: shape(D4, '1010', '357', 8),
  CZ: shape(D3, '110 00', '420', 9),
  DE: shape(D5, '10115', '49', 5, 13),
  DK: shape(D4, '1050', '45', 8),
  EE: shape(D5, '10111', '372', 7, 8),
  ES: shape(/^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/, '28013', '34', 9),
  FI: shape(D5, '00100', '358', 5, 12),
  FR: shape(/^(?:\d{2}|2[AB])\d{3}$/i, '75001', '33', 9),
  GB: shape(/^(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i, 'SW1A 1AA', '44', 9, 10),
  GR: shape(D3, '105 57', '30', 10),
  HR: shape(D5, '10000', '385', 8, 9),
  HU: shape(D4, '1051', '36', 8, 9),
  IE: shape(/^(?:D6W|[AC-FHKNPRTV-Y]\d{2}) ?[0-9AC-FHKNPRTV-Y]{4}$/i, 'D02 AF30', '353', 7, 9),
  IL: shape(/^\d{5}(?:\d{2})?$/, '9100001', '972', 8, 9),
  IN: shape(/^[1-9]\d{2} ?\d{3}$/, '110001', '91', 10),
  IT: shape(D5, '00118', '39', 6, 11),
  JP: shape(/^\d{3}-?\d{4}$/, '100-0001', '81', 9, 10),
  LI: shape(/^94(?:8[5-9]|9[0-8])$/, '9490', '423', 7, 9),
  LT: shape(D5, '01001', '370', 8),
  LU: shape(D4, '1009', '352', 4, 11),
  LV: shape(D4, '1010', '371', 8),
  MC: shape(/^980\d{2}$/, '98000', '377', 8, 9),
  MT: shape(/^[A-Z]{3} ?\d{4}$/i, 'VLT 1117', '356', 8),
  MX: shape(D5, '06000', '52', 10, 11),
  NL: shape(/^[1-9]\d{3} ?[A-Z]{2}$/i, '1012 JS', '31', 9),
  NO: shape(D4, '0150', '47', 8),
  NZ: shape(D4, '6011', '64', 8, 10),
  PL: shape(/^\d{2}-?\d{3}$/, '00-001', '48', 9),
  PT: shape(/^\d{4}-?\d{3}$/, '1100-148', '351', 9),
  RO: shape(D6, '010011', '40', 9),
  SE: shape(D3, '111 29', '46', 7, 13),
  SG: shape(D6, '018956', '65', 8),
  SI: shape(D4, '1000', '386', 8),
  SK: shape(D3, '811 01', '421', 9),
  TR: shape(D5, '34000', '90', 10),
  US: shape(/^\d{5}(?:[ -]?\d{4})?$/, '10001', '1', 10),
}

const MIN_DIGITS = 4
/** With the calling code, by ITU-T E.164. */
const MAX_DIGITS = 15

/** What is wrong with a postal code of a country; undefined when nothing is, or nothing is known of the country. */
export function postalCodeProblem(postalCode: string, country: string): string | undefined {
  const known = COUNTRY_SHAPES[country]
  // `D-10115`, `LV-1010`, `SE-111 29`: how some countries' codes are written from abroad.
  const own = country === 'DE' ? 'DE?' : country
  const bare = postalCode.trim().replace(new RegExp(`^${own}[- ]`, 'i'), '')
  if (!known || known.postalCode.test(bare) || known.postalCode.test(postalCode.trim())) return undefined
  return `${JSON.stringify(postalCode)} is not a postal code of ${country}, which look like ${known.example}`
}

/** What is wrong with a phone number that is used in a country. */
export function phoneProblem(phone: string, country: string | undefined): string | undefined {
  const problem = (what: string) => `${JSON.stringify(phone)} ${what}`
  if (!/^\+?[\d\s()./-]+$/.test(phone.trim())) {
    return problem('is not a phone number: digits, with + and the calling code in front')
  }
  const isInternational = /^\s*(?:\+|00)/.test(phone)
  const digits = phone.replace(/\(0\)/, '').replace(/\D/g, '').replace(/^00/, '')
  if (isInternational && digits.startsWith('0')) return problem('has a calling code that begins with 0')
  if (digits.length < MIN_DIGITS) return problem('is too short for a phone number')
  if (digits.length > MAX_DIGITS) return problem('is too long for a phone number')
  const known = country === undefined ? undefined : COUNTRY_SHAPES[country]
  if (!known || !isInternational || !digits.startsWith(known.calling)) return undefined
  // A number of another country is fine: people move.
  const [fewest, most] = known.digits
  const count = digits.length - known.calling.length
  if (count >= fewest && count <= most) return undefined
  const range = fewest === most ? `${fewest}` : `${fewest} to ${most}`
  return problem(`has ${count} digits after +${known.calling}, where numbers of ${country} have ${range}`)
}
