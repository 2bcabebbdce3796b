import { MERCHANTS } from '../../demo/merchants.ts'
import type { RuleFile } from '../rules.ts'

/** The warehouses of a demo shop under the codes given, in their order. */
export function warehouses(shop: string, ...codes: string[]): RuleFile['locations'] {
  const merchant = MERCHANTS.find(({ code }) => code === shop)
  return Object.fromEntries(
    (merchant?.warehouses ?? []).map(({ fullName, email, phone, address }, i) => {
      const { line1, line2, city, postalCode, region, countryCode } = address
      const place = { fullName, line1, ...(line2 === undefined ? {} : { line2 }), city, postalCode }
      const regionCode = region === undefined ? {} : { regionCode: region }
      return [codes[i] ?? String(i), { ...place, ...regionCode, countryCode, phone, email }]
    }),
  )
}
