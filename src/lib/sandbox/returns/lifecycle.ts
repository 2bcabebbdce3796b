import { AppError } from '../../errors.ts'
import { REFUND_STATUSES } from '../../wire/enumerations.ts'
import { RETURN_TRANSITIONS, type ReturnStatus } from '../../wire/return-states.ts'
import { PARTS_PER_RETURN, type RefundRow, type ReturnCase } from '../store/rows.ts'
import {
  applyEvent,
  executed,
  executeRefunds,
  isAwaited,
  isOver,
  moveReturn,
  replaced,
  requestedTransport,
  returnStatusOf,
  touch,
  transportStatusOf,
} from './case.ts'

// Decisions of people; `now` is in seconds. Each throws AppError `rejected` for what the state does not allow.

/** `NEEDS_VALIDATION` → `PENDING`, with a transport by the carrier service of that position. */
export function approve(before: ReturnCase, service: number, isPickUp: boolean, now: number): ReturnCase {
  const moved = move(before, 'PENDING', now)
  const no = before.no * PARTS_PER_RETURN + 1
  const transports = [requestedTransport({ no, service, isPickUp }, now)]
  return executeRefunds({ ...moved, transports }, ['PRE_VALIDATION'], now)
}

export function discard(before: ReturnCase, now: number): ReturnCase {
  checkStep(before, 'DISCARDED')
  return { ...endReturn(before, 'DISCARDED', now), cancelled: now }
}

export function receive(before: ReturnCase, now: number): ReturnCase {
  return move(before, 'RECEIVED', now)
}

export function check(before: ReturnCase, now: number): ReturnCase {
  return executeRefunds(move(before, 'CHECKED', now), ['POST_VALIDATION'], now)
}

export function close(before: ReturnCase, now: number): ReturnCase {
  return move(before, 'CLOSED', now)
}

/** Its parcel stays where it is until somebody reports it. */
export function loseParcel(before: ReturnCase): ReturnCase {
  const transport = before.transports.at(-1)
  if (transport === undefined || isOver(transport) || !isAwaited(before)) {
    throw refused(`${before.name} has no parcel that is on its way`)
  }
  const lost = { ...transport, doc: { ...transport.doc, isLost: true as const } }
  return { ...before, transports: replaced(before.transports, transport, lost) }
}

export function executeByHand(before: ReturnCase, refund: RefundRow, now: number): ReturnCase {
  if (REFUND_STATUSES[refund.status] === 'EXECUTED') {
    throw refused(`The refund ${refund.no} of ${before.name} is executed`)
  }
  return touch({ ...before, refunds: replaced(before.refunds, refund, executed(refund, now)) }, now)
}

/** Ends a return before its parcel has come: the transport is cancelled, open refunds are never paid. */
export function endReturn(before: ReturnCase, status: 'EXPIRED' | 'DISCARDED', now: number): ReturnCase {
  const refunds = before.refunds.filter((refund) => REFUND_STATUSES[refund.status] !== 'PENDING')
  const ended = moveReturn({ ...before, refunds }, status, now)
  const transport = ended.transports.at(-1)
  if (transport === undefined || isOver(transport)) return ended
  const isPickUp = transportStatusOf(transport) === 'PICK_UP_IN_PROGRESS'
  const cancelled = isPickUp ? 'PICK_UP_CANCELLED' : 'SHIPPING_CANCELLED'
  return applyEvent(ended, transport, { status: cancelled, date: now }, now)
}

function move(before: ReturnCase, next: ReturnStatus, now: number): ReturnCase {
  checkStep(before, next)
  return moveReturn(before, next, now)
}

function checkStep(before: ReturnCase, next: ReturnStatus): void {
  const status = returnStatusOf(before)
  if (!RETURN_TRANSITIONS[status].includes(next)) {
    throw refused(`${before.name} is ${status}: ${next} can't follow that`)
  }
}

function refused(message: string): AppError {
  return new AppError('rejected', message)
}
