import { AppError, nearest, usageError } from '../../errors.ts'
import type { Return } from '../../wire/returns.ts'
import { type CarrierService, required, SHOP_CODES, SHOPS, shopOf } from '../demo/catalogue.ts'
import { Random } from '../demo/random.ts'
import type { Platform } from '../http/platform.ts'
import { trackingOf, withTracking } from '../labels/sets.ts'
import { chooseCourse, JOURNEY, PICKED_UP } from '../returns/journey.ts'
import {
  applyEvent,
  DECISIONS,
  endReturn,
  executeByHand,
  isAwaited,
  isOver,
  newestAppliedDate,
  withNextTransport,
  withTransport,
} from '../returns/lifecycle.ts'
import { addNewReturn, type NewReturn } from '../returns/new-return.ts'
import { returnRecord } from '../returns/records.ts'
import { FIRST_RETURN, PARTS_PER_RETURN, type ReturnRow, type TransportRow } from '../store/rows.ts'
import type { Snapshot, WritableSnapshot } from '../store/snapshot.ts'

export type SandboxActions = ReturnType<typeof sandboxActions>

/** Actions of people and of time on returns, named by id or RMA name. */
export function sandboxActions({ store, clock }: Pick<Platform, 'store' | 'clock'>, origin: () => string) {
  const now = () => Math.floor(clock.now() / 1000)
  const record = (stored: ReturnRow): Return => returnRecord(stored, { timeZone: 'UTC', origin: origin() })
  /** Reads a return again, since the store numbers new transports. */
  const saved = (data: WritableSnapshot, no: number) => record(required(data.findReturn(no), `return ${no}`))
  const change = (data: WritableSnapshot, changed: ReturnRow) => {
    data.saveReturn(changed)
    return saved(data, changed.no)
  }
  return {
    advance: (seconds: number) => store.write((data) => advanceClock(data, seconds, clock.now())),
    find: (returnRef: string) => store.read((data) => record(findReturn(data, returnRef))),
    createReturn: (wanted: NewReturn) =>
      store.write((data) => saved(data, addNewReturn(data, findShop(wanted.shop), wanted, now()))),
    decide: (decision: keyof typeof DECISIONS, returnRef: string) =>
      store.write((data) => change(data, DECISIONS[decision](findReturn(data, returnRef), now()))),
    executeRefund: (refundId: string) => {
      const returnNo = Math.floor(Number(/^\d{11,15}$/.test(refundId) ? refundId : 0) / PARTS_PER_RETURN)
      return store.write((data) => {
        const before = data.findReturn(returnNo)
        const refund = before?.refunds.find(({ no }) => String(no) === refundId)
        if (before && refund) return change(data, executeByHand(before, refund, now()))
        throw new AppError('not-found', `There is no refund ${refundId}`)
      })
    },
  }
}

function findReturn(data: Snapshot, returnRef: string) {
  const isId = /^\d{1,15}$/.test(returnRef)
  const [found, another] = isId ? [data.findReturn(Number(returnRef))] : data.findNamed(returnRef)
  if (another) {
    throw new AppError('rejected', `Several returns have the name ${returnRef}; name one by its id`)
  }
  if (found) return found
  throw new AppError('not-found', `There is no return ${returnRef}`)
}

function findShop(code: string) {
  const shop = SHOPS.find((each) => each.code === code)
  if (shop !== undefined) return shop
  throw usageError(
    `The sandbox has no shop ${code}`,
    `use ${nearest(code, SHOP_CODES) ?? `one of ${SHOP_CODES.join(', ')}`}`,
  )
}

const DAY = 86_400
/** Age of the last event, in seconds, after which a parcel is given up. */
const GIVEN_UP = 30 * DAY
const JOURNEY_STREAM = 77

/** Ten years: later dates are beyond what some clients read. */
const MAX_OFFSET = 10 * 365 * DAY
/** Returns read at once, which bounds memory. */
const BLOCK_SIZE = 2000

export function advanceClock(data: WritableSnapshot, seconds: number, nowMs: number) {
  const offset = data.meta().clockOffset + seconds
  if (!Number.isInteger(seconds) || seconds < 0 || offset > MAX_OFFSET) {
    throw usageError(
      `The clock can't be moved by ${seconds} seconds`,
      `it goes forward only, and ${MAX_OFFSET} seconds in all`,
    )
  }
  data.setClockOffset(offset)
  const from = Math.floor(nowMs / 1000)
  const now = new Date(nowMs + seconds * 1000).toISOString()
  const moved = { now, returns: 0, events: 0, refunds: 0, expired: 0 }
  const last = data.lastReturn()?.no ?? 0
  for (let first = FIRST_RETURN; first <= last; first += BLOCK_SIZE) {
    for (const before of data.awaited(first, first + BLOCK_SIZE - 1)) {
      const after = advanceReturn(before, from, from + seconds)
      if (after === before) continue
      data.saveReturn(after)
      moved.returns += 1
      moved.events += eventsOf(after) - eventsOf(before)
      moved.refunds += executedOf(after) - executedOf(before)
      if (after.status === 'EXPIRED') moved.expired += 1
    }
  }
  return moved
}

