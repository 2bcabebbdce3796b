import { MERCHANTS } from '../../demo/merchants.ts'
import type { RuleFile } from '../rules.ts'

/** By postal code, as precise as a map needs. */
const COORDINATES: Readonly<Record<string, readonly [latitude: string, longitude: string]>> = {
  '28906': ['40.3057', '-3.7329'],
  '50197': ['41.6010', '-0.9970'],
  'LE17 4XN': ['52.4757', '-1.2490'],
  '89506': ['39.6250', '-119.8660'],
  '43217': ['39.8140', '-82.9340'],
  '135-0062': ['35.6570', '139.8120'],
  '422 46': ['57.7460', '11.9000'],
}

/** The warehouses of a demo shop, in the order of the codes. */
export function warehouses(shop: string, ...codes: string[]): RuleFile['locations'] {
  const merchant = MERCHANTS.find(({ code }) => code === shop)
  return Object.fromEntries(
    (merchant?.warehouses ?? []).map(({ fullName, email, phone, address }, i) => {
      const { line1, line2, city, postalCode, region, countryCode } = address
      const [latitude = '', longitude = ''] = COORDINATES[postalCode] ?? []
      const place = { fullName, line1, ...(line2 === undefined ? {} : { line2 }), city, postalCode }
      const regionCode = region === undefined ? {} : { regionCode: region }
      const coordinates = latitude === '' ? {} : { latitude, longitude }
      return [codes[i] ?? String(i), { ...place, ...regionCode, countryCode, ...coordinates, phone, email }]
    }),
  )
}
