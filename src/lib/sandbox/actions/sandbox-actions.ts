import { AppError, nearest } from '../../errors.ts'
import { REFUND_STATUSES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import type { Return } from '../../wire/returns.ts'
import type { Platform } from '../http/operation.ts'
import { approve, check, close, discard, executeByHand, loseParcel, receive } from '../returns/lifecycle.ts'
import { addNewReturn, type NewReturn } from '../returns/new-return.ts'
import { returnRecord } from '../returns/records.ts'
import { PARTS_PER_RETURN, type ReturnCase, type Shop } from '../store/rows.ts'
import type { StoredReturn, WritableSnapshot } from '../store/snapshot.ts'
import { advanceCase } from './advance-clock.ts'

/** Ten years: later dates are beyond what some clients read. */
const MAX_OFFSET = 10 * 365 * 86_400
const EXECUTED = REFUND_STATUSES.indexOf('EXECUTED')
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

/**
 * What people and time do to returns, named by id or RMA name; each call answers with the record (spec §2.1) on disk.
 * All throw AppError: `not-found`, `rejected` for what the state does not allow, `usage` for a wrong value.
 */
export interface SandboxActions {
  /** Moves the clock forward, by whole seconds, and lets happen what is due. */
  advance(seconds: number): Promise<Advance>
  createReturn(wanted: NewReturn): Promise<Return>
  /** `NEEDS_VALIDATION` → `PENDING`. */
  approve(returnRef: string): Promise<Return>
  /** `NEEDS_VALIDATION` or `PENDING` → `DISCARDED`. */
  discard(returnRef: string): Promise<Return>
  /** `RECEPTION_COMPLETED` → `RECEIVED`. */
  receive(returnRef: string): Promise<Return>
  /** `RECEIVED` → `CHECKED`. */
  check(returnRef: string): Promise<Return>
  /** `CHECKED` → `CLOSED`. */
  close(returnRef: string): Promise<Return>
  /** Keeps its parcel where it is until somebody reports it. */
  loseParcel(returnRef: string): Promise<Return>
  /** Executes a refund of any mode; one that failed is tried again. */
  executeRefund(refundId: string): Promise<Return>
}

type Decision = (before: ReturnCase, now: number, stored: StoredReturn) => ReturnCase

export function createWorld(
  { store, clock }: Pick<Platform, 'store' | 'clock'>,
  origin: () => string,
): SandboxActions {
  const now = () => Math.floor(clock.now() / 1000)
  const record = (data: WritableSnapshot, no: number) =>
    returnRecord(storedReturn(data, no), { timeZone: 'UTC', origin: origin(), product: data.product })
  const decide = (returnRef: string, decision: Decision) =>
    store.write((data) => {
      const before = findReturn(data, returnRef)
      data.saveCase(before, decision(before, now(), storedReturn(data, before.no)))
      return record(data, before.no)
    })
  return {
    advance: (seconds) => store.write((data) => advance(data, seconds, clock.now())),
    createReturn: (wanted) =>
      store.write((data) => record(data, addNewReturn(data, findShop(data, wanted.shop), wanted, now()))),
    approve: (returnRef) =>
      decide(returnRef, (before, at, { shop, doc }) => {
        const service = doc.service ?? 0
        return approve(before, service, shop.services[service]?.serviceType === 'pick-up', at)
      }),
    discard: (returnRef) => decide(returnRef, discard),
    receive: (returnRef) => decide(returnRef, receive),
    check: (returnRef) => decide(returnRef, check),
    close: (returnRef) => decide(returnRef, close),
    loseParcel: (returnRef) => decide(returnRef, loseParcel),
    executeRefund: (refundId) => {
      const returnNo = Math.floor(Number(/^\d{11,15}$/.test(refundId) ? refundId : 0) / PARTS_PER_RETURN)
      return store.write((data) => {
        const before = data.findCase(returnNo)
        const refund = before?.refunds.find(({ no }) => String(no) === refundId)
        if (before === undefined || refund === undefined) {
          throw new AppError('not-found', `There is no refund ${refundId}`)
        }
        data.saveCase(before, executeByHand(before, refund, now()))
        return record(data, before.no)
      })
    },
  }
}

function advance(data: WritableSnapshot, seconds: number, nowMs: number): Advance {
  const offset = data.clockOffset() + seconds
  if (!Number.isInteger(seconds) || seconds < 0 || offset > MAX_OFFSET) {
    throw new AppError('usage', `The clock can't be moved by ${seconds} seconds`, {
      hints: [`it goes forward only, and ${MAX_OFFSET} seconds in all`],
    })
  }
  const from = Math.floor(nowMs / 1000)
  const happened = { returns: 0, events: 0, refunds: 0, expired: 0 }
  for (const before of data.casesWithStatus(...AWAITED)) {
    const after = advanceCase(before, shopOf(data, before), from, from + seconds)
    if (after === before) continue
    data.saveCase(before, after)
    happened.returns += 1
    happened.events += eventsOf(after) - eventsOf(before)
    happened.refunds += executedOf(after) - executedOf(before)
    if (after.status === RETURN_STATUSES.indexOf('EXPIRED')) happened.expired += 1
  }
  data.setClockOffset(offset)
  return { now: new Date(nowMs + seconds * 1000).toISOString(), ...happened }
}

function eventsOf({ transports }: ReturnCase): number {
  return transports.reduce((sum, { doc }) => sum + doc.events.length, 0)
}

function executedOf({ refunds }: ReturnCase): number {
  return refunds.filter(({ status }) => status === EXECUTED).length
}

function findReturn(data: WritableSnapshot, returnRef: string): ReturnCase {
  const found = /^\d{1,15}$/.test(returnRef) ? data.findCase(Number(returnRef)) : data.findNamed(returnRef)
  if (found !== undefined) return found
  throw new AppError('not-found', `There is no return ${returnRef}`)
}

function storedReturn(data: WritableSnapshot, no: number): StoredReturn {
  const stored = data.findReturn(no)
  if (stored === undefined) throw new Error(`The return ${no} has gone`)
  return stored
}

function findShop({ shops }: WritableSnapshot, code: string): Shop {
  const shop = shops.find((each) => each.code === code)
  if (shop !== undefined) return shop
  const codes = shops.map((each) => each.code)
  throw new AppError('usage', `The sandbox has no shop ${code}`, {
    hints: [`use ${nearest(code, codes) ?? `one of ${codes.join(', ')}`}`],
  })
}

function shopOf({ shops }: WritableSnapshot, { no, shop }: ReturnCase): Shop {
  const found = shops[shop]
  if (found === undefined) throw new Error(`The return ${no} has no shop`)
  return found
}
