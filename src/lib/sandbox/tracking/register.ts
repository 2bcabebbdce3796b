import { TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { leadsTo } from '../../wire/transport-states.ts'
import { ApiError } from '../http/api-error.ts'
import { trackingCodeOf, withTracking } from '../labels/registered.ts'
import { applyEvent, isOver, latest, replaced, touch, transportStatusOf, withEvent } from '../returns/case.ts'
import type { TransportStatus } from '../returns/states.ts'
import type { EventDoc, ReportDoc, ReturnCase, Shop, TransportRow } from '../store/rows.ts'

export interface TrackingReport {
  status: TransportStatus
  /** By the carrier's clock, in seconds with their fractions. */
  date: number
  number: string | undefined
  url: string | undefined
  carrier: string | undefined
  description: string | undefined
}

export interface Registration {
  /** `late`: older than the last one applied; kept, without effect on the state. */
  outcome: 'applied' | 'late' | 'repeated'
  /** Unchanged if it was registered before. */
  after: ReturnCase
  transport: TransportRow
}

/**
 * Decided, besides the table of states:
 * - A report is of the transport with its number; without one, of the first with later news, else of the one not over.
 * - Equal number, status and date make a repeat; of a transport that is over, status and date if either has no number.
 * - It is late if older than the last applied one of the shipment, or, if over, of its transport.
 * - A further scan in the same state is applied, unless that is the end.
 * - A transport still `REQUESTED` fails as the one before it did only if the report has its number.
 *
 * Undefined for news that no transport is there for.
 * @throws ApiError 400 TR02 for a state that the transport can't come to
 */
export function registerTracking(
  before: ReturnCase,
  shop: Shop,
  report: TrackingReport,
  now: number,
): Registration | undefined {
  const named = before.transports.findLast((transport) => hasNumber(transport, report.number))
  const known = before.transports.find((transport) => isKnown(transport, report, named))
  if (known) return { outcome: 'repeated', after: before, transport: known }
  const transport = named ?? before.transports.find((each) => lastApplied([each]) > report.date)
  if (transport && report.date < lastApplied(isOver(transport) ? [transport] : before.transports)) {
    return { outcome: 'late', after: withLateEvent(before, transport, shop, report, now), transport }
  }
  const active = transport ?? before.transports.findLast((each) => !isOver(each))
  if (active === undefined) return undefined
  checkStep(before, active, report)
  const told = withTracking(shop, active, report)
  const { status, date } = report
  const moved = { ...before, transports: replaced(before.transports, active, told) }
  const after = applyEvent(moved, told, { status, date, report: reportDoc(report) }, now)
  return { outcome: 'applied', after, transport: active }
}

function checkStep(
  { name, transports }: ReturnCase,
  transport: TransportRow,
  { status, number }: TrackingReport,
): void {
  const current = transportStatusOf(transport)
  const previous = transports[transports.indexOf(transport) - 1]
  const isRepeated =
    number === undefined &&
    current === 'REQUESTED' &&
    previous !== undefined &&
    transportStatusOf(previous) === status
  const isFurtherScan = current === status && !isOver(transport)
  if (!isRepeated && (isFurtherScan || leadsTo(current, status))) return
  const reason = isRepeated
    ? `${status} is what transportation ${previous.no} of ${name} ended with; that ${transport.no} did too needs its trackingNumber`
    : `${status} can't follow ${current}, which transportation ${transport.no} of ${name} is in`
  throw ApiError.of(400, 'TR02', `trackingStatus: ${reason}`)
}

function hasNumber(transport: TransportRow, number: string | undefined): boolean {
  return (
    number !== undefined &&
    (trackingCodeOf(transport) === number ||
      transport.doc.events.some(([, , , report]) => report?.number === number))
  )
}

/** `named` is the transport that has the report's number. */
function isKnown(
  transport: TransportRow,
  { status, date, number }: TrackingReport,
  named: TransportRow | undefined,
): boolean {
  const position = TRANSPORTATION_STATUSES.indexOf(status)
  const isVague = isOver(transport) && (named === undefined || named === transport)
  return transport.doc.events.some(([reported, at, , report]) => {
    if (reported !== position || at !== date) return false
    // The demo data's events have no number.
    const isSameNumber =
      report === undefined ? [undefined, transport.doc.reference].includes(number) : report.number === number
    return isSameNumber || (isVague && (number === undefined || report?.number === undefined))
  })
}

function lastApplied(transports: readonly TransportRow[]): number {
  let last = Number.NEGATIVE_INFINITY
  for (const { doc } of transports) {
    for (const [, date, , report] of doc.events) if (report?.isLate !== true && date > last) last = date
  }
  return last
}

function withLateEvent(
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

function reportDoc({ number, description }: TrackingReport): ReportDoc {
  return {
    ...(number === undefined ? {} : { number }),
    ...(description === undefined ? {} : { description }),
  }
}
