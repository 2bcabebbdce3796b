import { AppError } from '../../errors.ts'
import { REFUND_STATUSES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import type { Platform } from '../http/platform.ts'
import type { ClockMove, ReturnCase, Shop } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import type { Store } from '../store/store.ts'
import { advanceCase } from './advance-clock.ts'

/** Ten years: later dates are beyond what some clients read. */
const MAX_OFFSET = 10 * 365 * 86_400
/** Numbers of returns gone through in one transaction: bounds its time and memory, and how long it holds up others. */
const PART = 2000
const EXECUTED = REFUND_STATUSES.indexOf('EXECUTED')
const EXPIRED = RETURN_STATUSES.indexOf('EXPIRED')
const AWAITED = [
  RETURN_STATUSES.indexOf('PENDING'),
  RETURN_STATUSES.indexOf('RECEPTION_IN_PROGRESS'),
] as const

export interface Advance {
  /** ISO 8601: the platform's time now. */
  now: string
  returns: number
  events: number
  refunds: number
  expired: number
}

type MoveStore = Pick<Store, 'move' | 'write'>

/** `advance` of `SandboxActions`; moves of one process follow each other. */
export function createAdvance(
  store: MoveStore,
  clock: Platform['clock'],
): (seconds: number) => Promise<Advance> {
  let before: Promise<unknown> = Promise.resolve()
  const move = async (seconds: number): Promise<Advance> => {
    await finishMove(store)
    const { now, begun } = await store.write((data) => begin(data, seconds, clock.now()))
    const { returns, events, refunds, expired } = await finishMove(store, begun)
    return { now, returns, events, refunds, expired }
  }
  return (seconds) => {
    const moved = before.then(() => move(seconds))
    before = moved.catch(() => {})
    return moved
  }
}

export function isUnfinished(move: ClockMove | undefined): move is ClockMove {
  return move !== undefined && move.next <= move.last
}

/** Lets the rest of the last move come about. Several may do so at once, in this process and others. */
export function finishMove(store: MoveStore, begun: ClockMove): Promise<ClockMove>
export function finishMove(store: MoveStore): Promise<ClockMove | undefined>
export async function finishMove(store: MoveStore, begun = store.move): Promise<ClockMove | undefined> {
  let move = begun
  while (isUnfinished(move)) {
    const moved: ClockMove | undefined = await store.write(goThroughPart)
    // Another process has finished it and begun the next one, or all data are new.
    if (moved?.to !== move.to) return move
    move = moved
  }
  return move
}

/** The clock goes first: nothing is ever dated ahead of it. */
function begin(data: WritableSnapshot, seconds: number, nowMs: number): { now: string; begun: ClockMove } {
  const offset = data.meta().clockOffset + seconds
  if (!Number.isInteger(seconds) || seconds < 0 || offset > MAX_OFFSET) {
    throw new AppError('usage', `The clock can't be moved by ${seconds} seconds`, {
      hints: [`it goes forward only, and ${MAX_OFFSET} seconds in all`],
    })
  }
  const from = Math.floor(nowMs / 1000)
  const last = data.lastReturn()?.no ?? 0
  const next = data.firstReturn() ?? 1
  const nothing = { returns: 0, events: 0, refunds: 0, expired: 0 }
  const begun = { from, to: from + seconds, next, last, ...nothing }
  data.setClockOffset(offset)
  data.setMove(begun)
  return { now: new Date(nowMs + seconds * 1000).toISOString(), begun }
}

function goThroughPart(data: WritableSnapshot): ClockMove | undefined {
  const { move } = data.meta()
  if (!isUnfinished(move)) return move
  const { from, to, next: first } = move
  const last = Math.min(first + PART - 1, move.last)
  const moved = { ...move, next: last + 1 }
  for (const before of data.casesWithStatus({ first, last }, ...AWAITED)) {
    const after = advanceCase(before, shopOf(data, before), from, to)
    if (after === before) continue
    data.saveCase(before, after)
    moved.returns += 1
    moved.events += eventsOf(after) - eventsOf(before)
    moved.refunds += executedOf(after) - executedOf(before)
    if (after.status === EXPIRED) moved.expired += 1
  }
  data.setMove(moved)
  return moved
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
