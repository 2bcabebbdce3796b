import { AppError } from '../../errors.ts'
import { REFUND_STATUSES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import { Random } from '../demo/random.ts'
import { trackingCodeOf } from '../labels/registered.ts'
import {
  applyEvent,
  isAwaited,
  isOver,
  replaced,
  returnStatusOf,
  transportStatusOf,
  withNextTransport,
} from '../returns/case.ts'
import {
  ABANDONED,
  type Course,
  chooseCourse,
  EXPIRY,
  FIRST_SCAN_WAIT,
  PICKED_UP,
  REPORT_DELAY,
  RETRY_WAIT,
  SCAN_WAIT,
  STUCK,
} from '../returns/journey.ts'
import { endReturn } from '../returns/lifecycle.ts'
import type { CarrierService, ReturnCase, Shop, TransportRow } from '../store/rows.ts'
import { FIRST_RETURN } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'

const DAY = 86_400
/** Age of its last event from which on a parcel is given up, in seconds. */
const GIVEN_UP = 30 * DAY
const STREAM = 77

/** Ten years: later dates are beyond what some clients read. */
const MAX_OFFSET = 10 * 365 * DAY
/** Returns read at once, which bounds the memory of a move. */
const PART = 2000
const EXECUTED = REFUND_STATUSES.indexOf('EXECUTED')
const EXPIRED = RETURN_STATUSES.indexOf('EXPIRED')
const AWAITED = [
  RETURN_STATUSES.indexOf('PENDING'),
  RETURN_STATUSES.indexOf('RECEPTION_IN_PROGRESS'),
] as const

/** Effects of a move of the clock. */
export interface Advance {
  /** ISO 8601: the platform's time now. */
  now: string
  returns: number
  events: number
  refunds: number
  expired: number
}

/**
 * Moves the platform's clock, which stands at `nowMs`, by whole seconds and lets everything happen that is due.
 * @throws AppError `usage` for a move backwards or too far
 */
export function advanceClock(data: WritableSnapshot, seconds: number, nowMs: number): Advance {
  const offset = data.meta().clockOffset + seconds
  if (!Number.isInteger(seconds) || seconds < 0 || offset > MAX_OFFSET) {
    throw new AppError('usage', `The clock can't be moved by ${seconds} seconds`, {
      hints: [`it goes forward only, and ${MAX_OFFSET} seconds in all`],
    })
  }
  data.setClockOffset(offset)
  const from = Math.floor(nowMs / 1000)
  const now = new Date(nowMs + seconds * 1000).toISOString()
  const moved = { now, returns: 0, events: 0, refunds: 0, expired: 0 }
  const last = data.lastReturn()?.no ?? 0
  for (let first = FIRST_RETURN; first <= last; first += PART) {
    for (const before of data.casesWithStatus({ first, last: first + PART - 1 }, ...AWAITED)) {
      const after = advanceCase(before, shopOf(data, before), from, from + seconds)
      if (after === before) continue
      data.saveCase(before, after)
      moved.returns += 1
      moved.events += eventsOf(after) - eventsOf(before)
      moved.refunds += executedOf(after) - executedOf(before)
      if (after.status === EXPIRED) moved.expired += 1
    }
  }
  return moved
}

interface Happening {
  at: number
  apply(): ReturnCase
}

/**
 * Moves a return between two times: its parcel travels, or it expires. Each change follows from the return alone, so
 * that ten moves of a day equal one of ten days. Validation, warehouse and manual refunds are left to people.
 */
function advanceCase(start: ReturnCase, shop: Shop, from: number, to: number): ReturnCase {
  let current = start
  for (;;) {
    const next = nextHappening(current, shop, from)
    if (next === undefined || next.at > to) return current
    const applied = next.apply()
    if (applied === current) return current
    current = applied
  }
}

function nextHappening(current: ReturnCase, shop: Shop, from: number): Happening | undefined {
  const transport = current.transports.at(-1)
  const service = shop.services[transport?.service ?? -1]
  if (transport === undefined || service === undefined || !isAwaited(current)) return undefined
  const travel = nextScan(current, transport, service, from)
  const expiry = expiryOf(current, transport, from)
  if (travel === undefined || expiry === undefined) return travel ?? expiry
  return travel.at <= expiry.at ? travel : expiry
}

function expiryOf(current: ReturnCase, transport: TransportRow, from: number): Happening | undefined {
  const isUnderway = ['PICK_UP_COMPLETED', 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED'].includes(
    transportStatusOf(transport),
  )
  if (returnStatusOf(current) !== 'PENDING' || isUnderway) return undefined
  const at = upcoming(transport.created + EXPIRY, from)
  return { at, apply: () => endReturn(current, 'EXPIRED', at) }
}

function nextScan(
  current: ReturnCase,
  transport: TransportRow,
  service: CarrierService,
  from: number,
): Happening | undefined {
  const last = transport.doc.events.at(-1)
  const since = last?.[2] ?? transport.created
  if (transport.doc.isLost || from - since > GIVEN_UP) return undefined
  const journey = journeyOf(transport, service, current.transports.length)
  const status = transportStatusOf(transport)
  if (isOver(transport)) {
    if (status === 'SHIPPING_COMPLETED') return undefined
    const at = upcoming(since + journey.retryWait, from)
    return { at, apply: () => withNextTransport(current, at) }
  }
  if (journey.isAbandoned && status === 'REQUESTED') return undefined
  // A merchant may have reported a state that is not on this parcel's course.
  const isOnCourse = status === 'REQUESTED' || journey.course.includes(status)
  const course: Course = isOnCourse ? journey.course : PICKED_UP
  const position = course.indexOf(status) + 1
  const next = course[position]
  const { wait, delay, isStuck } = journey.steps[position] ?? { wait: 0, delay: 0, isStuck: true }
  if (next === undefined || isStuck) return undefined
  const at = upcoming(since + wait + delay, from)
  const date = Math.max(at - delay, last?.[1] ?? 0)
  return {
    at,
    apply: () => {
      const scanned = withReference(transport, service)
      const known = { ...current, transports: replaced(current.transports, transport, scanned) }
      return applyEvent(known, scanned, { status: next, date }, at)
    },
  }
}

function journeyOf({ no }: TransportRow, { serviceType }: CarrierService, attempt: number) {
  const random = new Random(0, STREAM, no)
  const isAbandoned = attempt === 1 && random.chance(ABANDONED)
  const course = chooseCourse(random, serviceType === 'pick-up', attempt)
  const steps = PICKED_UP.map((_, position) => {
    const { from, to } = position === 0 ? FIRST_SCAN_WAIT : SCAN_WAIT
    return {
      wait: random.between(from, to),
      delay: random.between(REPORT_DELAY.from, REPORT_DELAY.to),
      isStuck: random.chance(STUCK),
    }
  })
  return { isAbandoned, course, steps, retryWait: random.between(RETRY_WAIT.from, RETRY_WAIT.to) }
}

/** A change that was due before the move happens at that time of a later day: nothing is dated back. */
function upcoming(due: number, from: number): number {
  return due > from ? due : due + Math.ceil((from - due + 1) / DAY) * DAY
}

function withReference(transport: TransportRow, { carrierCode }: CarrierService): TransportRow {
  if (trackingCodeOf(transport) !== undefined) return transport
  return {
    ...transport,
    doc: { ...transport.doc, reference: `${carrierCode.slice(0, 2)}${transport.no}` },
  }
}

function eventsOf({ transports }: ReturnCase): number {
  return transports.reduce((sum, { doc }) => sum + doc.events.length, 0)
}

function executedOf({ refunds }: ReturnCase): number {
  return refunds.filter(({ status }) => status === EXECUTED).length
}

function shopOf({ shops }: WritableSnapshot, { no, shop }: ReturnCase): Shop {
  const found = shops[shop]
  if (found === undefined) throw new Error(`The return ${no} has no shop`)
  return found
}
