import Big from 'big.js'
import { isReturnOver, isTransportOver } from '../wire/enumerations.ts'
import { numberText } from '../wire/json.ts'
import { amountText } from '../wire/money.ts'
import { at, joinParts, objectsIn } from '../wire/raw.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import { formatServiceDate, parseServiceDate, parseWallTime } from '../wire/time.ts'
import type { Transportation } from '../wire/transportations.ts'
import { wordsOf } from '../wire/words.ts'
import {
  DAY_MS,
  HOUR_MS,
  isExecuted,
  isPickUp,
  isUnderWay,
  lastTransport,
  nameOf,
  type ReturnFacts,
  scansOf,
  spanText,
} from './case.ts'
import { isDue } from './refund-due.ts'

interface Viewpoint {
  now: number
  zone: string
}

interface Wait {
  for: string
  by: number
}

const LABEL_USED_MS = 14 * DAY_MS
const NEXT_STEP_MS = 72 * HOUR_MS
const TO_THE_MINUTE = 16

export function whereSentences(facts: ReturnFacts, view: Viewpoint): string {
  const { record } = facts
  const transport = lastTransport(facts)
  const wait = waitOf(facts)
  const isOverOnItsWay = isReturnOver(record.status) && isUnderWay(transport?.status)
  const parts = [
    placeText(facts, transport, view),
    wait && waitText(wait, view),
    isOverOnItsWay && `The return itself is ${wordsOf('returnStatus', record.status)}`,
  ]
  return parts
    .flatMap((part) => part || [])
    .map(sentence)
    .join(' ')
}

/** Returns the next expected step; undefined if there is none, or it is not known. */
export function waitOf(facts: ReturnFacts): Wait | undefined {
  const { record } = facts
  const transport = lastTransport(facts)
  if (!transport || (isReturnOver(record.status) && !isUnderWay(transport.status))) return undefined
  const { status } = transport
  const scan = scansOf(transport).at(-1)
  const wait = (what: string, from: number | undefined, forMs: number): Wait | undefined =>
    from === undefined ? undefined : { for: what, by: from + forMs }
  // The shop knows what it has, even if a carrier forgot a scan.
  if (record.status === 'RECEIVED') return wait('the check', parseServiceDate(record.updatedAt), NEXT_STEP_MS)
  if (record.status === 'RECEPTION_COMPLETED') return wait('its reception', scan?.at, NEXT_STEP_MS)
  if (record.status === 'CHECKED' || (record.status === 'NEEDS_VALIDATION' && !isUnderWay(status)))
    return undefined
  if (status === 'REQUESTED' || status === 'PICK_UP_IN_PROGRESS') {
    const { pickupDate } = transport
    // A date with its time, or a day (spec §2.4), which ends 12 hours after UTC's in the westernmost zone.
    const pickup = parseServiceDate(pickupDate) ?? parseWallTime(`${pickupDate}T12:00`)
    if (pickup !== undefined) return wait('the pick-up', pickup, DAY_MS)
    const what = isPickUp(transport) ? 'the pick-up' : 'the customer to hand it in'
    return wait(what, parseServiceDate(transport.createdAt), LABEL_USED_MS)
  }
  if (isUnderWay(status)) return wait('the next scan', scan?.at, NEXT_STEP_MS)
  const isArrived = status === 'SHIPPING_COMPLETED' && record.status === 'RECEPTION_IN_PROGRESS'
  return isArrived ? wait('its reception', scan?.at, NEXT_STEP_MS) : undefined
}

function placeText({ record }: ReturnFacts, transport: Transportation | undefined, view: Viewpoint) {
  const ofReturn = wordsOf('returnStatus', record.status)
  if (!transport) {
    return isReturnOver(record.status) || record.status === 'NEEDS_VALIDATION'
      ? `No parcel is on its way: the return is ${ofReturn}`
      : 'No transport is arranged yet'
  }
  const scan = scansOf(transport).at(-1)
  const by = transport.carrierCode ? ` by ${transport.carrierCode}` : ''
  const quote = scan?.description ? `: “${scan.description}”` : ''
  const last = scan && `last scan ${whenText(scan.at, view)}${by}${quote}`
  const isToBeFetched = transport.status === 'REQUESTED' && isPickUp(transport)
  const ofTransport = isToBeFetched ? 'Not picked up yet' : wordsOf('transportStatus', transport.status)
  const state = record.status === 'RECEPTION_COMPLETED' ? ofReturn : ofTransport
  if (record.status === 'RECEIVED' || record.status === 'CHECKED' || record.status === 'CLOSED') {
    return joinParts(['At the shop', ofReturn, last])
  }
  return joinParts([
    state,
    last ?? (at(transport, 'trackingEvents') === undefined ? undefined : `no scan yet${by}`),
  ])
}

function waitText({ for: what, by }: Wait, view: Viewpoint) {
  const date = formatServiceDate(by, view.zone).slice(0, TO_THE_MINUTE)
  const late = view.now - by
  return late > 0 ? `Overdue: ${what}, expected by ${date}` : `Waits for ${what}, expected by ${date}`
}

function whenText(at: number, { now, zone }: Viewpoint) {
  const date = formatServiceDate(at, zone).slice(0, TO_THE_MINUTE)
  return now < at ? date : `${date} (${spanText(now - at)} ago)`
}

function sentence(text: string) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

export function moneySentences(facts: ReturnFacts, view: Viewpoint): string {
  const refunds = objectsIn(facts.refunds)
  if (refunds.length > 0) return refunds.map((refund) => refundText(refund, facts, view)).join(' ')
  return plannedText(facts)
}

