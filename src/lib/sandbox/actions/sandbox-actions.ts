import { AppError, nearest } from '../../errors.ts'
import type { Return } from '../../wire/returns.ts'
import type { Platform } from '../http/platform.ts'
import { approve, check, close, discard, executeByHand, loseParcel, receive } from '../returns/lifecycle.ts'
import { addNewReturn, type NewReturn } from '../returns/new-return.ts'
import { returnRecord } from '../returns/records.ts'
import { PARTS_PER_RETURN, type ReturnCase, type ReturnRow, type Shop } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import { type Advance, advanceClock } from './advance-clock.ts'

/**
 * Actions of people and of time on returns, which are named by id or RMA name. Each answers with the record (spec §2.1)
 * on disk.
 *
 * All throw AppError: `not-found`, `rejected` for what the state does not allow, `usage` for a wrong value.
 */
export interface SandboxActions {
  /** Moves the clock forward by whole seconds and lets everything happen that is due. */
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

type Decision = (before: ReturnRow, now: number, shops: readonly Shop[]) => ReturnCase

export function createWorld(
  { store, clock }: Pick<Platform, 'store' | 'clock'>,
  origin: () => string,
): SandboxActions {
  const now = () => Math.floor(clock.now() / 1000)
  const record = (data: WritableSnapshot, no: number): Return => {
    const stored = data.findReturn(no)
    if (stored === undefined) throw new Error(`The return ${no} has gone`)
    return returnRecord(stored, {
      timeZone: 'UTC',
      origin: origin(),
      product: (product) => data.product(product),
    })
  }
  const decide = (returnRef: string, decision: Decision) =>
    store.write((data) => {
      const before = findReturn(data, returnRef)
      data.saveCase(before, decision(before, now(), data.shops))
      return record(data, before.no)
    })
  return {
    advance: (seconds) => store.write((data) => advanceClock(data, seconds, clock.now())),
    createReturn: (wanted) =>
      store.write((data) => record(data, addNewReturn(data, findShop(data, wanted.shop), wanted, now()))),
    approve: (returnRef) =>
      decide(returnRef, (before, at, shops) => {
        const service = before.doc.service ?? 0
        const { serviceType } = shops[before.shop]?.services[service] ?? {}
        return approve(before, service, serviceType === 'pick-up', at)
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

function findReturn(data: WritableSnapshot, returnRef: string): ReturnRow {
  const found = /^\d{1,15}$/.test(returnRef) ? data.findCase(Number(returnRef)) : data.findNamed(returnRef)
  if (found !== undefined) return found
  throw new AppError('not-found', `There is no return ${returnRef}`)
}

function findShop({ shops }: WritableSnapshot, code: string): Shop {
  const shop = shops.find((each) => each.code === code)
  if (shop !== undefined) return shop
  const codes = shops.map((each) => each.code)
  throw new AppError('usage', `The sandbox has no shop ${code}`, {
    hints: [`use ${nearest(code, codes) ?? `one of ${codes.join(', ')}`}`],
  })
}

export const DECISIONS = {
  approve: (world, ref) => world.approve(ref),
  discard: (world, ref) => world.discard(ref),
  receive: (world, ref) => world.receive(ref),
  check: (world, ref) => world.check(ref),
  close: (world, ref) => world.close(ref),
  'lose-parcel': (world, ref) => world.loseParcel(ref),
} satisfies Record<string, (world: SandboxActions, returnRef: string) => Promise<Return>>
