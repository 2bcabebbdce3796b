import { SHOPS, type Shop } from '../demo/catalogue.ts'

/** Carrier connection behind a `carrierServiceCode` (spec §4.2). */
export interface CarrierConnection {
  carrierServiceCode: string
  carrierCode: string
  carrierExternalCode: string
  carrierName: string
  serviceName: string
  formats: readonly ('PDF' | 'ZPL')[]
  /** Followed by the tracking code; none where the carrier cannot be known. */
  trackingUrlPrefix: string | undefined
  delivery: 'in-answer' | 'by-url' | 'label-free'
  /** Answer to every request, for a carrier that makes no labels. */
  refusal?: { code: string; message: string }
  isSlow?: true
}

type Special = Pick<CarrierConnection, 'serviceName'> & Partial<CarrierConnection>

const SANDBOX_CONNECTIONS: Readonly<Record<string, Special>> = {
  SBX_STANDARD: { serviceName: 'Standard' },
  SBX_PDF_ONLY: { serviceName: 'Standard', formats: ['PDF'] },
  SBX_LABEL_FREE: { serviceName: 'Label-free', delivery: 'label-free' },
  SBX_URL_ONLY: { serviceName: 'Online', delivery: 'by-url' },
  SBX_REFUSES: {
    serviceName: 'Suspended',
    refusal: { code: 'ACCOUNT_SUSPENDED', message: 'The account of this sender is suspended' },
  },
  SBX_SLOW: { serviceName: 'Economy', isSlow: true },
}

const SANDBOX_CARRIER = 'SBX'

const SANDBOX_CONNECTION_CODES: readonly string[] = Object.keys(SANDBOX_CONNECTIONS)

export function connectionCodes({ services }: Shop): string[] {
  return [...services.map(({ carrierServiceCode }) => carrierServiceCode), ...SANDBOX_CONNECTION_CODES]
}

/** Code of the carrier that a report names by its code or name; undefined for one that no shop of the platform has. */
export function carrierCodeOf(carrierName: string | undefined): string | undefined {
  const code = carrierName
    ?.trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
  if (code === SANDBOX_CARRIER || code === 'SANDBOX_POST') return SANDBOX_CARRIER
  return SHOPS.flatMap(({ services }) => services).find(({ carrierCode }) => carrierCode === code)
    ?.carrierCode
}

export function findConnection(shop: Shop, carrierServiceCode: string): CarrierConnection | undefined {
  if (SANDBOX_CONNECTION_CODES.includes(carrierServiceCode)) {
    return {
      carrierServiceCode,
      carrierCode: SANDBOX_CARRIER,
      carrierExternalCode: carrierServiceCode.replace('SBX_', 'SBX-').replaceAll('_', ''),
      carrierName: 'Sandbox Post',
      formats: ['PDF', 'ZPL'],
      trackingUrlPrefix: 'https://track.example.com/sbx/',
      delivery: 'in-answer',
      serviceName: '',
      ...SANDBOX_CONNECTIONS[carrierServiceCode],
    }
  }
  const service = shop.services.find((each) => each.carrierServiceCode === carrierServiceCode)
  if (service === undefined) return undefined
  const { carrierCode, trackingUrlPrefix } = service
  return {
    carrierServiceCode,
    carrierCode,
    carrierExternalCode: carrierServiceCode,
    carrierName: carrierCode.replaceAll('_', ' '),
    serviceName: carrierServiceCode.replace(`${carrierCode}_`, '').replaceAll('_', ' '),
    formats: ['PDF', 'ZPL'],
    trackingUrlPrefix,
    delivery: 'in-answer',
  }
}
