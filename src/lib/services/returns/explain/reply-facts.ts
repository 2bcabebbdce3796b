import Big from 'big.js'
import { netRefund, waitOf } from '../../../insight/card.ts'
import {
  isExecuted,
  isPickUp,
  isUnderWay,
  lastTransport,
  type ReturnFacts,
  scansOf,
} from '../../../insight/case.ts'
import { isDue } from '../../../insight/refund-due.ts'
import { isReturnOver, REFUND_MODES, REFUND_TYPES } from '../../../wire/enumerations.ts'
import { numberText } from '../../../wire/json.ts'
import { objectsIn, ownValue } from '../../../wire/raw.ts'
import { isNumber } from '../../../wire/read.ts'
import type { Refund } from '../../../wire/refunds.ts'
import type { Transportation } from '../../../wire/transportations.ts'
import sentenceKeys from './sentence-keys.json'

/** Keys of sentences by status of the return or the transport, and by kind of service. */
const {
  status: BY_STATUS,
  transport: BY_TRANSPORT,
  service: BY_SERVICE,
} = sentenceKeys as Readonly<Record<'status' | 'transport' | 'service', Readonly<Record<string, string>>>>
const CAN_BE_LATE = ['handIn', 'bring', 'send', 'pickUp', 'onItsWay']

export function situationOf(facts: ReturnFacts, now: number) {
  const transport = lastTransport(facts)
  const { status } = facts.record
  const sentence = ownValue(BY_STATUS, status) ?? sentenceOf(transport, status)
  const deadline = waitOf(facts)?.by
  const isLate = deadline !== undefined && now > deadline && CAN_BE_LATE.includes(sentence)
  const isScanned = sentence === 'onItsWay' || sentence === 'arrived'
  return {
    /** Key of the sentence under `status` in the files of `replies`. */
    sentence: isLate ? `${sentence}Late` : sentence,
    transport,
    /** Epoch milliseconds by which the customer or the carrier should have acted. */
    deadline,
    /** Date of the last scan, unless the parcel still waits for its first. */
    lastScan: isScanned && transport ? scansOf(transport).at(-1)?.date : undefined,
    isParcelComing: isReturnOver(status) && isUnderWay(transport?.status),
  }
}

function sentenceOf(transport: Transportation | undefined, status: string | null | undefined) {
  if (!transport) return status === 'RECEPTION_IN_PROGRESS' ? 'onItsWay' : 'arranging'
  const reached = ownValue(BY_TRANSPORT, transport.status)
  return (
    reached ?? (isPickUp(transport) ? 'pickUp' : (ownValue(BY_SERVICE, transport.serviceType) ?? 'handIn'))
  )
}

export interface MoneyLine {
  type: (typeof REFUND_TYPES)[number] | 'OTHER'
  state: 'done' | 'later' | 'now' | 'byHand' | 'failed'
  amount: string
  currency: string | null | undefined
  mode: string | undefined
  date: string | undefined
  /** Ids of the items that its refunds name. */
  lineIds: unknown[]
}

/** Returns a line for each refund that differs from the others in more than its amount. */
export function moneyLines(facts: ReturnFacts): MoneyLine[] {
  // Unread refunds may have been paid already: promise none.
  if (facts.refunds === undefined) return []
  const refunds = objectsIn(facts.refunds)
  const lines = new Map<string, MoneyLine>()
  for (const refund of refunds.length > 0 ? refunds : planned(facts)) {
    const state = stateOf(refund, facts)
    if (state === undefined || !isNumber(refund.amount)) continue
    const currency = refund.currency ?? facts.record.currency
    const type = REFUND_TYPES.find((one) => one === refund.refundType) ?? 'OTHER'
    const mode = state === 'later' ? (refund.refundMode ?? undefined) : undefined
    const date = state === 'done' ? (refund.executedAt ?? undefined) : undefined
    const key = JSON.stringify([type, state, currency, mode, date?.slice(0, 10)])
    const { amount: sum = 0, lineIds: ids = [] } = lines.get(key) ?? {}
    const amount = new Big(numberText(refund.amount)).plus(sum).toFixed()
    const lineIds = [...ids, ...objectsIn(refund.lineItems).map((share) => share.returnLineItemId)]
    lines.set(key, { type, state, amount, currency, mode, date, lineIds })
  }
  return [...lines.values()]
}

/** Returns the refund still expected, unless the return is over. */
function planned({ record }: ReturnFacts): Partial<Refund>[] {
  if (isReturnOver(record.status)) return []
  const items = objectsIn(record.returnLineItems)
  const only = <T>(values: T[]) => (new Set(values).size === 1 ? values[0] : undefined)
  const refundType = only(items.map((item) => item.refundType))
  const refundMode = only(items.map((item) => item.refundMode))
  const lineItems = items.map(({ id }) => ({ returnLineItemId: id }))
  return [{ refundType, refundMode, amount: netRefund(record), lineItems }]
}

function stateOf(refund: Partial<Refund>, facts: ReturnFacts): MoneyLine['state'] | undefined {
  const { status, refundMode } = refund
  if (isExecuted(refund)) return 'done'
  if (status === 'FAILED') return 'failed'
  if (isReturnOver(facts.record.status) && facts.record.status !== 'CLOSED') return undefined
  const isKnown = REFUND_MODES.some((mode) => mode === refundMode && mode !== 'MANUAL')
  if (!isKnown) return 'byHand'
  return isDue(refundMode, facts) === 'due' ? 'now' : 'later'
}
