import { type Database, prepareListQuery, prepareQuery } from './database.ts'
import { LabelTables } from './label-tables.ts'
import { PARTS_PER_RETURN, type RefundRow, type ReturnCase, type TransportRow } from './rows.ts'

/** With its customer and active transport. */
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
export type TransportCells = Omit<TransportRow, 'doc'> & { doc: string }
export type RefundCells = Omit<RefundRow, 'lines'> & { lines: string }

/** Lists as JSON: three statements take three times as long as one. */
export type CaseCells = Omit<ReturnCase, 'transports' | 'refunds'> & { transports: string; refunds: string }
/** A change, and what the columns show of the return now. */
type ChangeCells = readonly [
  no: number,
  shop: number,
  status: number,
  created: number,
  updated: number,
  /** JSON list. */
  refunded: string,
]

export interface Meta {
  generation: number
  secret: string
  /** The last change that the stored columns hold. */
  merged: number
  /** The last change there is. */
  changed: number
  /** Seconds. */
  clockOffset: number
  /** JSON, and so is `move`. */
  faults: string
  move: string | null
}

export type Queries = ReturnType<typeof prepareAll>

const TRANSPORT = 'no, status, service, created, updated, doc'
const REFUND = 'no, status, type, mode, created, executed, fee, reference, lines'
const CASE = `SELECT no, shop, name, order_name AS orderName, status, created, updated, cancelled,
  (${listQuery(TRANSPORT, 'transports')}) AS transports, (${listQuery(REFUND, 'refunds')}) AS refunds FROM returns WHERE`

export function prepareAll(db: Database) {
  return {
    meta: prepareQuery<Meta>(
      db,
      `SELECT generation, secret, merged, clock_offset AS clockOffset, faults, move,
        (SELECT coalesce(max(seq), 0) FROM return_changes) AS changed FROM meta`,
    ),
    shops: prepareQuery<{ doc: string }>(db, 'SELECT doc FROM shops ORDER BY no'),
    products: prepareQuery<{ doc: string }>(db, 'SELECT doc FROM products'),
    blocks: prepareListQuery<readonly [first: number, data: Uint8Array]>(
      db,
      'SELECT first, data FROM return_columns ORDER BY first',
    ),
    returns: prepareListQuery<ReturnCells>(
      db,
      `SELECT r.no, r.shop, r.name, r.status, r.order_id, r.order_name, r.created, r.updated, r.cancelled, r.doc, c.doc,
        t.no, t.status, t.service, t.created, t.updated, t.doc
      FROM json_each(?) wanted CROSS JOIN returns r ON r.no = wanted.value
        JOIN customers c ON c.no = r.customer LEFT JOIN transports t ON t.no = r.transport`,
    ),
    byName: prepareQuery<{ no: number }>(db, 'SELECT no FROM returns WHERE name = ?'),
    // Names begin with the order's: their index finds orders too.
    byOrder: prepareQuery<{ no: number }>(
      db,
      `SELECT no FROM returns WHERE order_id = ?
      UNION SELECT no FROM returns WHERE name >= ? AND name < ? AND order_name = ?`,
    ),
    transports: prepareQuery<TransportCells>(db, partsQuery(TRANSPORT, 'transports', '?1')),
    refunds: prepareQuery<RefundCells>(db, partsQuery(REFUND, 'refunds', '?1')),
    byNumber: prepareQuery<CaseCells>(db, `${CASE} no = ?`),
    /** The last one with a transport. */
    shipmentByName: prepareQuery<CaseCells>(
      db,
      `${CASE} name = ? AND shop = ? AND transport IS NOT NULL ORDER BY no DESC LIMIT 1`,
    ),
    /** Oldest first, by the order's name; a return's is `R#-`, the order's and more. */
    casesOfOrder: prepareQuery<CaseCells>(
      db,
      `${CASE} name >= ? AND name < ? AND order_name = ? AND shop = ? ORDER BY no`,
    ),
    changesSince: prepareListQuery<ChangeCells>(
      db,
      `SELECT r.no, r.shop, r.status, r.created, r.updated,
        (SELECT json_group_array(executed) FROM refunds WHERE executed IS NOT NULL AND ${partsOf('r.no')})
      FROM (SELECT DISTINCT no FROM return_changes WHERE seq > ? ORDER BY no) c CROSS JOIN returns r ON r.no = c.no`,
    ),
    saveBlock: prepareQuery<unknown>(db, 'INSERT OR REPLACE INTO return_columns VALUES (?, ?)'),
    forgetChanges: prepareQuery<unknown>(db, 'DELETE FROM return_changes WHERE seq < ?'),
    setMerged: prepareQuery<unknown>(db, 'UPDATE meta SET merged = ?'),
    setClockOffset: prepareQuery<unknown>(db, 'UPDATE meta SET clock_offset = ?'),
    setFaults: prepareQuery<unknown>(db, 'UPDATE meta SET faults = ?'),
    setMove: prepareQuery<unknown>(db, 'UPDATE meta SET move = ?'),
    labels: new LabelTables(db),
  }
}

function partsQuery(columns: string, table: string, returnNo: string): string {
  return `SELECT ${columns} FROM ${table} WHERE ${partsOf(returnNo)} ORDER BY no`
}

/** Rows as objects, by the names of their columns; `doc` and `lines` stay texts. */
function listQuery(columns: string, table: string): string {
  const members = columns.split(', ').map((name) => `'${name}', ${name}`)
  return `SELECT json_group_array(json_object(${members})) FROM (${partsQuery(columns, table, 'returns.no')})`
}

function partsOf(returnNo: string): string {
  return `no BETWEEN ${returnNo} * ${PARTS_PER_RETURN} + 1 AND ${returnNo} * ${PARTS_PER_RETURN} + ${PARTS_PER_RETURN - 1}`
}
