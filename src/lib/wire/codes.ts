/** In CLDR but not in ISO 3166-1: reserved, or groups of countries. */
const NOT_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ')

let countries: Intl.DisplayNames | undefined
let currencies: ReadonlySet<string> | undefined

/** ISO 3166-1 alpha-2, by Node.js's data; `XK` (Kosovo) counts. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.includes(code)) return false
  countries ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Withdrawn codes (UK, DD) have names, but are aliases.
  return countries.of(code) !== undefined && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}

/** ISO 4217, in use, by Node.js's data. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}