interface DueChange {
  at: number
  apply(): ReturnRow
}

/** Each change follows from the return alone: ten moves of a day equal one of ten days. Leaves out what people do. */
function advanceReturn(start: ReturnRow, from: number, to: number) {
  let current = start
  for (;;) {
    const next = nextChange(current, from)
    if (next === undefined || next.at > to) return current
    const applied = next.apply()
    if (applied === current) return current
    current = applied
  }
}

function nextChange(current: ReturnRow, from: number): DueChange | undefined {
  const transport = current.transports.at(-1)
  const service = shopOf(current).services[transport?.service ?? -1]
  if (transport === undefined || service === undefined || !isAwaited(current)) return undefined
  const travel = nextScan(current, transport, service, from)
  const expiry = expiryOf(current, transport, from)
  if (travel === undefined || expiry === undefined) return travel ?? expiry
  return travel.at <= expiry.at ? travel : expiry
}

function expiryOf(current: ReturnRow, transport: TransportRow, from: number): DueChange | undefined {
  const isUnderway = ['PICK_UP_COMPLETED', 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED'].includes(
    transport.status,
  )
  if (current.status !== 'PENDING' || isUnderway) return undefined
  const at = upcoming(transport.created + JOURNEY.expiry, from)
  return { at, apply: () => endReturn(current, 'EXPIRED', at) }
}

function nextScan(
  current: ReturnRow,
  transport: TransportRow,
  service: CarrierService,
  from: number,
): DueChange | undefined {
  const last = transport.events.at(-1)
  const since = last?.received ?? transport.created
  if (transport.isLost || from - since > GIVEN_UP) return undefined
  const journey = journeyOf(transport, service, current.transports.length)
  const status = transport.status
  if (isOver(transport)) {
    if (status === 'SHIPPING_COMPLETED') return undefined
    const at = upcoming(since + journey.retryWait, from)
    return { at, apply: () => withNextTransport(current, at) }
  }
  if (journey.isAbandoned && status === 'REQUESTED') return undefined
  // A merchant may have reported a state that is not on this parcel's course.
  const isOnCourse = status === 'REQUESTED' || journey.course.includes(status)
  const course = isOnCourse ? journey.course : PICKED_UP
  const position = course.indexOf(status) + 1
  const next = course[position]
  const { wait, delay, isStuck } = journey.steps[position] ?? { wait: 0, delay: 0, isStuck: true }
  if (next === undefined || isStuck) return undefined
  const at = upcoming(since + wait + delay, from)
  const date = Math.max(at - delay, newestAppliedDate(transport))
  return {
    at,
    apply: () => {
      const shop = shopOf(current)
      const number =
        trackingOf(shop, transport).carrierTrackingCode ?? `${service.carrierCode.slice(0, 2)}${transport.no}`
      const scanned = withTracking(shop, transport, { number }, at)
      const known = withTransport(current, transport, scanned, at)
      return applyEvent(known, scanned, { status: next, date }, at)
    },
  }
}

function journeyOf({ no }: TransportRow, { serviceType }: CarrierService, attempt: number) {
  const random = new Random(0, JOURNEY_STREAM, no)
  const isAbandoned = attempt === 1 && random.chance(JOURNEY.abandoned)
  const course = chooseCourse(random, serviceType === 'pick-up', attempt)
  const steps = PICKED_UP.map((_, position) => ({
    wait: random.between(position === 0 ? JOURNEY.firstScanWait : JOURNEY.scanWait),
    delay: random.between(JOURNEY.reportDelay),
    isStuck: random.chance(JOURNEY.stuck),
  }))
  return { isAbandoned, course, steps, retryWait: random.between(JOURNEY.retryWait) }
}

/** Moves an overdue change to that time of a later day, so that nothing is backdated. */
function upcoming(due: number, from: number) {
  return due > from ? due : due + Math.ceil((from - due + 1) / DAY) * DAY
}

function eventsOf({ transports }: ReturnRow) {
  return transports.reduce((sum, { events }) => sum + events.length, 0)
}

function executedOf({ refunds }: ReturnRow) {
  return refunds.filter(({ status }) => status === 'EXECUTED').length
}
