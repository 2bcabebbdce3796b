/** Values of enumerated fields, apart from the schemas so that they load no zod. */

/** Spec §3.1. */
export const RETURN_STATUSES = [
  'PENDING',
  'RECEPTION_IN_PROGRESS',
  'RECEPTION_COMPLETED',
  'RECEIVED',
  'CHECKED',
  'CLOSED',
  'DISCARDED',
  'EXPIRED',
  'NEEDS_VALIDATION',
] as const

/** Spec §2.2. */
export const REFUND_TYPES = ['ORIGINAL_PAYMENT_METHOD', 'STORE_CREDIT', 'EXCHANGE', 'GIFT_CARD'] as const

/** Spec §2.2. */
export const REFUND_MODES = [
  'PRE_VALIDATION',
  'SHIPPING_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'POST_VALIDATION',
  'MANUAL',
  'INSTANT',
  'DROP_OFF',
] as const

/** Spec §3.2. */
export const TRANSPORTATION_STATUSES = [
  'REQUESTED',
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'SHIPPING_COMPLETED',
  'PICK_UP_FAILED',
  'PICK_UP_CANCELLED',
  'SHIPPING_FAILED',
  'SHIPPING_CANCELLED',
] as const

/** Decided. */
export const REFUND_STATUSES = ['PENDING', 'EXECUTED', 'FAILED'] as const

/** Spec §4.2. */
export const LABEL_FORMATS = ['PDF', 'ZPL'] as const

/** Formats that come back, label-free codes included (spec §2.6). */
export const FINAL_LABEL_FORMATS = [...LABEL_FORMATS, 'PNG'] as const

/** Spec §4.4. */
export const LABEL_SHIPMENT_ID_TYPES = ['RETURN_NAME', 'CLIENT_REFERENCE', 'MERCHANT_RETURN_NAME'] as const

/** Decided. */
export const PUDO_LOCATION_TYPES = ['SERVICE_POINT', 'LOCKER', 'POST_OFFICE', 'CARRIER_DEPOT'] as const

/** Spec §2.7. */
export const SERVICE_TYPES = ['drop-off', 'pick-up', 'direct', 'do-it-yourself', 'drop-off-store'] as const

/** Spec §2.7. */
export const PROMOTION_TYPES = [
  'DISCOUNT_COUPON_FIXED',
  'DISCOUNT_COUPON_PERCENTAGE',
  'PRIORITY_REFUND',
] as const

export const PRINTER_LANGUAGES = ['zpl', 'pdf'] as const

export type PrinterLanguage = (typeof PRINTER_LANGUAGES)[number]

export const SHEET_NAMES = ['a4', 'letter', 'a6', '4x6'] as const

export type Sheet = (typeof SHEET_NAMES)[number]

export type ReturnStatus = (typeof RETURN_STATUSES)[number]

/** States that may follow each state of spec §3.1. Decided: their order. */
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

/** False for an unknown state. */
export function isReturnOver(status: string | null | undefined) {
  return RETURN_STATUSES.some((one) => one === status && RETURN_TRANSITIONS[one].length === 0)
}

export type TransportStatus = (typeof TRANSPORTATION_STATUSES)[number]

/** States that may follow each state of spec §3.2. Decided: their order. */
export const TRANSPORT_TRANSITIONS: Readonly<Record<TransportStatus, readonly TransportStatus[]>> = {
  // Customers hand parcels in without a pick-up.
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

/** False for an unknown state. */
export function isTransportOver(status: string | null | undefined) {
  return isTransportStatus(status) && TRANSPORT_TRANSITIONS[status].length === 0
}

/** True if another transport then becomes the active one. */
export function isReplaced(status: string | null | undefined) {
  return isTransportOver(status) && status !== 'SHIPPING_COMPLETED'
}

/** True if one or more transitions lead to `to`. */
export function leadsTo(from: string | null | undefined, to: string): boolean {
  if (!isTransportStatus(from)) return false
  return TRANSPORT_TRANSITIONS[from].some((next) => next === to || leadsTo(next, to))
}
