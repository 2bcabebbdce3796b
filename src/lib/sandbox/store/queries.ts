import { type Database, prepareListQuery, prepareQuery } from './database.ts'
import { LabelTables } from './label-tables.ts'

export type CaseCells = readonly [
  no: number,
  shop: number,
  name: string,
  orderName: string,
  status: number,
  created: number,
  updated: number,
  cancelled: number | null,
  transports: string,
  refunds: string,
]
/** A change, and what the columns show of the return now. */
type ChangeCells = readonly [
  no: number,
  shop: number,
  status: number,
  created: number,
  updated: number,
  refunds: string,
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

type MetaCells = readonly [
  generation: number,
  secret: string,
  merged: number,
  changed: number,
  clockOffset: number,
  faults: string,
  move: string | null,
]

export type Queries = ReturnType<typeof prepareAll>

const CASE =
  'SELECT no, shop, name, order_name, status, created, updated, cancelled, transports, refunds FROM returns WHERE'

export function prepareAll(db: Database) {
  const meta = prepareListQuery<MetaCells>(
    db,
    `SELECT generation, secret, merged, (SELECT coalesce(max(seq), 0) FROM return_changes), clock_offset, faults, move
      FROM meta`,
  )
  return {
    meta: () => metaOfCells(meta.get()),
    shops: prepareQuery<{ doc: string }>(db, 'SELECT doc FROM shops ORDER BY no'),
    products: prepareQuery<{ doc: string }>(db, 'SELECT doc FROM products'),
    blocks: prepareListQuery<readonly [first: number, data: Uint8Array]>(
      db,
      'SELECT first, data FROM return_columns ORDER BY first',
    ),
    /**
     * In the order asked for, which `CROSS JOIN` keeps: two lines each, JSON of its cells and of its customer. As one
     * blob, since the driver takes as long for the cells as SQLite does to find them.
     */
    returns: prepareListQuery<readonly [lines: Uint8Array | null]>(
      db,
      `SELECT CAST(group_concat(concat_ws(',', '[' || r.no, r.shop, r.status, r.created, r.updated,
        ifnull(r.cancelled, 'null'), json_quote(r.name), json_quote(r.order_id), json_quote(r.order_name), r.doc,
        r.transports || ']' || char(10) || c.doc), char(10)) AS BLOB)
      FROM json_each(?) wanted CROSS JOIN returns r ON r.no = wanted.value CROSS JOIN customers c ON c.no = r.customer`,
    ),
    byName: prepareQuery<{ no: number }>(db, 'SELECT no FROM returns WHERE name = ?'),
    // Names begin with the order's: their index finds orders too.
    byOrder: prepareQuery<{ no: number }>(
      db,
      `SELECT no FROM returns WHERE order_id = ?
      UNION SELECT no FROM returns WHERE name >= ? AND name < ? AND order_name = ?`,
    ),
    byNumber: prepareListQuery<CaseCells>(db, `${CASE} no = ?`),
    /** The last one with a transport. */
    shipmentByName: prepareListQuery<CaseCells>(
      db,
      `${CASE} name = ? AND shop = ? AND transports <> '[]' ORDER BY no DESC LIMIT 1`,
    ),
    /** Oldest first, by the order's name; a return's is `R#-`, the order's and more. */
    casesOfOrder: prepareListQuery<CaseCells>(
      db,
      `${CASE} name >= ? AND name < ? AND order_name = ? AND shop = ? ORDER BY no`,
    ),
    changesSince: prepareListQuery<ChangeCells>(
      db,
      `SELECT r.no, r.shop, r.status, r.created, r.updated, r.refunds
      FROM (SELECT DISTINCT no FROM return_changes WHERE seq > ? ORDER BY no) c CROSS JOIN returns r ON r.no = c.no`,
    ),
    changedSince: prepareQuery<{ no: number }>(db, 'SELECT DISTINCT no FROM return_changes WHERE seq > ?'),
    saveBlock: prepareQuery<unknown>(db, 'INSERT OR REPLACE INTO return_columns VALUES (?, ?)'),
    forgetChanges: prepareQuery<unknown>(db, 'DELETE FROM return_changes WHERE seq < ?'),
    setMerged: prepareQuery<unknown>(db, 'UPDATE meta SET merged = ?'),
    setClockOffset: prepareQuery<unknown>(db, 'UPDATE meta SET clock_offset = ?'),
    setFaults: prepareQuery<unknown>(db, 'UPDATE meta SET faults = ?'),
    setMove: prepareQuery<unknown>(db, 'UPDATE meta SET move = ?'),
    labels: new LabelTables(db),
  }
}

function metaOfCells(cells: MetaCells | undefined): Meta {
  if (cells === undefined) throw new Error('The data file has no meta row')
  const [generation, secret, merged, changed, clockOffset, faults, move] = cells
  return { generation, secret, merged, changed, clockOffset, faults, move }
}
