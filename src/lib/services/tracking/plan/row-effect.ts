import { isReplaced, isTransportStatus, leadsTo } from '../../../wire/enumerations.ts'
import type { Return } from '../../../wire/returns.ts'
import { knownReturn, trackingFactsOf } from '../../../wire/tracking/history.ts'
import {
  afterUpdate,
  type Judgement,
  judgeUpdate,
  type KnownReturn,
  type TrackingFacts,
} from '../../../wire/tracking/rule.ts'
import type { TrackingRequest } from '../../../wire/tracking.ts'
import type { Transportation } from '../../../wire/transportations.ts'

/**
 * Effect of an update on its shipment:
 *
 * - `new`: the platform would apply it
 * - `too early`: dated long before the return; the platform may refuse it
 * - `no-op`: known already
 * - `backward`: a state that the transport has passed
 * - `illegal`: a state that can't follow, or a transport that has ended
 * - `stale`: older than the last update, changes only the history
 * - `missing`: no such return, or nothing under way for it
 * - `future`: dated too far ahead; later updates would be stale
 */
export const VERDICTS = [
  'new',
  'too early',
  'no-op',
  'backward',
  'illegal',
  'stale',
  'missing',
  'future',
] as const
export type RowVerdict = (typeof VERDICTS)[number]

/** Includes early updates, on which the platform decides. */
export function isSent(verdict: RowVerdict): boolean {
  return verdict === 'new' || verdict === 'too early'
}

export interface ActiveReturn extends Pick<Return, 'id' | 'createdAt' | 'status'> {
  active: Pick<Transportation, 'id' | 'createdAt' | 'status' | 'carrierReference' | 'carrierTrackingUrl'>
}

export interface ShipmentState {
  /** Absent if the platform shows no events. */
  known: KnownReturn | undefined
  /** Oldest first; `status` is undefined if it is no longer known. */
  transports: readonly Partial<Record<'id' | 'status' | 'carrierReference', string | null | undefined>>[]
  active: number
}

export function stateOf(record: ActiveReturn, listed: readonly Transportation[]): ShipmentState {
  const { active } = record
  const isListed = listed.some(({ id }) => id === active.id)
  const all: readonly ActiveReturn['active'][] = isListed ? listed : [...listed, active]
  return {
    known: knownReturn(record, listed),
    transports: all.map(({ id, status, carrierReference }) => ({ id, status, carrierReference })),
    active: all.findIndex(({ id }) => id === active.id),
  }
}

interface RowEffect {
  verdict: RowVerdict
  after: ShipmentState
}

/**
 * @param transportId of the transport that the update's id names, if it names one
 * @param isUndated the update gets the time at which it is sent, so that it looks like a further scan each time
 */
export function judgeRow(
  request: TrackingRequest,
  state: ShipmentState,
  { transportId, isUndated = false }: { transportId: string | undefined; isUndated?: boolean },
): RowEffect {
  const update = trackingFactsOf(request)
  const named = transportId === undefined ? -1 : state.transports.findIndex(({ id }) => id === transportId)
  if (transportId !== undefined && named < 0) return { verdict: 'missing', after: state }
  if (isUndated && isAlreadyKnown(update, state, named)) return { verdict: 'no-op', after: state }
  return state.known ? byEvents(update, state, state.known, named) : byStatus(update, state, named)
}

function isAlreadyKnown({ status, number }: TrackingFacts, state: ShipmentState, named: number) {
  const at = named < 0 ? state.active : named
  const [transport, known] = [state.transports[at], state.known?.transports[at]]
  const numbers = [known?.number ?? transport?.carrierReference, ...(known?.otherNumbers ?? [])]
  return status === (known?.status ?? transport?.status) && (number === undefined || numbers.includes(number))
}

function byEvents(update: TrackingFacts, state: ShipmentState, known: KnownReturn, named: number): RowEffect {
  const { transports } = known
  const isOfOther = named >= 0 && named !== state.active
  const judged = judgeUpdate(update, known, isOfOther ? named : undefined)
  if (isOfOther) return { verdict: verdictForInactive(judged), after: state }
  const next = afterUpdate(known, update, judged)
  // The replacement of a failed transport is the active one.
  const active = next.transports.length > transports.length ? transports.length : state.active
  const after = { ...state, known: next, active }
  switch (judged.verdict) {
    case 'applied':
      return { verdict: 'new', after }
    case 'duplicate':
      return { verdict: 'no-op', after }
    case 'none':
      return {
        verdict: transports.length === 0 ? 'missing' : behind(update.status, transports.at(-1)?.status),
        after,
      }
    case 'refused':
      return { verdict: behind(update.status, transports[judged.transport]?.status), after }
    default:
      return { verdict: judged.verdict, after }
  }
}

/** Verdict for a transport that is not active: the platform would move the active one instead. */
function verdictForInactive({ verdict }: Judgement): RowVerdict {
  if (verdict === 'duplicate') return 'no-op'
  return verdict === 'stale' || verdict === 'too early' ? 'stale' : 'illegal'
}

function behind(status: string, current: string | undefined): 'backward' | 'illegal' {
  return leadsTo(status, current ?? '') ? 'backward' : 'illegal'
}

/** Judges by state and number of the transport alone. */
function byStatus({ status, number }: TrackingFacts, state: ShipmentState, named: number): RowEffect {
  const at = named < 0 ? state.active : named
  const transport = state.transports[at]
  const current = transport?.status ?? undefined
  if (status === current && (number === undefined || number === transport?.carrierReference))
    return { verdict: 'no-op', after: state }
  const isKnown = isTransportStatus(status) && isTransportStatus(current)
  if (at !== state.active || (isKnown && status !== current && !leadsTo(current, status)))
    return { verdict: behind(status, current), after: state }
  // After a failure the active transport's state is unknown.
  const moved = {
    ...transport,
    status: isReplaced(status) ? undefined : status,
    carrierReference: number ?? transport?.carrierReference,
  }
  return { verdict: 'new', after: { ...state, transports: state.transports.with(at, moved) } }
}
