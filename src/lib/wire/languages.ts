/** Languages of texts for customers. */
export const CUSTOMER_LANGUAGES = ['en', 'es', 'fr', 'de', 'it'] as const
export type CustomerLanguage = (typeof CUSTOMER_LANGUAGES)[number]

/** Countries where most people speak the language. */
const COUNTRIES: Readonly<Partial<Record<CustomerLanguage, readonly string[]>>> = {
  es: ['ES', 'AD', 'MX', 'AR', 'CL', 'CO', 'PE', 'UY', 'EC', 'CR', 'PA', 'DO', 'GT', 'BO', 'PY', 'VE'],
  fr: ['FR', 'MC', 'LU', 'GP', 'MQ', 'RE', 'GF'],
  de: ['DE', 'AT', 'CH', 'LI'],
  it: ['IT', 'SM', 'VA'],
}

/** Returns the language of a country's customers, ISO 3166-1 alpha-2; English for other countries. */
export function languageOfCountry(country: string | undefined): CustomerLanguage {
  const code = country?.toUpperCase() ?? ''
  return CUSTOMER_LANGUAGES.find((language) => COUNTRIES[language]?.includes(code)) ?? 'en'
}
