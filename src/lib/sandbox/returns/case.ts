import {
  REFUND_MODES,
  REFUND_STATUSES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../wire/enumerations.ts'
import { RETURN_TRANSITIONS, type ReturnStatus } from '../../wire/return-states.ts'
import { TRANSPORT_TRANSITIONS, type TransportStatus } from '../../wire/transport-states.ts'
import {
  type EventDoc,
  type LineDoc,
  PARTS_PER_RETURN,
  type RefundRow,
  type ReportDoc,
  type ReturnCase,
  type TransportRow,
} from '../store/rows.ts'
import { step } from './journey.ts'

// Functions from one case to the next: nothing is changed in place, unchanged parts stay the same objects. Seconds.

type RefundMode = (typeof REFUND_MODES)[number]

export interface TransportEvent {
  status: TransportStatus
  /** Time by the carrier's clock. */
  date: number
  report?: ReportDoc
}

const EFFECTS: Readonly<Partial<Record<TransportStatus, Effect>>> = {
  PICK_UP_COMPLETED: { due: ['DROP_OFF'] },
  SHIPPING_IN_PROGRESS: { returnStatus: 'RECEPTION_IN_PROGRESS', due: ['DROP_OFF', 'SHIPPING_IN_PROGRESS'] },
  SHIPPING_COMPLETED: {
    returnStatus: 'RECEPTION_COMPLETED',
    due: ['DROP_OFF', 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED'],
  },
}
interface Effect {
  returnStatus?: ReturnStatus
  due: readonly RefundMode[]
}

export function returnStatusOf({ status }: Pick<ReturnCase, 'status'>): ReturnStatus {
  return nameAt(RETURN_STATUSES, status)
}

export function transportStatusOf({ status }: Pick<TransportRow, 'status'>): TransportStatus {
  return nameAt(TRANSPORTATION_STATUSES, status)
}

export function isOver(transport: TransportRow): boolean {
  return TRANSPORT_TRANSITIONS[transportStatusOf(transport)].length === 0
}

export function isAwaited(before: Pick<ReturnCase, 'status'>): boolean {
  return ['PENDING', 'RECEPTION_IN_PROGRESS'].includes(returnStatusOf(before))
}

/**
 * Sets a state that the caller knows to be reachable, with the return's state and the refunds due. Decided: a failure
 * makes the next transport at once, so that the shipment has an active one.
 */
export function applyEvent(
  before: ReturnCase,
  transport: TransportRow,
  { status, date, report }: TransportEvent,
  now: number,
): ReturnCase {
  const position = TRANSPORTATION_STATUSES.indexOf(status)
  const { isLost, ...doc } = transport.doc
  const event =
    report === undefined ? ([position, date, now] as const) : ([position, date, now, report] as const)
  const moved = {
    ...transport,
    status: position,
    updated: latest(transport.updated, now),
    doc: { ...doc, events: withEvent(doc.events, event) },
  }
  const touched = touch({ ...before, transports: replaced(before.transports, transport, moved) }, now)
  const effect = EFFECTS[status]
  if (effect === undefined) {
    return isOver(moved) && isAwaited(touched) ? withNextTransport(touched, now) : touched
  }
  return executeRefunds(reachReturnStatus(touched, effect.returnStatus), effect.due, now)
}

/** Most events of a transport, more than any parcel has: each new one rewrites them. */
const MAX_EVENTS = 200

/** With one more event; beyond the limit the oldest goes, and one that was late before any that was applied. */
export function withEvent(events: readonly EventDoc[], event: EventDoc): EventDoc[] {
  const all = [...events, event]
  if (all.length <= MAX_EVENTS) return all
  const late = events.findIndex(([, , , report]) => report?.isLate)
  return all.toSpliced(Math.max(0, late), 1)
}

/** Goes through all states up to the wanted one; a return that is further on, or has ended, stays. */
function reachReturnStatus(before: ReturnCase, wanted: ReturnStatus | undefined): ReturnCase {
  const path: readonly ReturnStatus[] = ['PENDING', 'RECEPTION_IN_PROGRESS', 'RECEPTION_COMPLETED']
  const from = path.indexOf(returnStatusOf(before))
  if (wanted === undefined || from < 0 || path.indexOf(wanted) <= from) return before
  return { ...before, status: RETURN_STATUSES.indexOf(wanted) }
}

/** @throws Error for a step that the table does not have */
export function moveReturn(before: ReturnCase, next: ReturnStatus, now: number): ReturnCase {
  const status = RETURN_STATUSES.indexOf(step(RETURN_TRANSITIONS, returnStatusOf(before), next))
  return touch({ ...before, status }, now)
}

export function executeRefunds(before: ReturnCase, modes: readonly RefundMode[], now: number): ReturnCase {
  const isDue = ({ status, mode }: RefundRow) =>
    nameAt(REFUND_STATUSES, status) === 'PENDING' && modes.includes(nameAt(REFUND_MODES, mode))
  if (!before.refunds.some(isDue)) return before
  const refunds = before.refunds.map((refund) => (isDue(refund) ? executed(refund, now) : refund))
  return touch({ ...before, refunds }, now)
}

export function executed(refund: RefundRow, now: number): RefundRow {
  return {
    ...refund,
    status: REFUND_STATUSES.indexOf('EXECUTED'),
    executed: now,
    reference: `rf_${refund.no.toString(36).toUpperCase()}`,
  }
}

export function touch(before: ReturnCase, now: number): ReturnCase {
  return { ...before, updated: latest(before.updated, now) }
}

/** With the carrier service of the last one. */
export function withNextTransport(before: ReturnCase, now: number): ReturnCase {
  const last = before.transports.at(-1)
  // No room for more.
  if (last === undefined || before.transports.length >= PARTS_PER_RETURN - 1) return before
  const { no, service, doc } = last
  const isPickUp = doc.pickupReference !== undefined
  const next = requestedTransport({ no: no + 1, service, isPickUp }, now)
  return touch({ ...before, transports: [...before.transports, next] }, now)
}

export function requestedTransport(
  { no, service, isPickUp }: { no: number; service: number; isPickUp: boolean },
  now: number,
): TransportRow {
  const pickUp = {
    pickupReference: `PU${String(no % 1e8).padStart(8, '0')}`,
    pickupDate: new Date((now + 86_400) * 1000).toISOString().slice(0, 10),
  }
  return {
    no,
    status: TRANSPORTATION_STATUSES.indexOf('REQUESTED'),
    service,
    created: now,
    updated: now,
    doc: { isUnlabelled: true, ...(isPickUp ? pickUp : {}), events: [] },
  }
}

export function replaced<T>(list: readonly T[], old: T, by: T): T[] {
  return list.map((item) => (item === old ? by : item))
}

/** The platform's clock may be behind the demo data. */
export function latest(known: number, now: number): number {
  return Math.max(known, now)
}

function nameAt<T>(names: readonly T[], position: number): T {
  const name = names[position]
  if (name === undefined) throw new Error(`The data file holds the unknown state ${position}`)
  return name
}

export interface RefundGroup {
  type: number
  mode: number
  lines: number[]
  bearsFee: boolean
}

/** One refund for all lines of a type and mode; the largest bears the fee. */
export function refundGroups(lines: readonly LineDoc[]): RefundGroup[] {
  const groups = new Map<string, { type: number; mode: number; amount: number; lines: number[] }>()
  lines.forEach((line, position) => {
    const key = `${line.type}/${line.mode}`
    const group = groups.get(key) ?? { type: line.type, mode: line.mode, amount: 0, lines: [] }
    groups.set(key, group)
    group.amount += (line.price - line.discount) * line.quantity
    group.lines.push(position)
  })
  const all = [...groups.values()]
  const bearer = all.reduce((largest, group) => (group.amount > largest.amount ? group : largest))
  return all.map((group) => ({
    type: group.type,
    mode: group.mode,
    lines: group.lines,
    bearsFee: group === bearer,
  }))
}
