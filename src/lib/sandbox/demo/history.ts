import type { REFUND_MODES } from '../../wire/returns.ts'
import {
  RETURN_TRANSITIONS,
  type ReturnStatus,
  step,
  TRANSPORT_TRANSITIONS,
  type TransportStatus,
} from '../returns/states.ts'
import type { CarrierService } from '../store/rows.ts'
import type { Random } from './random.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Part of the steps after which nothing happens any more: parcels and people do get stuck. */
const STUCK = 0.015
/** The same for the validation, which waits for a person. */
const NEVER_VALIDATED = 0.07
const EXPIRY = 30 * DAY

/** What is settled about a return before its history is told. Times are seconds. */
export interface Plan {
  createdAt: number
  /** Nothing later than this has happened yet. */
  until: number
  needsValidation: boolean
  isRejected: boolean
  serviceType: CarrierService['serviceType']
}

export interface TransportHistory {
  createdAt: number
  updatedAt: number
  status: TransportStatus
  events: { status: TransportStatus; date: number; receivedAt: number }[]
}

export interface History {
  status: ReturnStatus
  updatedAt: number
  cancelledAt: number | undefined
  transports: TransportHistory[]
  /** When a refund of each mode was due; absent if it is not yet, or never. */
  due: Partial<Record<(typeof REFUND_MODES)[number], number>>
}

/** One way in which a transport goes, without its first state. */
type Course = readonly TransportStatus[]
const PICKED_UP: Course = [
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'SHIPPING_COMPLETED',
]
const HANDED_IN: Course = ['SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED']
const PICK_UP_MISHAPS: readonly Course[] = [
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_FAILED'],
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_FAILED'],
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_CANCELLED'],
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_COMPLETED', 'SHIPPING_FAILED'],
]
const HAND_IN_MISHAPS: readonly Course[] = [
  ['SHIPPING_CANCELLED'],
  ['SHIPPING_FAILED'],
  ['SHIPPING_IN_PROGRESS', 'SHIPPING_FAILED'],
]

/** Tells what happened to a return until now: its states, its transports, and when refunds were due. */
export function tellHistory(random: Random, plan: Plan): History {
  return new Teller(random, plan).tell()
}

class Teller {
  readonly #random: Random
  readonly #plan: Plan
  readonly #history: History
  #now: number

  constructor(random: Random, plan: Plan) {
    this.#random = random
    this.#plan = plan
    this.#now = plan.createdAt
    this.#history = {
      status: plan.needsValidation ? 'NEEDS_VALIDATION' : 'PENDING',
      updatedAt: plan.createdAt,
      cancelledAt: undefined,
      transports: [],
      due: { INSTANT: plan.createdAt },
    }
  }

  tell(): History {
    if (this.#validate() && this.#ship()) this.#receive()
    return this.#history
  }

  #validate(): boolean {
    if (!this.#plan.needsValidation) return true
    if (!this.#wait(1 * HOUR, 3 * DAY, NEVER_VALIDATED)) return false
    if (this.#plan.isRejected) {
      this.#discard()
      return false
    }
    this.#move('PENDING')
    this.#history.due.PRE_VALIDATION = this.#now
    return true
  }

  /** True once a transport has arrived. */
  #ship(): boolean {
    for (let attempt = 1; ; attempt++) {
      const transport: TransportHistory = {
        createdAt: this.#now,
        updatedAt: this.#now,
        status: 'REQUESTED',
        events: [],
      }
      this.#history.transports.push(transport)
      this.#history.updatedAt = this.#now
      if (attempt === 1 && this.#random.chance(0.1)) {
        this.#abandon(transport)
        return false
      }
      for (const next of this.#chooseCourse(attempt)) if (!this.#report(transport, next)) return false
      if (transport.status === 'SHIPPING_COMPLETED') return true
      if (!this.#wait(1 * HOUR, 2 * DAY)) return false
    }
  }

  /** The third attempt succeeds at last. */
  #chooseCourse(attempt: number): Course {
    const isPickUp = this.#plan.serviceType === 'pick-up'
    const isMishap = attempt < 3 && this.#random.chance(isPickUp ? 0.16 : 0.05)
    if (isMishap) return this.#random.pick(isPickUp ? PICK_UP_MISHAPS : HAND_IN_MISHAPS)
    return isPickUp ? PICKED_UP : HANDED_IN
  }

  /** The customer never hands the parcel in, or calls the return off. */
  #abandon(transport: TransportHistory): void {
    const expires = this.#random.chance(0.6)
    this.#now += expires ? EXPIRY : this.#random.between(2 * HOUR, 6 * DAY)
    if (this.#now > this.#plan.until) return
    this.#advance(transport, 'SHIPPING_CANCELLED', this.#now)
    if (expires) this.#move('EXPIRED')
    else this.#discard()
  }

  /** One report of the carrier and what it does to the return; false if it has not come in yet. */
  #report(transport: TransportHistory, next: TransportStatus): boolean {
    const isFirst = transport.events.length === 0
    if (!this.#wait(isFirst ? 3 * HOUR : 2 * HOUR, isFirst ? 8 * DAY : 2 * DAY)) return false
    const date = this.#now
    this.#now += this.#random.between(20, 900)
    if (this.#now > this.#plan.until) return false
    this.#advance(transport, next, date)
    const { due, status } = this.#history
    if (next === 'PICK_UP_COMPLETED' || next === 'SHIPPING_IN_PROGRESS') due.DROP_OFF ??= this.#now
    if (next === 'SHIPPING_IN_PROGRESS') {
      due.SHIPPING_IN_PROGRESS ??= this.#now
      if (status === 'PENDING') this.#move('RECEPTION_IN_PROGRESS')
    }
    if (next === 'SHIPPING_COMPLETED') {
      due.SHIPPING_COMPLETED = this.#now
      this.#move('RECEPTION_COMPLETED')
    }
    return true
  }

  #receive(): void {
    if (!this.#wait(1 * HOUR, 2 * DAY)) return
    this.#move('RECEIVED')
    if (!this.#wait(1 * HOUR, 3 * DAY)) return
    this.#move('CHECKED')
    this.#history.due.POST_VALIDATION = this.#now
    if (!this.#wait(HOUR / 2, 5 * DAY)) return
    this.#move('CLOSED')
  }

  #wait(fromSeconds: number, toSeconds: number, stuck = STUCK): boolean {
    this.#now += this.#random.between(fromSeconds, toSeconds)
    return this.#now <= this.#plan.until && !this.#random.chance(stuck)
  }

  #advance(transport: TransportHistory, next: TransportStatus, date: number): void {
    transport.status = step(TRANSPORT_TRANSITIONS, transport.status, next)
    transport.updatedAt = this.#now
    transport.events.push({ status: next, date, receivedAt: this.#now })
    this.#history.updatedAt = this.#now
  }

  #move(next: ReturnStatus): void {
    this.#history.status = step(RETURN_TRANSITIONS, this.#history.status, next)
    this.#history.updatedAt = this.#now
  }

  #discard(): void {
    this.#move('DISCARDED')
    this.#history.cancelledAt = this.#now
  }
}
