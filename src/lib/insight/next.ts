import { objectsIn } from '../wire/raw.ts'
import { isReturnOver } from '../wire/return-states.ts'
import { isTransportOver } from '../wire/transport-states.ts'
import type { Transportation } from '../wire/transportations.ts'
import { isPickUp, isUnderWay, lastTransport, nameOf, type ReturnFacts } from './case.ts'
import { isDue } from './refund-due.ts'
import { type Viewpoint, waitOf } from './where.ts'

export interface NextStep {
  /** Has no full stop. */
  text: string
  /** Words of the command that does it, or leads on, without the program's name. */
  command?: readonly string[]
}

/** The next step of whoever serves the customer, the most urgent one. */
export function nextStep(facts: ReturnFacts, view: Viewpoint): NextStep {
  const { record } = facts
  const name = nameOf(record)
  const refunds = objectsIn(facts.refunds)
  if (refunds.some(({ status }) => status === 'FAILED')) {
    return { text: 'Look into the refund that failed', command: ['returns', 'refunds', name] }
  }
  const transport = lastTransport(facts)
  if (isReturnOver(record.status)) {
    if (record.status === 'CLOSED' && refunds.some(({ status }) => status === 'PENDING')) {
      return { text: 'See to the refund that is open', command: ['returns', 'refunds', name] }
    }
    return transport && isUnderWay(transport.status)
      ? { text: 'Decide what becomes of the parcel when it arrives' }
      : { text: 'Nothing is left to do' }
  }
  if (record.status === 'NEEDS_VALIDATION') return { text: 'Approve the return, or discard it' }
  if (record.status === 'RECEIVED') return { text: 'Check the items' }
  if (record.status === 'CHECKED') {
    const isOpen = refunds.some(({ status }) => status === 'PENDING') || isRefundDue(facts)
    return isOpen
      ? { text: 'See to the refund', command: ['returns', 'refunds', name] }
      : { text: 'Close the return' }
  }
  return parcelStep(facts, transport, name, view)
}

function parcelStep(
  facts: ReturnFacts,
  transport: Transportation | undefined,
  name: string,
  { now }: Viewpoint,
): NextStep {
  if (!transport || (isTransportOver(transport.status) && transport.status !== 'SHIPPING_COMPLETED')) {
    // The platform asks for the customer's tier, which no return says.
    const command = ['methods', 'calculate', '--for', name, '--tier', 'STANDARD']
    return { text: "Offer another way to send it, with the customer's own --tier", command }
  }
  if (transport.status === 'SHIPPING_COMPLETED') return { text: 'Receive the parcel and check the items' }
  const wait = waitOf(facts)
  const isLate = wait !== undefined && now > wait.by
  if (isUnderWay(transport.status)) {
    const { carrierCode, carrierReference, carrierTrackingUrl } = transport
    const about = [carrierReference, carrierTrackingUrl].filter(Boolean).join(', ')
    const ask = `Ask ${carrierCode ?? 'the carrier'} where it is${about && ` (${about})`}`
    return { text: isLate ? ask : `Wait for ${carrierCode ?? 'the carrier'}` }
  }
  if (isPickUp(transport)) {
    return {
      text: isLate
        ? `Ask ${transport.carrierCode ?? 'the carrier'} for another pick-up`
        : 'Wait for the pick-up',
    }
  }
  return {
    text: isLate ? 'Remind the customer to hand it in' : 'Wait for the customer to hand it in',
    ...(transport.serviceType === 'drop-off' ? { command: ['pudos', 'search', name] } : {}),
  }
}

/** Something is owed that no refund stands for. */
function isRefundDue(facts: ReturnFacts): boolean {
  if (facts.refunds === undefined || facts.refunds.length > 0) return false
  return objectsIn(facts.record.returnLineItems).some(({ refundMode }) => isDue(refundMode, facts) === 'due')
}
