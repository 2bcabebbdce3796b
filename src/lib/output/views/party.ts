import type { Field } from '../formats/details.ts'

interface Address {
  line1?: unknown
  line2?: unknown
  postalCode?: unknown
  city?: unknown
  region?: unknown
  countryCode?: unknown
}

interface Party {
  fullName?: unknown
  email?: unknown
  phone?: unknown
  address?: Address | null | undefined
}

/** Who and where, of a customer, an origin or a destination (spec §2.1, §2.5). */
export function partyFields(party: Party | null | undefined): Field[] {
  return [
    { label: 'Name', value: party?.fullName },
    { label: 'E-mail', value: party?.email },
    { label: 'Phone', value: party?.phone },
    { label: 'Address', value: addressLine(party?.address) },
  ]
}

function addressLine(address: Address | null | undefined): string {
  if (!address) return ''
  const { line1, line2, postalCode, city, region, countryCode } = address
  return [line1, line2, [postalCode, city].filter(Boolean).join(' '), region, countryCode]
    .filter(Boolean)
    .join(', ')
}
