import type { RETURN_STATUSES } from '../../wire/returns.ts'

export { TRANSPORT_TRANSITIONS, type TransportStatus } from '../../wire/transport-states.ts'

export type ReturnStatus = (typeof RETURN_STATUSES)[number]

/** Which states may follow which; no followers means the end. */
type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>

/** States in which a return comes into being. */
export const FIRST_RETURN_STATUSES: readonly ReturnStatus[] = ['NEEDS_VALIDATION', 'PENDING']

/** The life of a return (spec §3.1 names the states; decided: how they follow each other). */
export const RETURN_TRANSITIONS: Transitions<ReturnStatus> = {
  NEEDS_VALIDATION: ['PENDING', 'DISCARDED'],
  PENDING: ['RECEPTION_IN_PROGRESS', 'EXPIRED', 'DISCARDED'],
  RECEPTION_IN_PROGRESS: ['RECEPTION_COMPLETED'],
  RECEPTION_COMPLETED: ['RECEIVED'],
  RECEIVED: ['CHECKED'],
  CHECKED: ['CLOSED'],
  CLOSED: [],
  DISCARDED: [],
  EXPIRED: [],
}

/** The next state, or an Error for a step that the table does not have. */
export function step<S extends string>(table: Transitions<S>, from: S, to: S): S {
  if (!table[from].includes(to)) throw new Error(`No transition from ${from} to ${to}`)
  return to
}
