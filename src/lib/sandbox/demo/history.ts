import type { ReturnStatus, TransportStatus } from '../../wire/enumerations.ts'
import { chooseCourse, JOURNEY } from '../returns/journey.ts'
import type { RefundMode, TransportRow } from '../store/rows.ts'
import type { Random, Range } from './random.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const NEVER_VALIDATED = 0.07

interface Plan {
  created: number
  until: number
  needsValidation: boolean
  isRejected: boolean
  isPickUp: boolean
}

type Leg = Pick<TransportRow, 'created' | 'updated' | 'status' | 'events'>

export interface History extends Plan {
  random: Random
  now: number
  status: ReturnStatus
  updated: number
  cancelled?: number
  transports: Leg[]
  /** When a refund of each mode was due; absent if it is not yet, or never. */
  due: Partial<Record<RefundMode, number>>
}

export function simulateHistory(random: Random, plan: Plan): History {
  const { created, needsValidation } = plan
  const history: History = {
    ...plan,
    random,
    now: created,
    status: needsValidation ? 'NEEDS_VALIDATION' : 'PENDING',
    updated: created,
    transports: [],
    due: { INSTANT: created },
  }
  if (validate(history) && ship(history)) receive(history)
  return history
}

function validate(history: History) {
  if (!history.needsValidation) return true
  if (!wait(history, [1 * HOUR, 3 * DAY], NEVER_VALIDATED)) return false
  if (history.isRejected) {
    discard(history)
    return false
  }
  move(history, 'PENDING')
  history.due.PRE_VALIDATION = history.now
  return true
}

function ship(history: History) {
  const { random, isPickUp } = history
  for (let attempt = 1; ; attempt++) {
    const { now } = history
    const leg: Leg = { created: now, updated: now, status: 'REQUESTED', events: [] }
    history.transports.push(leg)
    history.updated = now
    if (attempt === 1 && random.chance(JOURNEY.abandoned)) {
      abandon(history, leg)
      return false
    }
    // A failed transport is replaced at once, and the replacement used later.
    if (attempt > 1 && !wait(history, JOURNEY.retryWait)) return false
    for (const next of chooseCourse(random, isPickUp, attempt)) if (!scan(history, leg, next)) return false
    if (leg.status === 'SHIPPING_COMPLETED') return true
  }
}

function abandon(history: History, leg: Leg) {
  const expires = history.random.chance(0.6)
  history.now += expires ? JOURNEY.expiry : history.random.between([2 * HOUR, 6 * DAY])
  if (history.now > history.until) return
  advance(history, leg, 'SHIPPING_CANCELLED', history.now)
  if (expires) move(history, 'EXPIRED')
  else discard(history)
}

function scan(history: History, leg: Leg, next: TransportStatus) {
  if (!wait(history, leg.events.length === 0 ? JOURNEY.firstScanWait : JOURNEY.scanWait)) return false
  const date = history.now
  history.now += history.random.between(JOURNEY.reportDelay)
  const { now, due } = history
  if (now > history.until) return false
  advance(history, leg, next, date)
  if (next === 'PICK_UP_COMPLETED' || next === 'SHIPPING_IN_PROGRESS') due.DROP_OFF ??= now
  if (next === 'SHIPPING_IN_PROGRESS') {
    due.SHIPPING_IN_PROGRESS ??= now
    if (history.status === 'PENDING') move(history, 'RECEPTION_IN_PROGRESS')
  }
  if (next === 'SHIPPING_COMPLETED') {
    due.SHIPPING_COMPLETED = now
    move(history, 'RECEPTION_COMPLETED')
  }
  return true
}

function receive(history: History) {
  if (!wait(history, [1 * HOUR, 2 * DAY])) return
  move(history, 'RECEIVED')
  if (!wait(history, [1 * HOUR, 3 * DAY])) return
  move(history, 'CHECKED')
  history.due.POST_VALIDATION = history.now
  if (wait(history, [HOUR / 2, 5 * DAY])) move(history, 'CLOSED')
}

function wait(history: History, range: Range, stuck: number = JOURNEY.stuck) {
  history.now += history.random.between(range)
  return history.now <= history.until && !history.random.chance(stuck)
}

function advance(history: History, leg: Leg, next: TransportStatus, date: number) {
  const { now } = history
  leg.status = next
  leg.events.push({ status: next, date, received: now })
  leg.updated = now
  history.updated = now
}

function move(history: History, next: ReturnStatus) {
  history.status = next
  history.updated = history.now
}

function discard(history: History) {
  move(history, 'DISCARDED')
  history.cancelled = history.now
}
