import { RETURN_STATUSES } from './enumerations.ts'

export type ReturnStatus = (typeof RETURN_STATUSES)[number]

/** Followers of each state, none at the end. Spec §3.1 names the states; decided: their order. */
export const RETURN_TRANSITIONS: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
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

const OVER: ReadonlySet<unknown> = new Set(
  RETURN_STATUSES.filter((status) => RETURN_TRANSITIONS[status].length === 0),
)

/** Whether nothing more can happen; false for an unknown state. */
export function isReturnOver(status: string | null | undefined): boolean {
  return OVER.has(status)
}