function refundText(refund: Refund, facts: ReturnFacts, view: Viewpoint) {
  // Decided (spec §4.8): the amount is what the customer gets, after the fee.
  const worth = [amountText(refund.amount, refund.currency ?? facts.record.currency), wayOf(refund)]
  const what = joinParts(worth, ' ')
  if (isExecuted(refund)) {
    const at = parseServiceDate(refund.executedAt)
    return sentence(`${what}, executed${at === undefined ? '' : ` ${whenText(at, view)}`}`)
  }
  if (refund.status === 'FAILED') return sentence(`${what}, but that has failed`)
  const { status } = facts.record
  if (isReturnOver(status) && status !== 'CLOSED') {
    return sentence(`${what}, not executed: the return is ${wordsOf('returnStatus', status)}`)
  }
  return sentence(`${what}, ${dueText([refund.refundMode], facts)}`)
}

function plannedText(facts: ReturnFacts) {
  const { record } = facts
  const items = objectsIn(record.returnLineItems)
  const isOver = isReturnOver(record.status)
  if (isOver && facts.refunds !== undefined) {
    return sentence(`No money went back: the return is ${wordsOf('returnStatus', record.status)}`)
  }
  const ways = [...new Set(items.map(wayOf).filter(Boolean))]
  const sum = joinParts([amountText(netRefund(record), record.currency), ways.join(' and ')], ' ')
  const what = sum || 'An unknown amount'
  const modes = items.map((item) => item.refundMode)
  if (facts.refunds === undefined && (isOver || modes.some((mode) => isDue(mode, facts) === 'due'))) {
    return sentence(`${what}; whether it was refunded is not known here`)
  }
  return sentence(`${what}, ${dueText(modes, facts)}`)
}

/** `due when the parcel arrives`, or `due now`, since nobody records the time. */
function dueText(modes: readonly unknown[], facts: ReturnFacts) {
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

function wayOf({ refundType }: { refundType?: unknown }) {
  const words = wordsOf('refundType', refundType)
  if (words === '') return ''
  if (refundType === 'ORIGINAL_PAYMENT_METHOD') return `to the ${words}`
  if (refundType === 'STORE_CREDIT') return `as ${words}`
  return refundType === 'EXCHANGE' ? `as an ${words}` : `as a ${words}`
}

/** Returns what the customer gets: `totalRefund`, else the amount less the fee. */
export function netRefund({ totalRefund, totalReturnAmount, totalReturnFee }: Return): Return['totalRefund'] {
  if (totalRefund !== undefined && totalRefund !== null) return totalRefund
  const [whole, less] = [numberText(totalReturnAmount), numberText(totalReturnFee) || '0']
  const isNumber = (text: string) => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
  return isNumber(whole) && isNumber(less) ? new Big(whole).minus(less).toFixed() : undefined
}

interface NextStep {
  text: string
  /** Words of a command for the step, without the program's name. */
  command?: readonly string[]
}

export function nextStep(facts: ReturnFacts, view: Viewpoint): NextStep {
  const { record } = facts
  const name = nameOf(record)
  const refunds = objectsIn(facts.refunds)
  const toRefunds = ['returns', 'refunds', name]
  if (refunds.some(({ status }) => status === 'FAILED')) {
    return { text: 'Look into the refund that failed', command: toRefunds }
  }
  const isOpen = !refunds.every(isExecuted)
  const transport = lastTransport(facts)
  if (isReturnOver(record.status)) {
    if (record.status === 'CLOSED' && isOpen) {
      return { text: 'See to the refund that is open', command: toRefunds }
    }
    return transport && isUnderWay(transport.status)
      ? { text: 'Decide what becomes of the parcel when it arrives' }
      : { text: 'Nothing is left to do' }
  }
  if (record.status === 'NEEDS_VALIDATION') return { text: 'Approve the return, or discard it' }
  if (record.status === 'RECEIVED') return { text: 'Check the items' }
  if (record.status === 'CHECKED') {
    return isOpen || isRefundDue(facts)
      ? { text: 'See to the refund', command: toRefunds }
      : { text: 'Close the return' }
  }
  if (record.status === 'RECEPTION_COMPLETED') return RECEIVE
  return parcelStep(facts, transport, name, view)
}

const RECEIVE: NextStep = { text: 'Receive the parcel and check the items' }

function parcelStep(
  facts: ReturnFacts,
  transport: Transportation | undefined,
  name: string,
  { now }: Viewpoint,
) {
  if (!transport || (isTransportOver(transport.status) && transport.status !== 'SHIPPING_COMPLETED')) {
    // The platform asks for the customer's tier, which no return says.
    const command = ['methods', 'calculate', '--for', name, '--tier', 'STANDARD']
    return { text: "Offer another way to send it, with the customer's own --tier", command }
  }
  if (transport.status === 'SHIPPING_COMPLETED') return RECEIVE
  const wait = waitOf(facts)
  const isLate = wait !== undefined && now > wait.by
  const { carrierReference, carrierTrackingUrl } = transport
  const carrier = transport.carrierCode ?? 'the carrier'
  if (isUnderWay(transport.status)) {
    const about = joinParts([carrierReference, carrierTrackingUrl])
    const ask = `Ask ${carrier} where it is${about && ` (${about})`}`
    return { text: isLate ? ask : `Wait for ${carrier}` }
  }
  if (isPickUp(transport))
    return { text: isLate ? `Ask ${carrier} for another pick-up` : 'Wait for the pick-up' }
  return {
    text: isLate ? 'Remind the customer to hand it in' : 'Wait for the customer to hand it in',
    ...(transport.serviceType === 'drop-off' ? { command: ['pudos', 'search', name] } : {}),
  }
}

function isRefundDue(facts: ReturnFacts) {
  if (facts.refunds === undefined || facts.refunds.length > 0) return false
  return objectsIn(facts.record.returnLineItems).some(({ refundMode }) => isDue(refundMode, facts) === 'due')
}
