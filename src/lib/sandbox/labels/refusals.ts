import type { CarrierErrorDetail } from '../../errors.ts'
import { ApiError } from '../http/api-error.ts'
import type { CarrierConnection } from './connections.ts'
import { crossesCustoms, customsProblems } from './customs.ts'
import { isPostalCode } from './postal-codes.ts'
import type { ReceivedLabelRequest } from './request.ts'

/** Refuses what the carrier would refuse (spec §4.2), all at once. @throws ApiError 400 LB02 with `carrierErrors` */
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
