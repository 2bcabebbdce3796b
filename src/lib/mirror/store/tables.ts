import type { Insertable, Kysely } from 'kysely'

/** Class of the advisory locks of this program in PostgreSQL: `rma`. */
export const LOCK_CLASS = 0x72_6d_61

/*
 * The tables of a mirror (docs/mirror.md). Dates are ISO 8601 in UTC with milliseconds, so that their texts sort as
 * they do; amounts are decimals; what was not sent, or can't be read as its column's kind, is null.
 */

interface ReturnsTable {
  /** The platform's; of a return without one, its shop and name. */
  id: string
  name: string | null
  shop_code: string | null
  status: string | null
  order_id: string | null
  order_name: string | null
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  customer_city: string | null
  customer_postal_code: string | null
  customer_country: string | null
  carrier: string | null
  carrier_service: string | null
  transport_status: string | null
  tracking_code: string | null
  currency: string | null
  amount_requested: string | null
  fee: string | null
  amount_due: string | null
  created_at: string | null
  updated_at: string | null
  cancelled_at: string | null
  /** When the parcel arrived, by its tracking events. */
  delivered_at: string | null
  synced_at: string
  document: string
  /** `created_at`, or empty: what lists are sorted by. */
  sort_key: string
  /** Counts the changes of `document`. */
  version: number
  /** `version` that the transports were copied for; null: they were not. */
  transports_version: number | null
  refunds_version: number | null
  /** Carrier and service type of the last transport (`factColumns`), for statistics. */
  last_carrier: string | null
  last_method: string | null
  /** JSON list of `[code, words]`. */
  reasons: string | null
  /** Numbers with spaces between: minutes from the request to each refund. */
  refund_minutes: string | null
  /** Numbers with spaces between: minutes from each first scan to the arrival. */
  arrival_minutes: string | null
  /** Earliest time at which the return counts as stuck. */
  stuck_from: string | null
  /** 1 if the return and its refunds disagree. */
  differs: number
}

interface ReturnItemsTable {
  return_id: string
  position: number
  id: string | null
  sku: string | null
  barcode: string | null
  product_name: string | null
  variant_name: string | null
  vendor: string | null
  quantity: string | null
  price: string | null
  amount: string | null
  currency: string | null
  reason_code: string | null
  reason: string | null
  comment: string | null
  refund_type: string | null
  refund_mode: string | null
}

interface TransportsTable {
  return_id: string
  position: number
  id: string | null
  status: string | null
  carrier: string | null
  carrier_service: string | null
  tracking_code: string | null
  tracking_url: string | null
  client_reference: string | null
  created_at: string | null
  updated_at: string | null
  /** Numbers with spaces between: minutes between the scans of a transport that has ended. */
  gap_minutes: string | null
  document: string
}

interface TrackingEventsTable {
  return_id: string
  transport_position: number
  position: number
  transport_id: string | null
  status: string | null
  description: string | null
  happened_at: string | null
  received_at: string | null
}

interface RefundsTable {
  return_id: string
  position: number
  id: string | null
  type: string | null
  mode: string | null
  status: string | null
  amount: string | null
  fee: string | null
  currency: string | null
  base_amount: string | null
  base_currency: string | null
  created_at: string | null
  executed_at: string | null
  document: string
}

/** Identifiers of returns: `normalIdentifier` of ids, names, references and codes. */
interface IdentifiersTable {
  value: string
  return_id: string
}

/** Whose an entry of the text index is; in PostgreSQL with the entry itself, in `terms`. */
interface SearchEntriesTable {
  /** Sorts as the time of creation does. */
  key: number
  return_id: string
  /** Absent in SQLite. */
  terms?: string
}

/** Words of all texts, which a misspelt word may mean. */
interface SearchWordsTable {
  word: string
}

/** Named JSON values. */
interface ValuesTable {
  name: string
  value: string
}

/** Keyed digests of e-mail addresses of people who are not to come back, and of the keys of their returns. */
interface ForgottenTable {
  digest: string
  kind: 'person' | 'return'
  /** A return's, as its `sort_key`, by which it is counted; of a person empty. */
  sort_key: string
}

export interface MirrorTables {
  returns: ReturnsTable
  return_items: ReturnItemsTable
  transports: TransportsTable
  tracking_events: TrackingEventsTable
  refunds: RefundsTable
  identifiers: IdentifiersTable
  search_entries: SearchEntriesTable
  search_words: SearchWordsTable
  sync_state: ValuesTable
  meta: ValuesTable
  forgotten: ForgottenTable
}

/** The database, or a transaction in it. */
export type MirrorDb = Kysely<MirrorTables>

export type RowOf<T extends keyof MirrorTables> = Insertable<MirrorTables[T]>
