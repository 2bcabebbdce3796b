import Big from 'big.js'
import { numberText } from '../wire/json.ts'
import { amountText } from '../wire/money.ts'
import { objectsIn } from '../wire/raw.ts'
import type { Refund } from '../wire/refunds.ts'
import { isReturnOver } from '../wire/return-states.ts'
import { wordsOf } from '../wire/words.ts'
import { instantOf, type ReturnFacts } from './case.ts'
import { isDue } from './refund-due.ts'
import { sentence, type Viewpoint, whenText } from './where.ts'

/** How much the customer gets, which way, and when it is due or was executed. */
export function moneySentences(facts: ReturnFacts, view: Viewpoint): string {
  const refunds = objectsIn(facts.refunds)
  if (refunds.length > 0) return refunds.map((refund) => refundText(refund, facts, view)).join(' ')
  return plannedText(facts)
}

function refundText(refund: Refund, facts: ReturnFacts, view: Viewpoint): string {
  // Decided (spec §4.8): the amount is what the customer gets, the fee is off it already.
  const worth = [amountText(refund.amount, refund.currency ?? facts.record.currency), wayOf(refund)]
  const what = worth.filter(Boolean).join(' ')
  if (refund.status === 'EXECUTED') {
    const at = instantOf(refund.executedAt)
    return sentence(`${what}, executed${at === undefined ? '' : ` ${whenText(at, view)}`}`)
  }
  if (refund.status === 'FAILED') return sentence(`${what}, but that has failed`)
  const { status } = facts.record
  if (isReturnOver(status) && status !== 'CLOSED') {
    return sentence(`${what}, not executed: the return is ${wordsOf('returnStatus', status)}`)
  }
  return sentence(`${what}, ${dueText([refund.refundMode], facts)}`)
}

/** Before there are refunds, or without having read them. */
function plannedText(facts: ReturnFacts): string {
  const { record } = facts
  const items = objectsIn(record.returnLineItems)
  const isNone = facts.refunds !== undefined
  if (isReturnOver(record.status) && isNone) {
    return sentence(`No money went back: the return is ${wordsOf('returnStatus', record.status)}`)
  }
  const ways = [...new Set(items.map(wayOf).filter(Boolean))]
  const net = record.totalRefund ?? netOf(record.totalReturnAmount, record.totalReturnFee)
  const what = [amountText(net, record.currency), ways.join(' and ')].filter(Boolean).join(' ')
  return sentence(
    `${what || 'An unknown amount'}, ${dueText(
      items.map((item) => item.refundMode),
      facts,
    )}`,
  )
}

/** `due when the parcel arrives`; `due since …` is not said, since nobody records it. */
function dueText(modes: readonly unknown[], facts: ReturnFacts): string {
  const different = [...new Set(modes.filter((mode) => typeof mode === 'string'))]
  if (different.length === 0) return 'nobody knows when'
  return different
    .map((mode) => {
      const when = wordsOf('refundMode', mode)
      if (mode === 'MANUAL') return `to be refunded ${when}`
      return isDue(mode, facts) === 'due' ? `due now (${when}), not executed yet` : `due ${when}`
    })
    .join('; ')
}

function wayOf({ refundType }: { refundType?: unknown }): string {
  const words = wordsOf('refundType', refundType)
  if (words === '') return ''
  if (refundType === 'ORIGINAL_PAYMENT_METHOD') return `to the ${words}`
  if (refundType === 'STORE_CREDIT') return `as ${words}`
  return refundType === 'EXCHANGE' ? `as an ${words}` : `as a ${words}`
}

/** Exact; undefined for what is no number. */
function netOf(amount: unknown, fee: unknown): string | undefined {
  const [whole, less] = [numberText(amount), numberText(fee) || '0']
  const isNumber = (text: string) => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
  return isNumber(whole) && isNumber(less) ? new Big(whole).minus(less).toFixed() : undefined
}
