import { leadsTo } from '../../wire/transport-states.ts'
import { TRANSPORTATION_STATUSES } from '../../wire/transportations.ts'
import { ApiError } from '../api-error.ts'
import { trackingCodeOf, withTracking } from '../labels/shipments.ts'
import { applyEvent, isOver, latest, replaced, touch, transportStatusOf } from '../returns/case.ts'
import type { TransportStatus } from '../returns/states.ts'
import type { EventDoc, ReportDoc, ReturnCase, Shop, TransportRow } from '../store/rows.ts'

/** What a merchant reports of a shipment (spec §4.1). */
export interface TrackingReport {
  status: TransportStatus
  /** By the carrier's clock, in seconds. */
  date: number
  number: string | undefined
  url: string | undefined
  carrier: string | undefined
  description: string | undefined
}

export interface Registration {
  /** `late` is older than the last one applied: it is kept, and changes no state. */
  outcome: 'applied' | 'late' | 'repeated'
  /** The same object if it was registered before. */
  after: ReturnCase
  /** What the report belongs to. */
  transport: TransportRow
}

/**
 * Registers a report. Decided, besides what the states' table says:
 *
 * - Number, status and date make a report the same as one before, whichever transport of the shipment has that, and be it
 *   long ago: else a failure reported again would hit the transport that followed it.
 * - A report with the number of a former transport belongs to that one, all others to the active one.
 * - It is late if its date is before that of the last one applied to the shipment; with the same date it is in order.
 * - A further scan in the same state is applied, unless that state is the end.
 *
 * @throws ApiError 400 TR02 for a state that the transport can't come to
 */
export function registerTracking(
  before: ReturnCase,
  shop: Shop,
  report: TrackingReport,
  now: number,
): Registration {
  const transport = transportOf(before, report)
  if (isKnown(before, report)) return { outcome: 'repeated', after: before, transport }
  if (report.date < lastApplied(before)) {
    return { outcome: 'late', after: withLateEvent(before, transport, shop, report, now), transport }
  }
  const current = transportStatusOf(transport)
  const isFurtherScan = current === report.status && !isOver(transport)
  if (!isFurtherScan && !leadsTo(current, report.status)) {
    const message = `trackingStatus: ${report.status} can't follow ${current}, which ${before.name} is in`
    throw new ApiError(400, [{ code: 'TR02', message }])
  }
  const told = withTracking(shop, transport, report)
  const { status, date } = report
  const known = { ...before, transports: replaced(before.transports, transport, told) }
  const after = applyEvent(known, told, { status, date, report: reportDoc(report) }, now)
  return { outcome: 'applied', after, transport }
}

function transportOf({ transports }: ReturnCase, { number }: TrackingReport): TransportRow {
  const hasNumber = (transport: TransportRow) =>
    trackingCodeOf(transport) === number ||
    transport.doc.events.some(([, , , report]) => report?.number === number)
  const named = number === undefined ? undefined : transports.findLast(hasNumber)
  const transport = named ?? transports.at(-1)
  if (transport === undefined) throw new Error('A shipment has a transport')
  return transport
}

function isKnown({ transports }: ReturnCase, { status, date, number }: TrackingReport): boolean {
  const position = TRANSPORTATION_STATUSES.indexOf(status)
  return transports.some(({ doc }) =>
    doc.events.some((event) => {
      // Of the demo data's events nobody reported a number.
      const isSameNumber =
        event[3] === undefined ? [undefined, doc.reference].includes(number) : event[3].number === number
      return event[0] === position && event[1] === date && isSameNumber
    }),
  )
}

function lastApplied({ transports }: ReturnCase): number {
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
  // What has come since is newer, so that it only fills what is missing.
  const isUnknown = trackingCodeOf(transport) === undefined
  const told = isUnknown ? withTracking(shop, transport, report).doc : doc
  const kept = {
    ...transport,
    updated: latest(updated, now),
    doc: { ...told, events: [...doc.events, event] },
  }
  return touch({ ...before, transports: replaced(before.transports, transport, kept) }, now)
}

function reportDoc({ number, description }: TrackingReport): ReportDoc {
  return {
    ...(number === undefined ? {} : { number }),
    ...(description === undefined ? {} : { description }),
  }
}
