import type { Return, ReturnLineItem } from '../wire/returns.ts'

/** The amounts that a return is about in one currency: its own, or the shop's. */
export interface CurrencyFields {
  line: 'returnAmount' | 'baseReturnAmount'
  amount: 'totalReturnAmount' | 'baseTotalReturnAmount'
  fee: 'totalReturnFee' | 'baseTotalReturnFee'
  refund: 'totalRefund' | 'baseTotalRefund'
  refundAmount: 'amount' | 'baseAmount'
  refundFee: 'fee' | 'baseFee'
  currency: 'currency' | 'baseCurrency'
}

export const OWN: CurrencyFields = {
  line: 'returnAmount',
  amount: 'totalReturnAmount',
  fee: 'totalReturnFee',
  refund: 'totalRefund',
  refundAmount: 'amount',
  refundFee: 'fee',
  currency: 'currency',
}
export const BASE: CurrencyFields = {
  line: 'baseReturnAmount',
  amount: 'baseTotalReturnAmount',
  fee: 'baseTotalReturnFee',
  refund: 'baseTotalRefund',
  refundAmount: 'baseAmount',
  refundFee: 'baseFee',
  currency: 'baseCurrency',
}

/** Ticks of one unit of currency; amounts of more digits are left to exact decimals. */
const TICKS = 10_000

/** NaN for what may not be a multiple of a tick. */
function ticksOf(value: unknown): number {
  if (typeof value !== 'number' || Math.abs(value) > 1e9) return Number.NaN
  const ticks = Math.round(value * TICKS)
  return ticks / TICKS === value ? ticks : Number.NaN
}

/** Whether the totals are what they should be for certain: several times as fast as exact decimals. */
export function addsUp(
  record: Return,
  lines: readonly ReturnLineItem[],
  { line, amount, fee, refund }: CurrencyFields,
): boolean {
  const whole = ticksOf(record[amount])
  let ticks = 0
  for (const one of lines) ticks += ticksOf(one[line])
  return ticks === whole && whole - ticksOf(record[fee]) === ticksOf(record[refund])
}
