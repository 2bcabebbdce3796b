import { AppError, nearest } from '../../errors.ts'
import type { Return } from '../../wire/returns.ts'
import { SHOPS, type Shop } from '../demo/catalogue.ts'
import type { Platform } from '../http/platform.ts'
import { DECISIONS, executeByHand } from '../returns/lifecycle.ts'
import { addNewReturn, type NewReturn } from '../returns/new-return.ts'
import { returnRecord } from '../returns/records.ts'
import { PARTS_PER_RETURN, type ReturnRow } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import { type Advance, advanceClock } from './advance-clock.ts'

export type Decision = keyof typeof DECISIONS

export type SandboxActions = ReturnType<typeof sandboxActions>

/**
 * Actions of people and of time on returns, which are named by id or RMA name. Each answers with the record (spec §2.1)
 * on disk.
 *
 * All throw AppError: `not-found`, `rejected` for what the state does not allow, `usage` for a wrong value.
 */
export function sandboxActions({ store, clock }: Pick<Platform, 'store' | 'clock'>, origin: () => string) {
  const now = () => Math.floor(clock.now() / 1000)
  const record = (data: WritableSnapshot, no: number): Return => {
    const stored = data.findReturn(no)
    if (stored === undefined) throw new Error(`The return ${no} has gone`)
    return returnRecord(stored, { timeZone: 'UTC', origin: origin() })
  }
  const change = (data: WritableSnapshot, changed: ReturnRow) => {
    data.saveReturn(changed)
    return record(data, changed.no)
  }
  return {
    /** Moves the clock forward by whole seconds and lets everything happen that is due. */
    advance: (seconds: number): Promise<Advance> =>
      store.write((data) => advanceClock(data, seconds, clock.now())),
    createReturn: (wanted: NewReturn) =>
      store.write((data) => record(data, addNewReturn(data, findShop(wanted.shop), wanted, now()))),
    decide: (decision: Decision, returnRef: string) =>
      store.write((data) => change(data, DECISIONS[decision](findReturn(data, returnRef), now()))),
    /** Executes a refund of any mode; one that failed is tried again. */
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

function findReturn(data: WritableSnapshot, returnRef: string): ReturnRow {
  const found = /^\d{1,15}$/.test(returnRef) ? data.findReturn(Number(returnRef)) : data.findNamed(returnRef)
  if (found !== undefined) return found
  throw new AppError('not-found', `There is no return ${returnRef}`)
}

function findShop(code: string): Shop {
  const shop = SHOPS.find((each) => each.code === code)
  if (shop !== undefined) return shop
  const codes = SHOPS.map((each) => each.code)
  throw new AppError('usage', `The sandbox has no shop ${code}`, {
    hints: [`use ${nearest(code, codes) ?? `one of ${codes.join(', ')}`}`],
  })
}
