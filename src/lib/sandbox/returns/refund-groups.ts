import type { LineDoc } from '../store/rows.ts'

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
