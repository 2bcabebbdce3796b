import type {
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  ReturnStatus,
  TransportStatus,
} from '../../wire/enumerations.ts'

// Rows are stored as JSON. Times are whole seconds since the epoch, amounts minor units, `no` a table's key.

export type Party = {
  fullName: string
  email: string
  phone: string
  address: {
    line1: string
    line2?: string
    city: string
    postalCode: string
    region?: string
    countryCode: string
  }
}

export type Customer = Party & { id: string }

/** Ids have nine digits: their order as text is that of their numbers. */
export const FIRST_RETURN = 100_000_001
/** Most transports, refunds or lines of a return, plus one. */
export const PARTS_PER_RETURN = 100

/** Number of a transport, refund or line by its position from 0. */
export function partNo(returnNo: number, position: number): number {
  return returnNo * PARTS_PER_RETURN + position + 1
}

export type RefundMode = (typeof REFUND_MODES)[number]
export type RefundType = (typeof REFUND_TYPES)[number]

export interface ReturnRow {
  no: number
  /** Position in `SHOPS`. */
  shop: number
  name: string
  status: ReturnStatus
  orderId: string
  orderName: string
  created: number
  updated: number
  cancelled?: number
  customer: Customer
  currency: string
  /** Millionths of the shop's currency for one unit of `currency`. */
  rate: number
  fee: number
  /** Position of the shop's warehouse. */
  warehouse: number
  iban?: string
  lines: LineRow[]
  /** Position of the carrier service, while validation is awaited. */
  service?: number
  /** Oldest first; the last one is active, unless it is over. */
  transports: readonly TransportRow[]
  refunds: readonly RefundRow[]
}

/** Amounts are for one unit. */
export interface LineRow {
  sku: string
  quantity: number
  price: number
  discount: number
  tax: number
  /** Position in the list of reasons. */
  reason: number
  note?: string
  type: RefundType
  mode: RefundMode
  /** Wanted instead, by default at the same price. */
  exchange?: { sku: string; price?: number }
}

export interface TransportRow {
  no: number
  status: TransportStatus
  /** Position in the shop's list. */
  service: number
  created: number
  updated: number
  /** Place in the order from 1: the end of its client reference. The store gives it. */
  nth?: number
  /** Asked for in the sandbox: its carrier has made no label by itself. */
  isUnlabelled?: true
  /** Tracking code; none before the carrier knows of the parcel. */
  reference?: string
  /** Tracking codes that reports replaced, oldest first. */
  formerNumbers?: string[]
  /** Reported in place of the carrier's own. */
  trackingUrl?: string
  /** Code of the carrier that was reported in place of the service's. */
  carrier?: string
  /** True if the last reported carrier is none that the platform knows. */
  isOfUnknownCarrier?: boolean
  /** Never reported unless somebody does. */
  isLost?: true
  pickupReference?: string
  /** `YYYY-MM-DD`. */
  pickupDate?: string
  /** Registered in place of the carrier's own data; the first label is the transport's. */
  labels?: LabelData[]
  /** Set that `labels` came with; none for a merchant's own. */
  labelSet?: number
  /** Oldest first. */
  formerLabels?: { replaced: number; labels: LabelData[]; labelSet?: number }[]
  events: EventRow[]
}

export interface EventRow {
  status: TransportStatus
  /** Time by the carrier's clock. */
  date: number
  received: number
  report?: Report
}

/** Merchant's update about an event (spec §4.1). */
export interface Report {
  number?: string
  url?: string
  carrier?: string
  description?: string
  /** Older than the last one applied. */
  isLate?: true
}

/** A label as `PUT /shipping_labels` names it (spec §4.4); a `url` of the platform itself is a path. */
export type LabelData = {
  carrierTrackingCode?: string
  additionalTrackingCodes?: string[]
  carrierTrackingUrl?: string
  format?: string
  url?: string
}

export interface RefundRow {
  no: number
  status: (typeof REFUND_STATUSES)[number]
  type: RefundType
  mode: RefundMode
  created: number
  executed?: number
  /** Part of the return's fee that is kept back. */
  fee: number
  reference?: string
  /** Positions of the return's lines. */
  lines: number[]
}

/** One request's labels, one a parcel. */
export interface LabelSetRow {
  shop: number
  clientShipmentId: string
  carrier: LabelCarrier
  labels: LabelRow[]
}

export interface LabelCarrier {
  carrierCode: string
  carrierExternalCode: string
  carrierServiceCode: string
  isLabelFree: boolean
  /** The answer holds the documents, though they are served as well. */
  isInAnswer: boolean
}

export interface LabelRow {
  trackingCode: string
  trackingUrl: string | null
  format: 'PDF' | 'ZPL' | 'PNG'
  /** Last part of its address; null if only the answer holds it. */
  urlKey: string | null
  document: Uint8Array
}
