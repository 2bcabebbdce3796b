import { REFUND_STATUSES } from '../../wire/refunds.ts'
import { REFUND_MODES } from '../../wire/returns.ts'
import { type LineDoc, PARTS_PER_RETURN, type RefundRow } from '../store/rows.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'

const FAILED_REFUNDS = 0.02

/** One refund for all lines of the same type and mode; the largest bears the fee. */
export function makeRefunds(
  random: Random,
  returnNo: number,
  createdAt: number,
  lines: readonly LineDoc[],
  fee: number,
  history: History,
): RefundRow[] {
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
  const isCalledOff = history.status === 'DISCARDED' || history.status === 'EXPIRED'
  return all.flatMap((group, position) => {
    const mode = REFUND_MODES[group.mode]
    const dueAt = mode === undefined ? undefined : history.due[mode]
    // What was not paid by then never will be.
    if (dueAt === undefined && isCalledOff) return []
    const status = dueAt === undefined ? 'PENDING' : random.chance(FAILED_REFUNDS) ? 'FAILED' : 'EXECUTED'
    return {
      no: returnNo * PARTS_PER_RETURN + position + 1,
      status: REFUND_STATUSES.indexOf(status),
      type: group.type,
      mode: group.mode,
      created: createdAt,
      executed: status === 'EXECUTED' ? (dueAt ?? null) : null,
      fee: group === bearer ? fee : 0,
      reference: status === 'EXECUTED' ? random.fill('rf_@##@####@##') : null,
      lines: group.lines,
    }
  })
}
