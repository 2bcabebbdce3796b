import { AppError } from '../../errors.ts'
import {
  isTransportOver,
  RETURN_TRANSITIONS,
  type ReturnStatus,
  type TransportStatus,
} from '../../wire/enumerations.ts'
import { shopOf } from '../demo/catalogue.ts'
import {
  type LineRow,
  PARTS_PER_RETURN,
  partNo,
  type RefundMode,
  type RefundRow,
  type ReturnRow,
  type TransportRow,
} from '../store/rows.ts'
import scanEffects from './scan-effects.json'

// Pure functions: a return that nothing changes stays the same object. `now` is in seconds.

interface Effect {
  returnStatus?: ReturnStatus
  due: readonly RefundMode[]
}

const EFFECTS = scanEffects as Readonly<Partial<Record<TransportStatus, Effect>>>

export function isOver({ status }: TransportRow) {
  return isTransportOver(status)
}

export function isAwaited({ status }: ReturnRow) {
  return status === 'PENDING' || status === 'RECEPTION_IN_PROGRESS'
}

/** Callers check that the state may follow. Decided: a failure makes the next transport at once. */
export function applyEvent(
  before: ReturnRow,
  transport: TransportRow,
  { status, date, report }: Omit<Events[number], 'received'>,
  now: number,
): ReturnRow {
  const { isLost, ...rest } = transport
  const events = withEvent(rest.events, { status, date, received: now, report })
  const moved = { ...rest, status, updated: latest(rest.updated, now), events }
  const touched = withTransport(before, transport, moved, now)
  const effect = EFFECTS[status]
  if (effect === undefined) {
    return isOver(moved) && isAwaited(touched) ? withNextTransport(touched, now) : touched
  }
  return executeRefunds(reachReturnStatus(touched, effect.returnStatus), effect.due, now)
}

export function newestAppliedDate({ events }: TransportRow): number {
  return Math.max(0, ...events.filter(({ report }) => !report?.isLate).map(({ date }) => date))
}

type Events = TransportRow['events']

const MAX_EVENTS = 200

/** Beyond the limit drops a late event, else the oldest. */
export function withEvent(events: Events, event: Events[number]): Events {
  const all = [...events, event]
  if (all.length <= MAX_EVENTS) return all
  return all.toSpliced(
    Math.max(
      0,
      events.findIndex(({ report }) => report?.isLate),
    ),
    1,
  )
}

function reachReturnStatus(before: ReturnRow, status: ReturnStatus | undefined) {
  const path: readonly ReturnStatus[] = ['PENDING', 'RECEPTION_IN_PROGRESS', 'RECEPTION_COMPLETED']
  const from = path.indexOf(before.status)
  if (status === undefined || from < 0 || path.indexOf(status) <= from) return before
  return { ...before, status }
}

export function executeRefunds(before: ReturnRow, modes: readonly RefundMode[], now: number): ReturnRow {
  return executeDue(before, ({ status, mode }) => status === 'PENDING' && modes.includes(mode), now)
}

function executeDue(before: ReturnRow, isDue: (refund: RefundRow) => boolean, now: number): ReturnRow {
  if (!before.refunds.some(isDue)) return before
  const refunds = before.refunds.map((refund): RefundRow => {
    const reference = `rf_${refund.no.toString(36).toUpperCase()}`
    return isDue(refund) ? { ...refund, status: 'EXECUTED', executed: now, reference } : refund
  })
  return touch({ ...before, refunds }, now)
}

function touch(before: ReturnRow, now: number): ReturnRow {
  return { ...before, updated: latest(before.updated, now) }
}

export function withTransport(
  before: ReturnRow,
  old: TransportRow,
  changed: TransportRow,
  now: number,
): ReturnRow {
  const transports = before.transports.map((each) => (each === old ? changed : each))
  return touch({ ...before, transports }, now)
}

export function withNextTransport(before: ReturnRow, now: number): ReturnRow {
  const last = before.transports.at(-1)
  if (last === undefined || before.transports.length >= PARTS_PER_RETURN - 1) return before
  const next = requestedTransport(before, last.no + 1, last.service, now)
  return touch({ ...before, transports: [...before.transports, next] }, now)
}

