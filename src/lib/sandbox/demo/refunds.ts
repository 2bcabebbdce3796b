import { REFUND_MODES, REFUND_STATUSES } from '../../wire/enumerations.ts'
import { refundGroups } from '../returns/refund-groups.ts'
import { type LineDoc, PARTS_PER_RETURN, type RefundRow } from '../store/rows.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'

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
