import { REFUND_MODES, REFUND_STATUSES } from '../../wire/enumerations.ts'
import { RETURN_TRANSITIONS, type ReturnStatus } from '../../wire/return-states.ts'
import { TRANSPORT_TRANSITIONS, type TransportStatus } from '../../wire/transport-states.ts'
import { refundGroups } from '../returns/case.ts'
import {
  ABANDONED,
  chooseCourse,
  EXPIRY,
  FIRST_SCAN_WAIT,
  REPORT_DELAY,
  RETRY_WAIT,
  SCAN_WAIT,
  STUCK,
  step,
} from '../returns/journey.ts'
import { type CarrierService, type LineDoc, PARTS_PER_RETURN, type RefundRow } from '../store/rows.ts'
import type { Random } from './random.ts'

const HOUR = 3600
const DAY = 24 * HOUR
const NEVER_VALIDATED = 0.07

/** Times are seconds. */
export interface Plan {
  createdAt: number
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
      if (attempt === 1 && this.#random.chance(ABANDONED)) {
        this.#abandon(transport)
        return false
      }
      const isPickUp = this.#plan.serviceType === 'pick-up'
      for (const next of chooseCourse(this.#random, isPickUp, attempt))
        if (!this.#report(transport, next)) return false
      if (transport.status === 'SHIPPING_COMPLETED') return true
      if (!this.#wait(RETRY_WAIT.from, RETRY_WAIT.to)) return false
    }
  }

  #abandon(transport: TransportHistory): void {
    const expires = this.#random.chance(0.6)
    this.#now += expires ? EXPIRY : this.#random.between(2 * HOUR, 6 * DAY)
    if (this.#now > this.#plan.until) return
    this.#advance(transport, 'SHIPPING_CANCELLED', this.#now)
    if (expires) this.#move('EXPIRED')
    else this.#discard()
  }

  #report(transport: TransportHistory, next: TransportStatus): boolean {
    const { from, to } = transport.events.length === 0 ? FIRST_SCAN_WAIT : SCAN_WAIT
    if (!this.#wait(from, to)) return false
    const date = this.#now
    this.#now += this.#random.between(REPORT_DELAY.from, REPORT_DELAY.to)
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

const FAILED_REFUNDS = 0.02

export function makeRefunds(
  random: Random,
  returnNo: number,
  createdAt: number,
  lines: readonly LineDoc[],
  fee: number,
  history: History,
): RefundRow[] {
  const isCalledOff = history.status === 'DISCARDED' || history.status === 'EXPIRED'
  return refundGroups(lines).flatMap((group, position) => {
    const mode = REFUND_MODES[group.mode]
    const dueAt = mode === undefined ? undefined : history.due[mode]
    // A return that is called off leaves open refunds unpaid.
    if (dueAt === undefined && isCalledOff) return []
    const status = dueAt === undefined ? 'PENDING' : random.chance(FAILED_REFUNDS) ? 'FAILED' : 'EXECUTED'
    return {
      no: returnNo * PARTS_PER_RETURN + position + 1,
      status: REFUND_STATUSES.indexOf(status),
      type: group.type,
      mode: group.mode,
      created: createdAt,
      executed: status === 'EXECUTED' ? (dueAt ?? null) : null,
      fee: group.bearsFee ? fee : 0,
      reference: status === 'EXECUTED' ? random.fill('rf_@##@####@##') : null,
      lines: group.lines,
    }
  })
}