export function requestedTransport(
  of: Pick<ReturnRow, 'shop'>,
  no: number,
  service: number,
  now: number,
): TransportRow {
  const isPickUp = shopOf(of).services[service]?.serviceType === 'pick-up'
  return {
    no,
    status: 'REQUESTED',
    service,
    created: now,
    updated: now,
    isUnlabelled: true,
    ...(isPickUp && requestedPickUp(String(no % 1e8).padStart(8, '0'), now)),
    events: [],
  }
}

export function requestedPickUp(digits: string, now: number) {
  const pickupDate = new Date((now + 86_400) * 1000).toISOString().slice(0, 10)
  return { pickupReference: `PU${digits}`, pickupDate }
}

/** The platform's clock may be behind the demo data. */
export function latest(known: number, now: number): number {
  return Math.max(known, now)
}

/** One refund for all lines of a type and mode; the largest bears the fee. */
export function refundGroups(lines: readonly LineRow[], fee: number) {
  const groups = new Map<string, Pick<RefundRow, 'type' | 'mode' | 'lines'> & { amount: number }>()
  lines.forEach(({ type, mode, price, discount, quantity }, position) => {
    const key = `${type}/${mode}`
    const group = groups.get(key) ?? { type, mode, amount: 0, lines: [] }
    groups.set(key, group)
    group.amount += (price - discount) * quantity
    group.lines.push(position)
  })
  const all = [...groups.values()]
  const bearer = all.reduce((largest, group) => (group.amount > largest.amount ? group : largest))
  return all.map(({ amount: _, ...group }, i) => ({ ...group, fee: all[i] === bearer ? fee : 0 }))
}

export const DECISIONS = {
  approve: (before, now) => {
    const transports = [requestedTransport(before, partNo(before.no, 0), before.service ?? 0, now)]
    return executeRefunds({ ...move(before, 'PENDING', now), transports }, ['PRE_VALIDATION'], now)
  },
  discard: (before, now) => ({ ...endReturn(before, 'DISCARDED', now), cancelled: now }),
  receive: (before, now) => move(before, 'RECEIVED', now),
  check: (before, now) => executeRefunds(move(before, 'CHECKED', now), ['POST_VALIDATION'], now),
  close: (before, now) => move(before, 'CLOSED', now),
  'lose-parcel': (before) => {
    const transport = before.transports.at(-1)
    if (transport === undefined || isOver(transport) || !isAwaited(before)) {
      throw new AppError('rejected', `${before.name} has no parcel that is on its way`)
    }
    return withTransport(before, transport, { ...transport, isLost: true }, before.updated)
  },
} satisfies Record<string, (before: ReturnRow, now: number) => ReturnRow>

export function executeByHand(before: ReturnRow, refund: RefundRow, now: number): ReturnRow {
  if (refund.status === 'EXECUTED') {
    throw new AppError('rejected', `The refund ${refund.no} of ${before.name} is executed`)
  }
  return executeDue(before, (each) => each === refund, now)
}

export function endReturn(before: ReturnRow, status: 'EXPIRED' | 'DISCARDED', now: number): ReturnRow {
  const refunds = before.refunds.filter((refund) => refund.status !== 'PENDING')
  const ended = { ...move(before, status, now), refunds }
  const transport = ended.transports.at(-1)
  if (transport === undefined || isOver(transport)) return ended
  const isPickUp = transport.status === 'PICK_UP_IN_PROGRESS'
  const cancelled = isPickUp ? 'PICK_UP_CANCELLED' : 'SHIPPING_CANCELLED'
  const date = Math.max(now, newestAppliedDate(transport))
  return applyEvent(ended, transport, { status: cancelled, date }, now)
}

function move(before: ReturnRow, next: ReturnStatus, now: number): ReturnRow {
  if (!RETURN_TRANSITIONS[before.status].includes(next)) {
    throw new AppError('rejected', `${before.name} is ${before.status}: ${next} can't follow that`)
  }
  return touch({ ...before, status: next }, now)
}
