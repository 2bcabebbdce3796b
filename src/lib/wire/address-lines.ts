import { formatAddress } from 'localized-address-format'

/** Any record that holds an address (spec §2.5); what is no text is left out. */
export interface WrittenAddress {
  line1?: unknown
  line2?: unknown
  city?: unknown
  postalCode?: unknown
  region?: unknown
  countryCode?: unknown
}

/** An address as it is written in its country, without the country: street, and what follows or precedes it. */
export interface AddressLines {
  street: string[]
  /** Town, postal code and region, in the country's order. */
  place: string[]
  /** All lines, in the country's order. */
  all: string[]
}

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** Lines of an address in the order of its country. No part is lost: what the country does not write is put at the end. */
export function addressLines({
  line1,
  line2,
  city,
  postalCode,
  region,
  countryCode,
}: WrittenAddress): AddressLines {
  const street = [line1, line2].map(text).filter((line) => line !== '')
  const parts = { locality: text(city), administrativeArea: text(region), postalCode: text(postalCode) }
  // Countries that write large to small do so in their own script only.
  const script = /\p{Script=Latin}/u.test(street.join('')) ? 'latin' : 'local'
  const formatted = formatAddress(
    { ...filled(parts), addressLines: [STREET], postalCountry: text(countryCode) || undefined },
    script,
  )
  // Some formats write on in the street's line.
  const marked = formatted
    .join('\n')
    .replace(STREET, `\n${STREET}\n`)
    .split('\n')
    .map((line) => line.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter((line) => line !== '')
  const isLost = (part: string) => part !== '' && !marked.some((line) => line.includes(part))
  // Where the format takes the town for a part of the street, as in Japan, it stands beside it.
  if (isLost(parts.locality)) {
    marked.splice(marked.indexOf(STREET) + (script === 'latin' ? 1 : 0), 0, parts.locality)
  }
  marked.push(...[parts.postalCode, parts.administrativeArea].filter(isLost))
  return {
    street,
    place: marked.filter((line) => line !== STREET),
    all: marked.flatMap((line) => (line === STREET ? street : line)),
  }
}

/** Stands for the street while the lines are put in order. */
const STREET = '\u0000'

function filled(parts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== ''))
}
