import type { Field } from '../../output/formats/details.ts'
import { addressLines, type WrittenAddress } from '../../wire/address-lines.ts'

interface Party {
  fullName?: unknown
  email?: unknown
  phone?: unknown
  address?: WrittenAddress | null | undefined
}

/** Customer, origin or destination (spec §2.1, §2.5). */
export function partyFields(party: Party | null | undefined): Field[] {
  return [
    { label: 'Name', value: party?.fullName },
    { label: 'E-mail', value: party?.email },
    { label: 'Phone', value: party?.phone },
    { label: 'Address', value: addressLine(party?.address) },
  ]
}

function addressLine(address: WrittenAddress | null | undefined): string {
  if (!address) return ''
  return [...addressLines(address).all, address.countryCode].filter(Boolean).join(', ')
}
