import type { ReturnStatus } from '../../wire/return-states.ts'

export { RETURN_TRANSITIONS, type ReturnStatus } from '../../wire/return-states.ts'
export { TRANSPORT_TRANSITIONS, type TransportStatus } from '../../wire/transport-states.ts'

type Transitions<S extends string> = Readonly<Record<S, readonly S[]>>

export const FIRST_RETURN_STATUSES: readonly ReturnStatus[] = ['NEEDS_VALIDATION', 'PENDING']

/** @throws Error for a step that the table does not have */
export function step<S extends string>(table: Transitions<S>, from: S, to: S): S {
  if (!table[from].includes(to)) throw new Error(`No transition from ${from} to ${to}`)
  return to
}
