import { isTransportStatus, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { MAX_AHEAD_MS } from '../../wire/tracking/rule.ts'
import { type Acknowledgement, type AcknowledgementCode, trackingRequestSchema } from '../../wire/tracking.ts'
import { ApiError, type ApiErrorEntry } from '../http/answers.ts'
import { theShop } from '../http/auth.ts'
import type { Call } from '../http/platform.ts'
import { isWebAddress, parseBody } from '../http/received-request.ts'
import { carrierCodeOf } from '../labels/connections.ts'
import { findShipment, noActiveTransport } from '../labels/shipments.ts'
import { type Registration, registerTracking, type TrackingReport } from './register.ts'

export interface TrackingCall {
  shopCode: string | undefined
  shipmentId: string
  report: Omit<TrackingReport, 'carrierCode'>
}

/**
 * Spec §4.1. Blank counts as absent, no date as now. Decided: no `shipmentIdType` means the only one for trackings.
 * @throws ApiError 400, with an entry for each problem: VA01, or TR01 for an unknown status
 */
export function parseTracking(text: string, nowMs: number): TrackingCall {
  const request = parseBody(trackingRequestSchema, text)
  const status = request.trackingStatus.trim()
  const date = request.trackingDate?.trim()
    ? parseServiceDate(request.trackingDate)
    : Math.floor(nowMs / 1000) * 1000
  const problems: ApiErrorEntry[] = []
  if (!isTransportStatus(status)) {
    const message = `trackingStatus: ${status} is none of ${TRANSPORTATION_STATUSES.join(', ')}`
    problems.push({ code: 'TR01', message })
  }
  if (date === undefined) {
    const message = `trackingDate: ${request.trackingDate} is not a date-time with its offset, such as 2026-03-01T10:00:00Z`
    problems.push({ code: 'VA01', message })
  }
  if (date !== undefined && date > nowMs + MAX_AHEAD_MS) {
    const message = `trackingDate: ${request.trackingDate} is more than 24 hours ahead of ${new Date(nowMs).toISOString()}, the platform's time`
    problems.push({ code: 'VA01', message })
  }
  if (request.trackingUrl?.trim() && !isWebAddress(request.trackingUrl.trim())) {
    problems.push({ code: 'VA01', message: 'trackingUrl: is not a web address' })
  }
  if (!isTransportStatus(status) || date === undefined || problems.length > 0) {
    throw new ApiError(400, problems)
  }
  return {
    shopCode: request.shopCode?.trim() || undefined,
    shipmentId: request.shipmentId.trim(),
    report: {
      status,
      date: date / 1000,
      number: request.trackingNumber?.trim() || undefined,
      url: request.trackingUrl?.trim() || undefined,
      carrier: request.carrierName?.trim() || undefined,
      description: request.trackingStatusDescription?.trim() || undefined,
    },
  }
}

const ANSWERS: Readonly<
  Record<Registration['outcome'], { statusCode: AcknowledgementCode; description: string }>
> = {
  applied: { statusCode: 'OK', description: 'registered' },
  stale: {
    statusCode: 'STALE',
    description: 'is older than what is known: kept in the history, the state stays',
  },
  duplicate: { statusCode: 'DUPLICATE', description: 'was registered before' },
}

/** `POST /shipping_trackings` (spec §4.1). */
export async function postTracking(call: Call): Promise<Acknowledgement> {
  const { now, platform, tokenShops } = call
  const { shopCode, shipmentId, report } = parseTracking(await call.body(), now)
  const shop = theShop(tokenShops, shopCode)
  return platform.store.write((data) => {
    const found = findShipment(data, shop, { shipmentId, shipmentIdType: 'RETURN_NAME' })
    if (found === undefined) throw noActiveTransport(shop, shipmentId, found)
    const { shipment } = found
    const carrierCode = carrierCodeOf(report.carrier)
    const registration = registerTracking(shipment, shop, { ...report, carrierCode }, Math.floor(now / 1000))
    if (registration === undefined) throw noActiveTransport(shop, shipmentId, found)
    const { outcome, after, transport } = registration
    if (after !== shipment) data.saveReturn(after)
    const { statusCode, description } = ANSWERS[outcome]
    const subject = `${report.status} of transportation ${transport.no} of ${shipment.name}`
    return { statusCode, description: `${subject} ${description}` }
  })
}
