/** The values that a field may have. Apart from the schemas, so that who needs them does not load zod. */

/** Spec §3.1; also values of the `status` filter. */
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

/** When a refund is executed (spec §2.2). */
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

/** The spec leaves them open; decided. */
export const REFUND_STATUSES = ['PENDING', 'EXECUTED', 'FAILED'] as const

/** Formats to ask for (spec §4.2); a carrier may answer in another. */
export const LABEL_FORMATS = ['PDF', 'ZPL'] as const

/** Formats of labels, and of codes that hand over a label-free parcel (spec §2.6). */
export const FINAL_LABEL_FORMATS = [...LABEL_FORMATS, 'PNG'] as const

/** Spec §4.4. */
export const LABEL_SHIPMENT_ID_TYPES = ['RETURN_NAME', 'CLIENT_REFERENCE', 'MERCHANT_RETURN_NAME'] as const

/** The spec leaves them open; decided. */
export const PUDO_LOCATION_TYPES = ['SERVICE_POINT', 'LOCKER', 'POST_OFFICE', 'CARRIER_DEPOT'] as const

/** Spec §2.7. */
export const SERVICE_TYPES = ['drop-off', 'pick-up', 'direct', 'do-it-yourself', 'drop-off-store'] as const

/** Spec §2.7. */
export const PROMOTION_TYPES = [
  'DISCOUNT_COUPON_FIXED',
  'DISCOUNT_COUPON_PERCENTAGE',
  'PRIORITY_REFUND',
] as const
