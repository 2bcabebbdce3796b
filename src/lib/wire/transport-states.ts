import { TRANSPORTATION_STATUSES } from './enumerations.ts'

export type TransportStatus = (typeof TRANSPORTATION_STATUSES)[number]

/** Followers of each state, none at an end: then a new transport becomes active. Decided: the order (spec §3.2). */
export const TRANSPORT_TRANSITIONS: Readonly<Record<TransportStatus, readonly TransportStatus[]>> = {
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

export function isTransportStatus(status: string | null | undefined): status is TransportStatus {
  return TRANSPORTATION_STATUSES.some((known) => known === status)
}

const OVER: ReadonlySet<unknown> = new Set(
  TRANSPORTATION_STATUSES.filter((status) => TRANSPORT_TRANSITIONS[status].length === 0),
)

/** Whether nothing more can happen; false for an unknown state. */
export function isTransportOver(status: string | null | undefined): boolean {
  return OVER.has(status)
}

/** Service types whose parcel the customer hands in (spec §2.7). */
export function isDropOff(serviceType: string | null | undefined): boolean {
  return serviceType === 'drop-off' || serviceType === 'drop-off-store'
}

/** True if one or more steps lead from one state to the other. */
export function leadsTo(from: string | null | undefined, to: string): boolean {
  if (!isTransportStatus(from)) return false
  return TRANSPORT_TRANSITIONS[from].some((next) => next === to || leadsTo(next, to))
}
