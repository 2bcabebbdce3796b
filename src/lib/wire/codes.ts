/** Codes that CLDR has names for but ISO 3166-1 does not list: reserved, or for groups of countries. */
const NOT_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ')

let countries: Intl.DisplayNames | undefined
let currencies: ReadonlySet<string> | undefined

/** Whether this is a country of ISO 3166-1 (alpha-2), by what Node.js knows; `XK` (Kosovo) is taken for one. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NOT_COUNTRIES.includes(code)) return false
  countries ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  // Withdrawn codes have names as well (UK, DD), and stand for others.
  return countries.of(code) !== undefined && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
}

/** Whether this is a currency of ISO 4217 that is in use, by what Node.js knows. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}
