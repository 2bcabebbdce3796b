interface CustomsAddress {
  countryCode: string
  postalCode: string
}

const EU_MEMBERS = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
)

/** Countries that are inside another one's customs territory. */
const UNIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EU_MEMBERS.map((code) => [code, 'EU'])),
  IM: 'GB',
  LI: 'CH',
  MC: 'EU',
  PR: 'US',
}

/** Regions of member states that are outside the customs union, by postal code. */
const EXCEPTIONS: readonly (readonly [country: string, postalCode: RegExp, territory: string])[] = [
  ['ES', /^3[58]/, 'ES-CN'],
  ['ES', /^51/, 'ES-CE'],
  ['ES', /^52/, 'ES-ML'],
  ['FR', /^9[78]/, 'FR-DOM'],
  // Northern Ireland is in the EU's for goods.
  ['GB', /^BT/i, 'EU'],
  ['FI', /^22/, 'FI-01'],
  ['DE', /^(?:78266|27498)$/, 'DE-X'],
  ['IT', /^23041$/, 'IT-X'],
]

/** Whether goods pass customs between two addresses; not if one is unknown. */
export function passesCustoms(from: CustomsAddress | null | undefined, to: typeof from): boolean {
  const [origin, destination] = [territory(from), territory(to)]
  return origin !== undefined && destination !== undefined && origin !== destination
}

function territory(address: CustomsAddress | null | undefined): string | undefined {
  if (!address) return undefined
  const { countryCode, postalCode } = address
  const exception = EXCEPTIONS.find(([country, form]) => country === countryCode && form.test(postalCode))
  return exception?.[2] ?? UNIONS[countryCode] ?? countryCode
}
