import { isTransportOver, isTransportStatus, leadsTo } from '../../../wire/transport-states.ts'

/**
 * What a report would do to its shipment:
 *
 * - `new`: moves it on
 * - `no-op`: says what the platform has already
 * - `backward`: names a state that lies behind
 * - `illegal`: names a state that can't follow, or that a transport failed which has ended
 * - `stale`: is older than what the platform has; it would be kept in the history alone
 * - `missing`: there is no such return, or nothing under way for it
 * - `future`: is dated too far ahead, and would make everything later stale
 */
export const VERDICTS = ['new', 'no-op', 'backward', 'illegal', 'stale', 'missing', 'future'] as const
export type RowVerdict = (typeof VERDICTS)[number]

export interface KnownState {
  status: string
  /** Stands for the tracking number; 0 for none. */
  number: number
  /** What is dated before it is stale. */
  since: number | undefined
  /** What is dated then or later is not stale; between the two, only the platform's events can tell. */
  until: number | undefined
}

export interface Judged {
  status: string
  /** As in `KnownState`; 0 if the report names none. */
  number: number
  seconds: number
  /** Whether it is about a transport before the active one; undefined as long as nobody looked. */
  isOfFormer?: boolean
}

/** Undefined if the transports of the shipment have to be looked at first. */
export function judge(report: Judged, state: KnownState | undefined): RowVerdict | undefined {
  if (state === undefined) return 'missing'
  if (report.seconds < (state.since ?? Number.NEGATIVE_INFINITY)) return 'stale'
  if (report.seconds < (state.until ?? Number.POSITIVE_INFINITY)) return undefined
  const isSameNumber = report.number === 0 || report.number === state.number
  if (report.status === state.status) return isSameNumber ? 'no-op' : 'new'
  // Of a state that the specification does not know, only the platform can say what follows.
  if (!isTransportStatus(report.status) || !isTransportStatus(state.status)) return 'new'
  if (leadsTo(state.status, report.status)) {
    if (!mayBeOfFormer(report, state)) return 'new'
    return report.isOfFormer === undefined ? undefined : report.isOfFormer ? 'illegal' : 'new'
  }
  return leadsTo(report.status, state.status) ? 'backward' : 'illegal'
}

/** Only after a failure there is a transport before; decided: a replacement that is just requested needs its number. */
function mayBeOfFormer({ status, number }: Judged, state: KnownState): boolean {
  if (!isTransportOver(status) || status === 'SHIPPING_COMPLETED') return false
  return number === 0 ? state.status === 'REQUESTED' : number !== state.number
}

export function stateAfter({ status, number, seconds }: Judged, { number: before }: KnownState): KnownState {
  return { status, number: number === 0 ? before : number, since: seconds, until: seconds }
}
