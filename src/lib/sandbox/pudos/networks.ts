import type { PUDO_LOCATION_TYPES } from '../../wire/pudos.ts'
import type { CountryCode } from '../demo/countries.ts'

export type LocationType = (typeof PUDO_LOCATION_TYPES)[number]

export interface Network {
  carrierCode: string
  countries: readonly CountryCode[]
  inhabitantsPerPoint: number
  /** Smaller towns have no point. */
  minPopulation?: number
  /** Share, type and name; `{shop}`, `{street}` and `{town}` are filled in. */
  kinds: readonly (readonly [share: number, type: LocationType, name: string])[]
  /** The shop's own stores, with their hours. */
  isStore?: true
}

const everywhere: readonly CountryCode[] = [
  ...(['ES', 'PT', 'FR', 'IT', 'DE', 'GB', 'IE', 'US', 'CA'] as const),
  ...(['MX', 'JP', 'KR', 'SE', 'NO', 'DK', 'FI', 'PL'] as const),
]

const stores = (carrierCode: string, name: string, countries: readonly CountryCode[]): Network => ({
  carrierCode,
  countries,
  inhabitantsPerPoint: 250_000,
  minPopulation: 180_000,
  kinds: [[1, 'SERVICE_POINT', name]],
  isStore: true,
})

/** Carriers of the demo shops with counters, and the sandbox's own. */
export const NETWORKS: readonly Network[] = [
  {
    carrierCode: 'SBX',
    countries: everywhere,
    inhabitantsPerPoint: 45_000,
    kinds: [
      [0.5, 'SERVICE_POINT', '{shop}'],
      [0.3, 'LOCKER', 'Sandbox Locker {street}'],
      [0.15, 'POST_OFFICE', 'Sandbox Post {town}'],
      [0.05, 'CARRIER_DEPOT', 'Sandbox Depot {town}'],
    ],
  },
  {
    carrierCode: 'CORREOS',
    countries: ['ES'],
    inhabitantsPerPoint: 9000,
    kinds: [
      [0.6, 'POST_OFFICE', 'Oficina de Correos {town}, {street}'],
      [0.4, 'LOCKER', 'Citypaq {street}'],
    ],
  },
  {
    carrierCode: 'MRW',
    countries: ['ES', 'PT'],
    inhabitantsPerPoint: 25_000,
    kinds: [
      [0.7, 'SERVICE_POINT', '{shop}'],
      [0.3, 'CARRIER_DEPOT', 'MRW {town}'],
    ],
  },
  {
    carrierCode: 'ROYAL_MAIL',
    countries: ['GB'],
    inhabitantsPerPoint: 12_000,
    kinds: [
      [0.8, 'POST_OFFICE', '{street} Post Office'],
      [0.2, 'LOCKER', 'Royal Mail Locker, {street}'],
    ],
  },
  {
    carrierCode: 'EVRI',
    countries: ['GB'],
    inhabitantsPerPoint: 12_000,
    kinds: [
      [0.8, 'SERVICE_POINT', 'Evri ParcelShop – {shop}'],
      [0.2, 'LOCKER', 'Evri Locker, {street}'],
    ],
  },
  {
    carrierCode: 'USPS',
    countries: ['US'],
    inhabitantsPerPoint: 40_000,
    kinds: [
      [0.9, 'POST_OFFICE', '{town} Post Office, {street}'],
      [0.1, 'CARRIER_DEPOT', 'USPS Processing Center {town}'],
    ],
  },
  {
    carrierCode: 'FEDEX',
    countries: ['US', 'CA', 'MX'],
    inhabitantsPerPoint: 80_000,
    kinds: [
      [0.8, 'SERVICE_POINT', 'FedEx Office {street}'],
      [0.2, 'CARRIER_DEPOT', 'FedEx Ship Center {town}'],
    ],
  },
  {
    carrierCode: 'YAMATO',
    countries: ['JP'],
    inhabitantsPerPoint: 25_000,
    kinds: [
      [0.75, 'SERVICE_POINT', '{shop}'],
      [0.2, 'LOCKER', 'PUDO Station {street}'],
      [0.05, 'CARRIER_DEPOT', 'ヤマト運輸 {town}'],
    ],
  },
  {
    carrierCode: 'JP_POST',
    countries: ['JP'],
    inhabitantsPerPoint: 35_000,
    kinds: [
      [0.8, 'POST_OFFICE', '{town} {street}郵便局'],
      [0.2, 'LOCKER', 'はこぽす {street}'],
    ],
  },
  {
    carrierCode: 'POSTNORD',
    countries: ['SE', 'NO', 'DK', 'FI'],
    inhabitantsPerPoint: 7000,
    kinds: [
      [0.7, 'SERVICE_POINT', '{shop}'],
      [0.3, 'LOCKER', 'PostNord Box {street}'],
    ],
  },
  {
    carrierCode: 'INSTABOX',
    countries: ['SE', 'NO', 'DK'],
    inhabitantsPerPoint: 9000,
    kinds: [[1, 'LOCKER', 'Instabox {street}']],
  },
  stores('LUMBRE', 'Lumbre {town}', ['ES', 'PT', 'FR', 'IT']),
  stores('HARROW', 'Harrow & Vale {town}', ['GB', 'IE']),
  stores('PINECREST', 'Pinecrest {town}', ['US', 'CA']),
  stores('SORA', 'Sora {town}', ['JP', 'KR']),
  stores('FJORD', 'Fjord {town}', ['SE', 'NO', 'DK', 'FI', 'DE']),
]
