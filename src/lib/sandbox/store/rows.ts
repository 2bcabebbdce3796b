// Times are whole seconds since the epoch, amounts minor units, `no` a table's key; states, types and modes are positions
// in the wire schema's lists.
export type Address = {
  line1: string
  line2?: string
  city: string
  postalCode: string
  region?: string
  countryCode: string
}

export type Party = {
  fullName: string
  email: string
  phone: string
  address: Address
}

/** Ids have nine digits: their order as text is that of their numbers. */
export const FIRST_RETURN = 100_000_001
/** A return's transports, refunds and lines have its number times this, plus their position from 1. */
export const PARTS_PER_RETURN = 100

export interface CarrierService {
  serviceType: string
  serviceMessage: string
  carrierCode: string
  carrierServiceCode: string
  /** Followed by the tracking code; none where the carrier cannot be known. */
  trackingUrlPrefix?: string
  hasLabel: boolean
}

export interface Shop {
  no: number
  code: string
  shortCode: string
  name: string
  currency: string
  warehouses: Party[]
  services: CarrierService[]
  reasons: { code: string; reason: string }[]
}

export interface Product {
  no: number
  name: string
  vendor: string
  imageUrl: string
  productId: string
  variants: { name: string; sku: string; barcode: string; variantId: string }[]
}

export interface Customer extends Party {
  id: string
}

/** Amounts are for one unit. */
export interface LineDoc {
  product: number
  variant: number
  quantity: number
  price: number
  discount: number
  tax: number
  reason: number
  note?: string
  type: number
  mode: number
  /** Position of the wanted variant of the same product. */
  exchange?: number
  /** Another product or price that is wanted instead. */
  exchangeProduct?: number
  exchangePrice?: number
}

export interface ReturnDoc {
  currency: string
  /** Millionths of the shop's currency for one unit of `currency`. */
  rate: number
  fee: number
  warehouse: number
  iban?: string
  lines: LineDoc[]
  /** Position of the carrier service, while validation is awaited. */
  service?: number
}

/** Parts of a return that updates, labels, people and time change. */
export interface ReturnCase {
  no: number
  shop: number
  name: string
  status: number
  orderName: string
  created: number
  updated: number
  cancelled: number | null
  /** Oldest first; the last one is active, unless it is over. */
  transports: readonly TransportRow[]
  refunds: readonly RefundRow[]
}

export interface ReturnRow extends ReturnCase {
  orderId: string
  customer: Customer
  doc: ReturnDoc
}

export interface StoredReturn extends Omit<ReturnRow, 'shop'> {
  shop: Shop
}

/** `[status, carrier's date, date of receipt, report]`. */
export type EventDoc = readonly [status: number, date: number, received: number, report?: ReportDoc]

/** Merchant's update about an event (spec §4.1). */
export interface ReportDoc {
  number?: string
  url?: string
  carrier?: string
  description?: string
  /** Older than the last one applied. */
  isLate?: true
}

export interface TransportDoc {
  /** Place in the order from the second on: the end of its client reference. */
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
  isOfUnknownCarrier?: true
  /** Never reported unless somebody does. */
  isLost?: true
  pickupReference?: string
  /** `YYYY-MM-DD`. */
  pickupDate?: string
  /** Registered in place of the carrier's own data; the first label is the transport's. */
  labels?: LabelDoc[]
  /** Set that `labels` came with; none for a merchant's own. */
  labelSet?: number
  /** Oldest first. */
  formerLabels?: FormerLabels[]
  events: EventDoc[]
}

/** `labelSet` as of a transport, 0 for the demo carrier's label. */
export interface FormerLabels {
  replaced: number
  labels: LabelDoc[]
  labelSet?: number
}

/** A label as `PUT /shipping_labels` names it (spec §4.4); a `url` of the platform itself is a path. */
export interface LabelDoc {
  carrierTrackingCode?: string
  additionalTrackingCodes?: string[]
  carrierTrackingUrl?: string
  format?: string
  url?: string
}

export interface LabelSetDoc {
  carrierCode: string
  carrierExternalCode: string
  carrierServiceCode: string
  isLabelFree: boolean
  /** The answer holds the documents, though they are served as well. */
  isInAnswer?: true
}

export interface LabelRow {
  trackingCode: string
  trackingUrl: string | null
  format: 'PDF' | 'ZPL' | 'PNG'
  /** Last part of its address; null if only the answer holds it. */
  urlKey: string | null
  document: Uint8Array
}

/** One request's labels, one a parcel. */
export interface LabelSetRow {
  shop: number
  clientShipmentId: string
  created: number
  doc: LabelSetDoc
  labels: LabelRow[]
}
export type StoredLabelSet = LabelSetRow & { no: number }

export interface TransportRow {
  no: number
  status: number
  /** Position in the shop's list. */
  service: number
  created: number
  updated: number
  doc: TransportDoc
}

export interface RefundRow {
  no: number
  status: number
  type: number
  mode: number
  created: number
  executed: number | null
  /** Part of the return's fee that is kept back. */
  fee: number
  reference: string | null
  /** Positions of the return's lines. */
  lines: number[]
}

/** Inclusive, seconds. */
export interface SecondRange {
  from: number
  to: number
}

export interface ReturnFilter {
  shops: readonly number[]
  name?: string | undefined
  /** Id or name. */
  order?: string | undefined
  /** Position in the wire schema's list. */
  status?: number | undefined
  created?: SecondRange | undefined
  updated?: SecondRange | undefined
  refunded?: SecondRange | undefined
}
