import { formatAddress } from 'localized-address-format'

type AddressField = 'line1' | 'line2' | 'city' | 'postalCode' | 'region' | 'countryCode'

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** Writes an address in its country's order. Adds parts that the country's format lacks. */
export function addressLines({
  line1,
  line2,
  city,
  postalCode,
  region,
  countryCode,
}: Partial<Record<AddressField, unknown>>) {
  const street = [line1, line2].map(text).filter((line) => line !== '')
  const parts = { locality: text(city), administrativeArea: text(region), postalCode: text(postalCode) }
  // Only local scripts put the largest part first.
  const script = /\p{Script=Latin}/u.test(street.join('')) ? 'latin' : 'local'
  const formatted = formatAddress(
    {
      ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== '')),
      addressLines: [STREET_PLACEHOLDER],
      postalCountry: text(countryCode) || undefined,
    },
    script,
  )
  // Some formats put other parts on the street's line.
  const marked = formatted
    .join('\n')
    .replace(STREET_PLACEHOLDER, `\n${STREET_PLACEHOLDER}\n`)
    .split('\n')
    .map((line) => line.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter((line) => line !== '')
  const isLost = (part: string) => part !== '' && !marked.some((line) => line.includes(part))
  // Formats such as Japan's expect the town in the street's line.
  if (isLost(parts.locality)) {
    marked.splice(marked.indexOf(STREET_PLACEHOLDER) + (script === 'latin' ? 1 : 0), 0, parts.locality)
  }
  if (isLost(parts.administrativeArea)) {
    const town = marked.findIndex((line) => parts.locality !== '' && line.includes(parts.locality))
    marked.splice(town === -1 ? marked.length : town + 1, 0, parts.administrativeArea)
  }
  if (isLost(parts.postalCode)) marked.push(parts.postalCode)
  return {
    street,
    place: marked.filter((line) => line !== STREET_PLACEHOLDER),
    all: marked.flatMap((line) => (line === STREET_PLACEHOLDER ? street : line)),
  }
}

const STREET_PLACEHOLDER = '\u0000'
