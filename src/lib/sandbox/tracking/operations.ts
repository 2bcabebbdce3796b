import { isTransportStatus, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { isWebAddress } from '../../wire/raw.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { knownReturn } from '../../wire/tracking/history.ts'
import { judgeUpdate, MAX_AHEAD_MS, type Refusal } from '../../wire/tracking/rule.ts'
import type { NotApplied } from '../../wire/tracking/status-code.ts'
import { type Acknowledgement, type AcknowledgementCode, trackingRequestSchema } from '../../wire/tracking.ts'
import { required, type Shop } from '../demo/catalogue.ts'
import { ApiError, type ApiErrorEntry } from '../http/answers.ts'
import { requestedShop } from '../http/auth.ts'
import type { Call } from '../http/platform.ts'
import { parseBody } from '../http/received-request.ts'
import { carrierCodeOf } from '../labels/connections.ts'
import { withTracking } from '../labels/sets.ts'
import { findShipment, idsOf, noActiveTransport } from '../labels/shipments.ts'
import { applyEvent, isOver, latest, withEvent, withTransport } from '../returns/lifecycle.ts'
import { transportRecord } from '../returns/records.ts'
import type { ReturnRow, TransportRow, UpdateDetails } from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import answers from './answers.json'

/** Blank fields count as absent, an absent date as now (spec §4.1). @throws ApiError 400 */
function parseTracking(text: string, nowMs: number) {
  const request = parseBody(trackingRequestSchema, text)
  const status = request.trackingStatus.trim()
  const date = request.trackingDate?.trim() ? parseServiceDate(request.trackingDate) : nowMs
  const url = request.trackingUrl?.trim() || undefined
  const problems: ApiErrorEntry[] = []
  const failIf = (isWrong: boolean, message: string, code = 'VA01') => {
    if (isWrong) problems.push({ code, message })
  }
  failIf(
    !isTransportStatus(status),
    `trackingStatus: ${status} is not one of ${TRANSPORTATION_STATUSES.join(', ')}`,
    'TR01',
  )
  const given = `trackingDate: ${request.trackingDate} is`
  failIf(date === undefined, `${given} not a date-time with its offset, such as 2026-03-01T10:00:00Z`)
  const clock = new Date(nowMs).toISOString()
  failIf(
    Number(date) > nowMs + MAX_AHEAD_MS,
    `${given} more than 24 hours ahead of ${clock}, the platform's time`,
  )
  failIf(url !== undefined && !isWebAddress(url), 'trackingUrl: is not a web address')
  if (!isTransportStatus(status) || date === undefined || problems.length > 0) {
    throw new ApiError(400, problems)
  }
  return {
    shopCode: request.shopCode?.trim() || undefined,
    shipmentId: request.shipmentId.trim(),
    update: {
      status,
      date: date / 1000,
      number: request.trackingNumber?.trim() || undefined,
      url,
      carrier: request.carrierName?.trim() || undefined,
      description: request.trackingStatusDescription?.trim() || undefined,
    },
  }
}

const ANSWERS = answers as Readonly<
  Record<'applied' | NotApplied, { statusCode: AcknowledgementCode; description: string }>
>

export function postTracking(call: Call): Promise<Acknowledgement> {
  const { now, platform, tokenShops } = call
  const { shopCode, shipmentId, update } = parseTracking(call.body(), now)
  const shop = requestedShop(tokenShops, shopCode)
  return platform.store.write((data) => {
    const found = findShipment(data, shop, { shipmentId, shipmentIdType: 'RETURN_NAME' })
    if (found === undefined) throw noActiveTransport(shop, shipmentId, found)
    const { shipment } = found
    const carrierCode = carrierCodeOf(update.carrier)
    const registration = registerTracking(shipment, shop, { ...update, carrierCode }, Math.floor(now / 1000))
    if (registration === undefined) throw noActiveTransport(shop, shipmentId, found)
    const { outcome, after, transport } = registration
    const owner = outcome === 'applied' && endedWithLabel(data, shop, shipment, update.number)
    if (owner && owner !== transport) throw refusalOf(shipment, owner, update, 'ended')
    if (after !== shipment) data.saveReturn(after)
    const { statusCode, description } = ANSWERS[outcome]
    const subject = `${update.status} of transportation ${transport.no} of ${shipment.name}`
    return { statusCode, description: `${subject} ${description}` }
  })
}

type TrackingUpdate = ReturnType<typeof parseTracking>['update'] & { carrierCode: string | undefined }

/** Returns undefined if no transport fits. @throws ApiError 400 TR02 or VA01 */
function registerTracking(before: ReturnRow, shop: Shop, update: TrackingUpdate, now: number) {
  const createdAt = new Date(toMs(before.created)).toISOString()
  // Readers of the platform judge by these records, too.
  const transports = before.transports.map((each) =>
    transportRecord(before, each, { timeZone: 'UTC', origin: '' }),
  )
  const known = knownReturn({ createdAt, status: before.status }, transports)
  const judged = known && judgeUpdate({ ...update, date: toMs(update.date) }, known)
  if (judged === undefined || judged.verdict === 'none') return undefined
  if (judged.verdict === 'too early') {
    const message = `trackingDate: is more than 30 days before ${before.name} was made, ${createdAt}`
    throw ApiError.of(400, 'VA01', message)
  }
  const transport = required(before.transports[judged.transport], 'such transport')
  if (judged.verdict === 'refused') throw refusalOf(before, transport, update, judged.because)
  const outcome = judged.verdict
  if (outcome === 'duplicate') return { outcome, after: before, transport }
  const { status, date, number, url, carrier, description } = update
  const report: UpdateDetails = { number, url, carrier, description }
  if (outcome === 'stale') {
    const event = { status, date, received: now, report: { ...report, isLate: true as const } }
    const events = withEvent(transport.events, event)
    const late = { ...transport, updated: latest(transport.updated, now), events }
    return { outcome, after: withTransport(before, transport, late, now), transport }
  }
  const tracked = withTracking(shop, transport, update, now)
  const moved = withTransport(before, transport, tracked, now)
  return { outcome, after: applyEvent(moved, tracked, { status, date, report }, now), transport }
}

/** Finds the ended transport whose label, perhaps bought after its end, has the number. */
function endedWithLabel(data: Snapshot, shop: Shop, shipment: ReturnRow, number: string | undefined) {
  return shipment.transports.find((transport) => {
    const transports = [transport]
    const ids = number !== undefined && isOver(transport) ? idsOf({ shipment, transports }, '') : []
    const sets = ids.flatMap((id) => data.labelSets(shop.no, id))
    return sets.some(({ labels }) => labels.some(({ trackingCode }) => trackingCode === number))
  })
}

function refusalOf(
  { name, transports }: ReturnRow,
  transport: TransportRow,
  { status }: Pick<TrackingUpdate, 'status'>,
  because: Refusal,
) {
  const current = transport.status
  const subject = `transportation ${transport.no} of ${name}`
  const reasons: Record<Refusal, string> = {
    ended: `${status} can't follow ${current}, which ${subject} ended with`,
    order: `${status} can't follow ${current}, which ${subject} is in`,
    'drop-off': `${subject} is a drop-off: nobody picks it up`,
    former: `${status} is what transportation ${transports[transports.indexOf(transport) - 1]?.no} of ${name} ended with; that ${transport.no} did too needs its trackingNumber`,
  }
  return ApiError.of(400, 'TR02', `trackingStatus: ${reasons[because]}`)
}

function toMs(seconds: number) {
  return Math.round(seconds * 1000)
}
