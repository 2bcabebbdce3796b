import type { CarrierErrorDetail } from '../../errors.ts'
import { passesCustoms } from '../../wire/geography.ts'
import { SHOPS, type Shop } from '../demo/catalogue.ts'
import { ApiError } from '../http/answers.ts'
import { toNumber } from '../http/received-request.ts'
import POSTAL_CODES from './postal-codes.json'
import type { LabelItem, ReceivedLabelRequest } from './request.ts'
import specials from './sandbox-connections.json'

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

const SANDBOX_CONNECTIONS = specials as Readonly<Record<string, Partial<CarrierConnection>>>

const SANDBOX_CARRIER = 'SBX'

export function connectionCodes({ services }: Shop): string[] {
  return [
    ...services.map(({ carrierServiceCode }) => carrierServiceCode),
    ...Object.keys(SANDBOX_CONNECTIONS),
  ]
}

const CARRIER_CODES: ReadonlySet<string> = new Set([
  SANDBOX_CARRIER,
  ...SHOPS.flatMap(({ services }) => services.map(({ carrierCode }) => carrierCode)),
])

export function carrierCodeOf(carrierName: string | undefined): string | undefined {
  const code = carrierName
    ?.trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
  if (code === 'SANDBOX_POST') return SANDBOX_CARRIER
  return code !== undefined && CARRIER_CODES.has(code) ? code : undefined
}

export function findConnection(shop: Shop, carrierServiceCode: string): CarrierConnection | undefined {
  const usual = { carrierServiceCode, formats: ['PDF', 'ZPL'], delivery: 'in-answer' } as const
  if (Object.hasOwn(SANDBOX_CONNECTIONS, carrierServiceCode)) {
    return {
      ...usual,
      carrierCode: SANDBOX_CARRIER,
      carrierExternalCode: carrierServiceCode.replace('SBX_', 'SBX-').replaceAll('_', ''),
      carrierName: 'Sandbox Post',
      trackingUrlPrefix: 'https://track.example.com/sbx/',
      serviceName: '',
      ...SANDBOX_CONNECTIONS[carrierServiceCode],
    }
  }
  const service = shop.services.find((each) => each.carrierServiceCode === carrierServiceCode)
  if (service === undefined) return undefined
  const { carrierCode, trackingUrlPrefix } = service
  return {
    ...usual,
    carrierCode,
    carrierExternalCode: carrierServiceCode,
    carrierName: carrierCode.replaceAll('_', ' '),
    serviceName: carrierServiceCode.replace(`${carrierCode}_`, '').replaceAll('_', ' '),
    trackingUrlPrefix,
  }
}

export function isPostalCode(postalCode: string, countryCode: string) {
  const forms: Readonly<Record<string, string>> = POSTAL_CODES
  return new RegExp(forms[countryCode] ?? '', 'i').test(postalCode.trim())
}

/** @throws ApiError 400 LB02 with all `carrierErrors` (spec §4.2) */
export function checkWithCarrier(request: ReceivedLabelRequest, connection: CarrierConnection) {
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

function addressErrors(request: ReceivedLabelRequest) {
  return (['origin', 'destination'] as const).flatMap((party) => {
    const { postalCode, countryCode } = request[party].address
    if (isPostalCode(postalCode, countryCode)) return []
    const message = `${party}.address.postalCode: ${postalCode} is not a postal code of ${countryCode}`
    return [{ code: 'INVALID_POSTAL_CODE', message }]
  })
}

function customsErrors(request: ReceivedLabelRequest) {
  if (!crossesCustoms(request)) return []
  return customsProblems(request).map((message) => ({ code: 'CUSTOMS_DATA_MISSING', message }))
}

export function crossesCustoms({ origin, destination }: ReceivedLabelRequest) {
  return passesCustoms(origin.address, destination.address)
}

function customsProblems(request: ReceivedLabelRequest) {
  if (request.customsInfo) return declarationProblems('customsInfo', request.customsInfo)
  const parcels = request.parcels ?? []
  if (parcels.length === 0) return ['parcels: customs needs the items of each parcel']
  return parcels.flatMap(({ items }, i) => declarationProblems(`parcels[${i}].items`, items ?? []))
}

function declarationProblems(path: string, items: readonly LabelItem[]) {
  if (items.length === 0) return [`${path}: customs needs the items of the parcel`]
  return items.flatMap((item, i) => {
    const problems: string[] = []
    const needs = (field: string, isThere: boolean, what: string) => {
      if (!isThere) problems.push(`${path}[${i}].${field}: customs needs ${what}`)
    }
    needs('description', (item.description ?? '').trim() !== '', 'a description')
    needs(
      'hsCode',
      /^\d{6,10}$/.test((item.hsCode ?? '').replace(/[ .]/g, '')),
      'an HS code of 6 to 10 digits',
    )
    needs('quantity', toNumber(item.quantity) > 0, 'a quantity')
    needs('unitPrice', toNumber(item.unitPrice) >= 0, 'a price')
    return problems
  })
}
