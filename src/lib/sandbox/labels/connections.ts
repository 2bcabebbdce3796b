import type { CarrierErrorDetail } from '../../errors.ts'
import { SHOPS, type Shop } from '../demo/catalogue.ts'
import { ApiError } from '../http/answers.ts'
import { crossesCustoms, customsProblems } from './customs.ts'
import type { ReceivedLabelRequest } from './request.ts'

export interface CarrierConnection {
  carrierServiceCode: string
  carrierCode: string
  carrierExternalCode: string
  carrierName: string
  serviceName: string
  formats: readonly ('PDF' | 'ZPL')[]
  trackingUrlPrefix: string | undefined
  delivery: 'in-answer' | 'by-url' | 'label-free'
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

/** Undefined for a carrier that no shop has. */
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

const POSTAL_CODES: readonly (readonly [form: RegExp, countries: string])[] = [
  [/^\d{4}$/, 'AU CY DK HU NO SI'],
  [/^[1-9]\d{3}$/, 'AT BE BG CH'],
  [/^\d{5}$/, 'DE EE FI HR IT KR MX'],
  [/^\d{6}$/, 'CN RO'],
  [/^\d{3} ?\d{2}$/, 'CZ GR SE SK'],
  [/^\d{5}-?\d{3}$/, 'BR'],
  [/^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/i, 'CA'],
  [/^(?:0[1-9]|[1-4]\d|5[0-2])\d{3}$/, 'ES'],
  [/^(?:0[1-9]|[1-8]\d|9[0-8])\d{3}$/, 'FR'],
  [/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i, 'GB'],
  [/^[AC-FHKNPRTV-Y](?:\d{2}|6W) ?[\dAC-FHKNPRTV-Y]{4}$/i, 'IE'],
  [/^\d{3}-?\d{4}$/, 'JP'],
  [/^(?:LT-)?\d{5}$/i, 'LT'],
  [/^(?:L-)?\d{4}$/i, 'LU'],
  [/^(?:LV-)?\d{4}$/i, 'LV'],
  [/^[A-Z]{3} ?\d{4}$/i, 'MT'],
  [/^[1-9]\d{3} ?[A-Z]{2}$/i, 'NL'],
  [/^\d{2}-?\d{3}$/, 'PL'],
  [/^[1-9]\d{3}-?\d{3}$/, 'PT'],
  [/^\d{5}(?:-?\d{4})?$/, 'US'],
]

/** True for countries whose form is not known here. */
export function isPostalCode(postalCode: string, countryCode: string): boolean {
  const form = POSTAL_CODES.find(([, countries]) => countries.split(' ').includes(countryCode))?.[0]
  return form?.test(postalCode.trim()) ?? true
}

/** @throws ApiError 400 LB02 with all `carrierErrors` (spec §4.2) */
export function checkWithCarrier(request: ReceivedLabelRequest, connection: CarrierConnection): void {
  const errors = connection.refusal
    ? [connection.refusal]
    : [...addressErrors(request), ...customsErrors(request)]
  if (errors.length === 0) return
  const carrierErrors: CarrierErrorDetail[] = errors.map((error) => ({
    carrierName: connection.carrierCode,
    carrierService: connection.carrierServiceCode,
    ...error,
  }))
  const message = `The carrier refused the shipment: ${errors.map((error) => error.message).join('; ')}`
  throw new ApiError(400, [{ code: 'LB02', message, carrierErrors }])
}

interface Refusal {
  code: string
  message: string
}

function addressErrors(request: ReceivedLabelRequest): Refusal[] {
  return (['origin', 'destination'] as const).flatMap((party) => {
    const { address } = request[party]
    if (!address || isPostalCode(address.postalCode, address.countryCode)) return []
    const { postalCode, countryCode } = address
    const message = `${party}.address.postalCode: ${postalCode} is not a postal code of ${countryCode}`
    return [{ code: 'INVALID_POSTAL_CODE', message }]
  })
}

function customsErrors(request: ReceivedLabelRequest): Refusal[] {
  if (!crossesCustoms(request)) return []
  return customsProblems(request).map((message) => ({ code: 'CUSTOMS_DATA_MISSING', message }))
}
