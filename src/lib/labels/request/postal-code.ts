import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'

/** Something wrong with a value: what is certain is refused, all else is a warning. */
export interface Doubt {
  message: string
  isCertain: boolean
}

/** Countries whose postal codes and phones were long compared with the real ones: what is wrong there is refused. */
export const STRICT_COUNTRIES: ReadonlySet<string> = new Set(
  'AD AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IL IN IT JP LI LT LU LV MC MT MX NL NO NZ PL PT RO SE SG SI SK TR US'.split(
    ' ',
  ),
)

/** Codes that the library does not know and people do write. */
const DOUBTED_ONLY: Readonly<Record<string, RegExp>> = {
  AT: /^0\d{3}$/,
  FR: /^2[AB]\d{3}$/i,
  GB: /^GIR ?0AA$/i,
  LI: /^9498$/,
}

/** What is wrong with a postal code of a country; undefined when nothing is, or nothing is known of the country. */
export function postalCodeDoubt(postalCode: string, country: string): Doubt | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return undefined
  // `D-10115`, `LV-1010`, `SE-111 29`: how some countries' codes are written from abroad.
  const own = country === 'DE' ? 'DE?' : country
  const bare = postalCode.trim().replace(new RegExp(`^${own}[- ]`, 'i'), '')
  if ([bare, postalCode.trim()].some((code) => fits(code, country))) return undefined
  return {
    message: `${JSON.stringify(postalCode)} is not a postal code of ${country}`,
    isCertain: STRICT_COUNTRIES.has(country) && !DOUBTED_ONLY[country]?.test(bare),
  }
}

/** With the separator where it is left out: `1000001` for `100-0001`. */
function fits(code: string, country: string): boolean {
  if (postcodeValidator(code, country)) return true
  if (/\w[ -]\w/.test(code) && fits(code.replace(/[ -]/, ''), country)) return true
  if (!/^[A-Z\d]+$/i.test(code)) return false
  const places = Array.from(code, (_letter, at) => at)
  return places.some((at) =>
    ['-', ' '].some((mark) => postcodeValidator(code.slice(0, at) + mark + code.slice(at), country)),
  )
}
