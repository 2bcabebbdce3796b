import { fixture } from './fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests bend requests into every shape
type Body = any

export const SHOP = 'LUMBRE-ES'

/** A request of revision 1.4 within Spain, with changes. */
export function labelRequest(changes: Body = {}): Body {
  return { ...fixture('wire/label-request.full.json'), shopCode: SHOP, ...changes }
}

/** The same request in revision 1.2.10. */
export function oldLabelRequest(changes: Body = {}): Body {
  return { ...fixture('wire/label-request-1.2.10.full.json'), shopCode: SHOP, ...changes }
}

/** Sender outside the EU, so that parcels to Spain pass customs. */
export const LONDON = {
  fullName: 'Siân O’Connor',
  email: 'sian@example.com',
  phone: '+447700900123',
  address: { line1: '14 Queen’s Gate Mews', city: 'London', postalCode: 'SW7 5QJ', countryCode: 'GB' },
}
