import { RETURN_STATUSES } from './returns.ts'

export type ReturnStatus = (typeof RETURN_STATUSES)[number]

/**
 * The life of a return: which states may follow which; no followers means the end (spec §3.1 names the states; decided:
 * how they follow each other).
 */
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

/** Whether nothing more can happen to a return; an unknown state is none in which that is certain. */
export function isReturnOver(status: string | null | undefined): boolean {
  const known = RETURN_STATUSES.find((one) => one === status)
  return known !== undefined && RETURN_TRANSITIONS[known].length === 0
}
