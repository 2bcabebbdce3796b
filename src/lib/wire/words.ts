import carrierNames from './carrier-names.json'
import type {
  PUDO_LOCATION_TYPES,
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from './enumerations.ts'

type WordsFor<Codes extends readonly string[]> = Readonly<Record<Codes[number], string>>

const RETURN_STATUS: WordsFor<typeof RETURN_STATUSES> = {
  NEEDS_VALIDATION: 'waiting for approval',
  PENDING: 'waiting for the parcel',
  RECEPTION_IN_PROGRESS: 'on its way to the shop',
  RECEPTION_COMPLETED: 'arrived at the shop',
  RECEIVED: 'received, not checked',
  CHECKED: 'checked',
  CLOSED: 'closed',
  DISCARDED: 'discarded',
  EXPIRED: 'expired',
}

const TRANSPORT_STATUS: WordsFor<typeof TRANSPORTATION_STATUSES> = {
  REQUESTED: 'not handed in yet',
  PICK_UP_IN_PROGRESS: 'being picked up',
  PICK_UP_COMPLETED: 'picked up',
  SHIPPING_IN_PROGRESS: 'on its way to the shop',
  SHIPPING_COMPLETED: 'arrived at the shop',
  PICK_UP_FAILED: 'pick-up failed',
  PICK_UP_CANCELLED: 'pick-up cancelled',
  SHIPPING_FAILED: 'transport failed',
  SHIPPING_CANCELLED: 'transport cancelled',
}

/** A refund may be an exchange: "paid" would be wrong. */
const REFUND_STATUS: WordsFor<typeof REFUND_STATUSES> = {
  PENDING: 'not executed yet',
  EXECUTED: 'executed',
  FAILED: 'failed',
}

const REFUND_TYPE: WordsFor<typeof REFUND_TYPES> = {
  ORIGINAL_PAYMENT_METHOD: 'original payment method',
  STORE_CREDIT: 'store credit',
  EXCHANGE: 'exchange',
  GIFT_CARD: 'gift card',
}

const REFUND_MODE: WordsFor<typeof REFUND_MODES> = {
  INSTANT: 'at once',
  DROP_OFF: 'when the parcel is handed in',
  SHIPPING_IN_PROGRESS: 'when the parcel is on its way',
  SHIPPING_COMPLETED: 'when the parcel arrives',
  PRE_VALIDATION: 'when the return is approved',
  POST_VALIDATION: 'when the items are checked',
  MANUAL: 'by hand',
}

const LOCATION_TYPE: WordsFor<typeof PUDO_LOCATION_TYPES> = {
  SERVICE_POINT: 'service point',
  LOCKER: 'locker',
  POST_OFFICE: 'post office',
  CARRIER_DEPOT: 'carrier depot',
}

const WORDS = {
  returnStatus: RETURN_STATUS,
  transportStatus: TRANSPORT_STATUS,
  refundStatus: REFUND_STATUS,
  refundType: REFUND_TYPE,
  refundMode: REFUND_MODE,
  locationType: LOCATION_TYPE,
} as const

/** `PENDING` means other things for a return and for a refund. */
export type WordsKind = keyof typeof WORDS

/** Unknown codes come back as sent. */
export function wordsOf(kind: WordsKind, code: unknown): string {
  if (typeof code !== 'string') return code === null || code === undefined ? '' : String(code)
  const table: Readonly<Record<string, string>> = WORDS[kind]
  return Object.hasOwn(table, code) ? (table[code] ?? code) : code
}

const CARRIER_NAMES: Readonly<Record<string, string>> = carrierNames

/** `ROYAL_MAIL` → `Royal Mail`, `DHL_SE` → `DHL`. */
export function carrierName(code: string | null | undefined): string | undefined {
  if (!code || code === 'OTHER') return undefined
  const ofAll = code.replace(/_[A-Z]{2}$/, '')
  return CARRIER_NAMES[ofAll] ?? ofAll.replaceAll('_', ' ')
}
