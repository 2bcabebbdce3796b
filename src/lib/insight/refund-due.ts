import { isTransportStatus, leadsTo } from '../wire/enumerations.ts'
import { type ReturnFacts, scansOf, transportsOf } from './case.ts'

/** `may-be`: unknown, or decided by a person. */
type DueState = 'due' | 'not-due' | 'may-be'

const PATH = ['PENDING', 'RECEPTION_IN_PROGRESS', 'RECEPTION_COMPLETED', 'RECEIVED', 'CHECKED', 'CLOSED']
const CALLED_OFF = ['DISCARDED', 'EXPIRED']

/**
 * Tells whether a refund of this mode is due. The conditions of the modes (spec §2.2) are our decision. Called-off
 * returns drop open refunds, so nobody knows what they owe.
 */
export function isDue(mode: unknown, facts: ReturnFacts): DueState {
  const { status } = facts.record
  const reached = PATH.indexOf(String(status))
  const isCalledOff = CALLED_OFF.includes(String(status))
  if (reached < 0 && !isCalledOff && status !== 'NEEDS_VALIDATION') return 'may-be'
  const decide = (isReached: boolean): DueState => {
    if (isCalledOff) return isReached ? 'may-be' : 'not-due'
    return isReached ? 'due' : 'not-due'
  }
  // Earlier scans count even if the parcel failed afterwards.
  const decideByParcel = (position: number, ...states: string[]): DueState => {
    const seen = transportsOf(facts).flatMap((transport) => [
      ...(transport.status ? [transport.status] : []),
      ...scansOf(transport).map(({ status }) => status),
    ])
    const isSeen = seen.some((status) => states.some((state) => state === status || hasPassed(state, status)))
    if (reached >= position || isSeen) return decide(true)
    return facts.transportations === undefined ? 'may-be' : decide(false)
  }
  switch (mode) {
    case 'INSTANT':
      return decide(true)
    case 'PRE_VALIDATION':
      // Only an approved return has a transport.
      return decide(reached >= 0 || transportsOf(facts).length > 0)
    case 'DROP_OFF':
      return decideByParcel(1, 'PICK_UP_COMPLETED', 'SHIPPING_IN_PROGRESS')
    case 'SHIPPING_IN_PROGRESS':
      return decideByParcel(1, 'SHIPPING_IN_PROGRESS')
    case 'SHIPPING_COMPLETED':
      return decideByParcel(2, 'SHIPPING_COMPLETED')
    case 'POST_VALIDATION':
      return decide(reached >= PATH.indexOf('CHECKED'))
    default:
      return 'may-be'
  }
}

/** True if a status proves an earlier state, which a failure does not. */
function hasPassed(state: string, status: string) {
  return (
    isTransportStatus(status) && /^SHIPPING_(IN_PROGRESS|COMPLETED)$/.test(status) && leadsTo(state, status)
  )
}
