import Big from 'big.js'
import type { MethodRule } from './rules.ts'
import { fitsRequest, type Reason, type Subject } from './subject.ts'

/** The fee of a method in the request's currency, or why there is none. `path` is the method's place in the file. */
export function feeOf(
  rule: MethodRule,
  path: string,
  subject: Subject,
): { amount?: number | undefined; reason: Reason } {
  const index = rule.fees.findIndex((each) => fitsRequest(each, subject))
  const fee = rule.fees[index]
  if (!fee) {
    return { reason: { rule: `${path}.fees`, text: 'no fee fits this country, tier and reason' } }
  }
  const { currency } = subject
  const at = `${path}.fees[${index}]`
  const priced = Object.hasOwn(fee.amounts, currency) ? fee.amounts[currency] : undefined
  if (priced === undefined) {
    const known = Object.keys(fee.amounts).join(', ')
    return { reason: { rule: `${at}.amounts`, text: `no fee in ${currency}, only in ${known}` } }
  }
  const by = fee.by ?? 'totalPaid'
  const one = typeof priced === 'string' ? priced : stepFee(priced, subject.spent[by])
  if (one === undefined) {
    const text = `${by} is below the lowest step`
    return { reason: { rule: `${at}.amounts.${currency}`, text } }
  }
  const total = fee.perUnit ? new Big(one).times(subject.units) : new Big(one)
  // `toFixed` would write `1e999999999` out.
  const how = [
    ...(typeof priced === 'string' ? [] : [`${by} ${subject.spent[by].toString()} ${currency}`]),
    ...(fee.perUnit ? [`${subject.units} × ${one}`] : []),
  ]
  const text = `fee ${total.toFixed()} ${currency}${how.length > 0 ? ` (${how.join(', ')})` : ''}`
  // A double holds fees exactly: they have at most 15 digits (`amount` in rules.ts).
  return { amount: total.toNumber(), reason: { rule: at, text } }
}

/** The fee of the highest step reached, in any order of steps. */
function stepFee(steps: readonly { from: string; fee: string }[], spent: Big): string | undefined {
  const reached = steps.filter(({ from }) => spent.gte(from))
  return reached.sort((a, b) => new Big(b.from).cmp(a.from))[0]?.fee
}
