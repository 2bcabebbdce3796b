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

const DAY = 86_400
/** Nothing more is heard of a parcel after so long. */
const GIVEN_UP = 30 * DAY
/** Sets these draws apart from those that the demo data are made with. */
const STREAM = 77

/** Something that will be, if nothing else comes before. Times are seconds. */
interface Happening {
  at: number
  apply(): ReturnCase
}

/**
 * What becomes of a return while the platform's clock goes from one time to another: its parcel travels on, and it expires
 * if none comes. What happens and when follows from the return alone, so that it does not matter in how many parts the time
 * goes by. What people decide (validation, warehouse, refunds by hand) does not happen by itself.
 */
export function advanceCase(start: ReturnCase, shop: Shop, from: number, to: number): ReturnCase {
  let current = start
  for (;;) {
    const next = nextHappening(current, shop, from)
    if (next === undefined || next.at > to) return current
    const applied = next.apply()
    // No room for another transport.
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

/** A return expires if its parcel is not on its way in time. */
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
  // A merchant may have reported what this parcel was not meant to do.
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

/** What is in store for a transport; of equal numbers always the same. */
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

/** What was due before, but did not happen because the clock was not moved, happens at that time of a later day. */
function upcoming(due: number, from: number): number {
  return due > from ? due : due + Math.ceil((from - due + 1) / DAY) * DAY
}

/** The carrier gives a parcel that it sees for the first time a code. */
function withReference(transport: TransportRow, { carrierCode }: CarrierService): TransportRow {
  if (trackingCodeOf(transport) !== undefined) return transport
  return {
    ...transport,
    doc: { ...transport.doc, reference: `${carrierCode.slice(0, 2)}${transport.no}` },
  }
}
