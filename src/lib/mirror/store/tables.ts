import { type Insertable, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Class of the advisory locks of this program in PostgreSQL: `rma`. */
export const LOCK_CLASS = 0x72_6d_61

/**
 * Columns of the tables (docs/mirror.md). Dates are ISO 8601 in UTC with milliseconds, so that their texts sort as they
 * do. Amounts are decimals as text. Values that were not sent, or do not fit their column, are null.
 */
export const COLUMNS = {
  returns: {
    texts: [
      'name',
      'shop_code',
      'status',
      'order_id',
      'order_name',
      'customer_name',
      'customer_email',

      'customer_phone',
      'customer_city',
      'customer_postal_code',
      'customer_country',
      'carrier',
      'carrier_service',
      'transport_status',
      'tracking_code',
      'currency',
      'created_at',
      'updated_at',
      'cancelled_at',
      'delivered_at',
      // `factColumns` fills these in; lists of minutes have spaces between.

      'last_carrier',
      'last_method',
      'reasons',
      'refund_minutes',
      'arrival_minutes',
      'stuck_from',
    ],
    amounts: ['amount_requested', 'fee', 'amount_due'],
  },
  return_items: {
    texts: [
      'id',
      'sku',
      'barcode',
      'product_name',
      'variant_name',
      'vendor',
      'currency',
      'reason_code',
      'reason',
      'comment',
      'refund_type',
      'refund_mode',
    ],
    amounts: ['quantity', 'price', 'amount'],
  },
  transports: {
    texts: [
      'id',
      'status',
      'carrier',
      'carrier_service',
      'tracking_code',
      'tracking_url',
      'client_reference',
      'created_at',
      'updated_at',
      'gap_minutes',
    ],
    amounts: [],
  },
  tracking_events: {
    texts: ['transport_id', 'status', 'description', 'happened_at', 'received_at'],
    amounts: [],
  },
  refunds: {
    texts: ['id', 'type', 'mode', 'status', 'currency', 'base_currency', 'created_at', 'executed_at'],
    amounts: ['amount', 'fee', 'base_amount'],
  },
} as const

type ColumnsOf<T extends keyof typeof COLUMNS> = Record<
  (typeof COLUMNS)[T]['texts'][number] | (typeof COLUMNS)[T]['amounts'][number],
  string | null
>

interface Part {
  return_id: string
  position: number
}

interface OwnColumns {
  id: string
  synced_at: string
  document: string
  sort_key: string
  version: number
  /** `version` that the transports were copied for; null: they were not. */
  transports_version: number | null
  refunds_version: number | null
  differs: number
}

interface NamedValue {
  name: string
  value: string
}

export interface MirrorTables {
  returns: OwnColumns & ColumnsOf<'returns'>
  return_items: Part & ColumnsOf<'return_items'>
  transports: Part & { document: string } & ColumnsOf<'transports'>
  tracking_events: Part & { transport_position: number } & ColumnsOf<'tracking_events'>
  refunds: Part & { document: string } & ColumnsOf<'refunds'>
  identifiers: { value: string; return_id: string }
  /** Owner of an entry of the text index; `terms` are in PostgreSQL only. */
  search_entries: { key: number; return_id: string; terms?: string }
  /** Words of all texts, which a misspelt word may mean. */
  search_words: { word: string }
  sync_state: NamedValue
  meta: NamedValue
  /** Keyed digests of e-mail addresses of people to be forgotten, and of their returns with their sort keys. */
  forgotten: { digest: string; kind: 'person' | 'return'; sort_key: string }
}

export type RowOf<T extends keyof MirrorTables> = Insertable<MirrorTables[T]>

export type MirrorDb = Kysely<MirrorTables>

export const PARTS = ['return_items', 'transports', 'tracking_events', 'refunds', 'identifiers'] as const

export function isServer(db: Pick<MirrorDb, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Writes rows as one JSON parameter: binding each value takes longer. Rows that are there already stay: a return has
 * each identifier once.
 */
export async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly RowOf<T>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0] ?? {})
  const json = JSON.stringify(rows)
  const source = isServer(db)
    ? sql`${sql.raw(columns.join(','))} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
    : sql`${sql.raw(columns.map((name) => `value ->> '${name}'`).join(','))} from json_each(${json})`
  await sql`insert into ${sql.table(table)} (${sql.raw(columns.join(','))}) select ${source}
    where true on conflict do nothing`.execute(db)
}
