import { type Database, prepareListQuery, prepareQuery, type Query } from './database.ts'
import { LabelTables } from './label-tables.ts'
import { PARTS_PER_RETURN, type RefundRow, type TransportRow } from './rows.ts'

/** A return with its customer and its active transport. */
export type ReturnCells = readonly [
  no: number,
  shop: number,
  name: string,
  status: number,
  orderId: string,
  orderName: string,
  created: number,
  updated: number,
  cancelled: number | null,
  doc: string,
  customer: string,
  transport: number | null,
  transportStatus: number,
  service: number,
  transportCreated: number,
  transportUpdated: number,
  transportDoc: string,
]
type TransportCells = Omit<TransportRow, 'doc'> & { doc: string }
type RefundCells = Omit<RefundRow, 'lines'> & { lines: string }

/** The statements that a connection is used through. */
export interface Queries {
  meta: Query<{ generation: number; secret: string }>
  shops: Query<{ doc: string }>
  products: Query<{ doc: string }>
  blocks: Query<readonly [first: number, data: Uint8Array]>
  returns: Query<ReturnCells>
  byName: Query<{ no: number }>
  byOrder: Query<{ no: number }>
  transports: Query<TransportCells>
  refunds: Query<RefundCells>
  saveTransport: Query<unknown>
  labels: LabelTables
}

export function prepareAll(db: Database): Queries {
  return {
    meta: prepareQuery(db, 'SELECT generation, secret FROM meta'),
    shops: prepareQuery(db, 'SELECT doc FROM shops ORDER BY no'),
    products: prepareQuery(db, 'SELECT doc FROM products'),
    blocks: prepareListQuery(db, 'SELECT first, data FROM return_columns ORDER BY first'),
    returns: prepareListQuery(
      db,
      `SELECT r.no, r.shop, r.name, r.status, r.order_id, r.order_name, r.created, r.updated, r.cancelled, r.doc, c.doc,
        t.no, t.status, t.service, t.created, t.updated, t.doc
      FROM json_each(?) wanted CROSS JOIN returns r ON r.no = wanted.value
        JOIN customers c ON c.no = r.customer LEFT JOIN transports t ON t.no = r.transport`,
    ),
    byName: prepareQuery(db, 'SELECT no FROM returns WHERE name = ?'),
    // Names begin with the order's, so that their index finds orders too.
    byOrder: prepareQuery(
      db,
      `SELECT no FROM returns WHERE order_id = ?
      UNION SELECT no FROM returns WHERE name >= ? AND name < ? AND order_name = ?`,
    ),
    transports: prepareQuery(db, partsQuery('no, status, service, created, updated, doc', 'transports')),
    refunds: prepareQuery(
      db,
      partsQuery('no, status, type, mode, created, executed, fee, reference, lines', 'refunds'),
    ),
    saveTransport: prepareQuery(db, 'UPDATE transports SET updated = ?, doc = ? WHERE no = ?'),
    labels: new LabelTables(db),
  }
}

function partsQuery(columns: string, table: string): string {
  return `SELECT ${columns} FROM ${table} WHERE no BETWEEN ?1 AND ?1 + ${PARTS_PER_RETURN - 1} ORDER BY no`
}
