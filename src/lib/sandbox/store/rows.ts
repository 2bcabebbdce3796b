import {
  FINAL_LABEL_FORMATS,
  type REFUND_MODES,
  type REFUND_STATUSES,
  type REFUND_TYPES,
  type ReturnStatus,
  type TransportStatus,
} from '../../wire/enumerations.ts'

// Stored as JSON. Times are whole seconds since the epoch, amounts minor units.

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
/** Ids reserved for each kind of part. */
export const PARTS_PER_RETURN = 100

export function partNo(returnNo: number, position: number): number {
  return returnNo * PARTS_PER_RETURN + position + 1
}

export type RefundMode = (typeof REFUND_MODES)[number]
type RefundType = (typeof REFUND_TYPES)[number]

export interface ReturnRow {
  no: number
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
  warehouse: number
  iban?: string
  lines: LineRow[]
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
  service: number
  created: number
  updated: number
  /** Number among the order's transports, from 1, set by the store. */
  nth?: number
  isUnlabelled?: true
  reference?: string
  formerNumbers?: string[]
  /** Number and address from the last scan that had one. */
  tracking?: Tracking
  carrier?: string
  isOfUnknownCarrier?: boolean
  /** True if the parcel gets no scans by itself. */
  isLost?: true
  pickupReference?: string
  pickupDate?: string
  labels?: LabelData[]
  labelSet?: number
  formerLabels?: { replaced: number; labels: LabelData[]; labelSet?: number }[]
  events: EventRow[]
}

interface EventRow {
  status: TransportStatus
  date: number
  received: number
  report?: UpdateDetails
}

/** Merchant's update about an event (spec §4.1). */
export interface UpdateDetails {
  number?: string
  url?: string
  carrier?: string
  description?: string
  isLate?: true
}

/** A `url` of the platform itself is a path (spec §4.4). */
export type LabelData = {
  carrierTrackingCode?: string
  additionalTrackingCodes?: string[]
  carrierTrackingUrl?: string
  format?: string
  url?: string
}

export type Tracking = Pick<LabelData, 'carrierTrackingCode' | 'carrierTrackingUrl'>

export interface RefundRow {
  no: number
  status: (typeof REFUND_STATUSES)[number]
  type: RefundType
  mode: RefundMode
  created: number
  executed?: number
  fee: number
  reference?: string
  lines: number[]
}

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
  isInAnswer: boolean
}

export interface LabelRow {
  trackingCode: string
  trackingUrl: string | null
  format: 'PDF' | 'ZPL' | 'PNG'
  /** Null if only the answer holds the document. */
  urlKey: string | null
  document: Uint8Array
}

/** Returns the registered format, else that of the URL, else PDF. In this file since request schemas load zod. */
export function finalFormat({ format, url = '' }: LabelData): (typeof FINAL_LABEL_FORMATS)[number] {
  const name = format ?? /\.(\w+)$/.exec(url)?.[1]?.toUpperCase()
  return FINAL_LABEL_FORMATS.find((known) => known === name) ?? 'PDF'
}
