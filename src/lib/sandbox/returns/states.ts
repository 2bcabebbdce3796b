import type { RETURN_STATUSES } from '../../wire/returns.ts'
import type { TRANSPORTATION_STATUSES } from '../../wire/transportations.ts'

export type ReturnStatus = (typeof RETURN_STATUSES)[number]
export type TransportStatus = (typeof TRANSPORTATION_STATUSES)[number]

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

/** The life of a transport, from `REQUESTED` (spec §3.2; decided). After an end a new transport becomes the active one. */
export const TRANSPORT_TRANSITIONS: Transitions<TransportStatus> = {
  // Straight to shipping: the customer hands the parcel in.
  REQUESTED: ['PICK_UP_IN_PROGRESS', 'SHIPPING_IN_PROGRESS', 'SHIPPING_FAILED', 'SHIPPING_CANCELLED'],
  PICK_UP_IN_PROGRESS: ['PICK_UP_COMPLETED', 'PICK_UP_FAILED', 'PICK_UP_CANCELLED'],
  PICK_UP_COMPLETED: ['SHIPPING_IN_PROGRESS', 'SHIPPING_FAILED', 'SHIPPING_CANCELLED'],
  SHIPPING_IN_PROGRESS: ['SHIPPING_COMPLETED', 'SHIPPING_FAILED', 'SHIPPING_CANCELLED'],
  SHIPPING_COMPLETED: [],
  PICK_UP_FAILED: [],
  PICK_UP_CANCELLED: [],
  SHIPPING_FAILED: [],
  SHIPPING_CANCELLED: [],
}

/** The next state, or an Error for a step that the table does not have. */
export function step<S extends string>(table: Transitions<S>, from: S, to: S): S {
  if (!table[from].includes(to)) throw new Error(`No transition from ${from} to ${to}`)
  return to
}
