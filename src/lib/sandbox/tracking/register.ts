import { TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import {
  judgeUpdate,
  type KnownReturn,
  type KnownTransport,
  type Refusal,
  type TrackingFacts,
} from '../../wire/tracking-rule.ts'
import { isDropOff, type TransportStatus } from '../../wire/transport-states.ts'
import { ApiError } from '../http/answers.ts'
import { registeredDocs, trackingCodeOf, withTracking } from '../labels/registered.ts'
import {
  applyEvent,
  isAwaited,
  isOver,
  latest,
  replaced,
  touch,
  transportStatusOf,
  withEvent,
} from '../returns/case.ts'
import type { EventDoc, LabelDoc, ReportDoc, ReturnCase, Shop, TransportRow } from '../store/rows.ts'

export interface TrackingReport extends Omit<TrackingFacts, 'date'> {
  status: TransportStatus
  /** Time by the carrier's clock, in seconds with their fractions. */
  date: number
  /** Code of `carrier`; undefined if the platform does not know that carrier. */
  carrierCode: string | undefined
  description: string | undefined
}

export interface Registration {
  outcome: 'applied' | 'stale' | 'duplicate'
  /** Unchanged if it was registered before. */
  after: ReturnCase
  transport: TransportRow
}

/**
 * Registers an update; returns undefined if there is no transport for it.
 *
 * @throws ApiError 400 TR02 for a state that the transport can't come to, VA01 for a date long before the return
 */
export function registerTracking(
  before: ReturnCase,
  shop: Shop,
  report: TrackingReport,
  now: number,
): Registration | undefined {
  const judged = judgeUpdate({ ...report, date: toMs(report.date) }, knownReturn(before, shop))
  if (judged.verdict === 'none') return undefined
  if (judged.verdict === 'too early') {
    const created = new Date(toMs(before.created)).toISOString()
    const message = `trackingDate: is more than 30 days before ${before.name} was made, ${created}`
    throw ApiError.of(400, 'VA01', message)
  }
  const transport = before.transports[judged.transport]
  if (transport === undefined) throw new Error(`${before.name} has no transport at ${judged.transport}`)
  if (judged.verdict === 'refused') throw refusalOf(before, transport, report, judged.because)
  const outcome = judged.verdict
  if (outcome === 'duplicate') return { outcome, after: before, transport }
  if (outcome === 'stale')
    return { outcome, after: withStaleEvent(before, transport, shop, report, now), transport }
  const told = withTracking(shop, transport, report)
  const { status, date } = report
  const moved = { ...before, transports: replaced(before.transports, transport, told) }
  const after = applyEvent(moved, told, { status, date, report: reportDoc(report) }, now)
  return { outcome, after, transport }
}

function refusalOf(
  { name, transports }: ReturnCase,
  transport: TransportRow,
  { status }: TrackingReport,
  because: Refusal,
): ApiError {
  const current = transportStatusOf(transport)
  const subject = `transportation ${transport.no} of ${name}`
  const reasons: Record<Refusal, string> = {
    ended: `${status} can't follow ${current}, which ${subject} ended with`,
    order: `${status} can't follow ${current}, which ${subject} is in`,
    'drop-off': `${subject} is a drop-off: nobody picks it up`,
    former: `${status} is what transportation ${transports[transports.indexOf(transport) - 1]?.no} of ${name} ended with; that ${transport.no} did too needs its trackingNumber`,
  }
  return ApiError.of(400, 'TR02', `trackingStatus: ${reasons[because]}`)
}

function knownReturn(known: ReturnCase, shop: Shop): KnownReturn {
  const transports = known.transports.map((transport) => knownTransport(transport, shop))
  return { createdAt: toMs(known.created), isAwaited: isAwaited(known), transports }
}

function knownTransport(transport: TransportRow, shop: Shop): KnownTransport {
  const { doc, service } = transport
  const { serviceType, carrierCode } = shop.services[service] ?? {}
  const labels = registeredDocs(shop, transport)
  const former = (doc.formerLabels ?? []).flatMap((each) => each.labels)
  return {
    status: transportStatusOf(transport),
    isDropOff: isDropOff(serviceType),
    number: labels[0]?.carrierTrackingCode,
    url: labels[0]?.carrierTrackingUrl,
    carrier: doc.carrier ?? carrierCode,
    otherNumbers: [...(doc.formerNumbers ?? []), ...[...labels, ...former].flatMap(numbersOf)],
    events: doc.events.map(([position, date, , report]) => ({
      status: TRANSPORTATION_STATUSES[position] ?? '',
      date: toMs(date),
      isApplied: report?.isLate !== true,
      ...(report && { number: report.number ?? null }),
      url: report?.url ?? null,
      carrier: report?.carrier ?? null,
    })),
  }
}

function numbersOf({ carrierTrackingCode, additionalTrackingCodes = [] }: LabelDoc): string[] {
  return carrierTrackingCode === undefined
    ? additionalTrackingCodes
    : [carrierTrackingCode, ...additionalTrackingCodes]
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}

function withStaleEvent(
  before: ReturnCase,
  transport: TransportRow,
  shop: Shop,
  report: TrackingReport,
  now: number,
): ReturnCase {
  const { doc, updated } = transport
  const position = TRANSPORTATION_STATUSES.indexOf(report.status)
  const event: EventDoc = [position, report.date, now, { ...reportDoc(report), isLate: true }]
  // Later reports have gone before it, so that it fills gaps only.
  const isUnknown = trackingCodeOf(transport) === undefined && !isOver(transport)
  const told = isUnknown ? withTracking(shop, transport, report).doc : doc
  const kept = {
    ...transport,
    updated: latest(updated, now),
    doc: { ...told, events: withEvent(doc.events, event) },
  }
  return touch({ ...before, transports: replaced(before.transports, transport, kept) }, now)
}

function reportDoc({ number, url, carrier, description }: TrackingReport): ReportDoc {
  return {
    ...(number === undefined ? {} : { number }),
    ...(url === undefined ? {} : { url }),
    ...(carrier === undefined ? {} : { carrier }),
    ...(description === undefined ? {} : { description }),
  }
}
