/*
 * What the tables hold. Times are whole seconds since the epoch, amounts are in minor units; `no` is a table's integer
 * key. Return and transport states and refund types and modes are positions in the wire schema's lists.
 */
import type { RatePpm } from '../money.ts'

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

/** Number of the first return. Ids have nine digits, so that their order as text is that of their numbers. */
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
  /** Why its customers return things. */
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
  /** Id in the ecommerce platform. */
  id: string
}

/** One returned item; amounts are for one unit. */
export interface LineDoc {
  product: number
  variant: number
  quantity: number
  price: number
  discount: number
  tax: number
  /** Position in the shop's list. */
  reason: number
  note?: string
  type: number
  mode: number
  /** Variant of the same product that is wanted instead. */
  exchange?: number
  /** What is wanted instead, where it is another product or has another price. */
  exchangeProduct?: number
  exchangePrice?: number
}

/** What of a return nobody searches for. */
export interface ReturnDoc {
  currency: string
  /** From `currency` to the shop's. */
  rate: RatePpm
  fee: number
  warehouse: number
  iban?: string
  lines: LineDoc[]
  /** Position of the carrier service in the shop's list, of a return that waits for its validation. */
  service?: number
}

export interface ReturnRow {
  no: number
  shop: number
  name: string
  status: number
  orderId: string
  orderName: string
  created: number
  updated: number
  cancelled: number | null
  customer: number
  doc: ReturnDoc
}

/** `[status, date of the carrier, date of receipt]`, of a report also what it said besides. */
export type EventDoc = readonly [status: number, date: number, received: number, report?: ReportDoc]

/** What a merchant reported of an event (spec §4.1). */
export interface ReportDoc {
  number?: string
  description?: string
  /** It was older than the last one applied. */
  isLate?: true
}

export interface TransportDoc {
  /** Its place among the transports of its order, where it is not the first: the end of its client reference. */
  nth?: number
  /** It was asked for in the sandbox, so that its carrier, unlike those of the demo data, has made no label by itself. */
  isUnlabelled?: true
  /** Tracking code; none before the carrier knows of the parcel. */
  reference?: string
  /** In place of the carrier service's own, as reported. */
  trackingUrl?: string
  carrier?: string
  /** Nobody will report it by itself any more. */
  isLost?: true
  pickupReference?: string
  /** `YYYY-MM-DD`. */
  pickupDate?: string
  /** What is registered instead of the carrier's own data, the first label being the transport's. */
  labels?: LabelDoc[]
  /** The set that `labels` came with; none for those that a merchant registered. */
  labelSet?: number
  /** What was registered before, oldest first. */
  formerLabels?: FormerLabels[]
  events: EventDoc[]
}

/** Labels that others have replaced; `labelSet` as of a transport, 0 for the label of the demo data. */
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

/** What all labels of a set share. */
export interface LabelSetDoc {
  carrierCode: string
  carrierExternalCode: string
  carrierServiceCode: string
  isLabelFree: boolean
  /** The answer holds the documents themselves, though they are served at an address as well. */
  isInAnswer?: true
}

export interface LabelRow {
  trackingCode: string
  trackingUrl: string | null
  format: 'PDF' | 'ZPL' | 'PNG'
  /** Last part of the address that the document is served at; null if it goes into the answer and nowhere else. */
  urlKey: string | null
  document: Uint8Array
}

/** The labels that one request made, one for each parcel. */
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

/** A return with all that changes in the course of its life. */
export interface ReturnCase {
  no: number
  shop: number
  name: string
  orderName: string
  status: number
  created: number
  updated: number
  cancelled: number | null
  /** Oldest first; the last one is active, unless it is over. */
  transports: readonly TransportRow[]
  /** In order of creation. */
  refunds: readonly RefundRow[]
}
