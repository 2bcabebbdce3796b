import { type Database, prepareQuery } from './database.ts'
import type { CaseCells, Queries, RefundCells, TransportCells } from './queries.ts'
import {
  type Customer,
  type RefundRow,
  type ReturnCase,
  type ReturnRow,
  refundValues,
  returnValues,
  type TransportRow,
  transportValues,
} from './rows.ts'

/** Of returns, both ends included. */
export interface NumberRange {
  first: number
  last: number
}

export interface OrderCells {
  orderId: string
  customer: number
}

function caseStatements(db: Database) {
  return {
    open: prepareQuery<{ no: number }>(
      db,
      'SELECT no FROM returns WHERE no BETWEEN ? AND ? AND status IN (?, ?) ORDER BY no',
    ),
    first: prepareQuery<{ no: number | null }>(db, 'SELECT min(no) AS no FROM returns'),
    last: prepareQuery<{ no: number; created: number }>(
      db,
      'SELECT no, created FROM returns ORDER BY no DESC LIMIT 1',
    ),
    ofOrder: prepareQuery<OrderCells>(
      db,
      `SELECT order_id AS orderId, customer FROM returns
      WHERE name >= ? AND name < ? AND order_name = ? AND shop = ? ORDER BY no`,
    ),
    addCustomer: prepareQuery<{ no: number }>(
      db,
      'INSERT INTO customers SELECT coalesce(max(no), 0) + 1, ? FROM customers RETURNING no',
    ),
    addReturn: prepareQuery<unknown>(db, 'INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    saveReturn: prepareQuery<unknown>(
      db,
      'UPDATE returns SET status = ?, updated = ?, cancelled = ?, transport = ? WHERE no = ?',
    ),
    noteChange: prepareQuery<unknown>(db, 'INSERT INTO return_changes (no) VALUES (?)'),
    saveTransport: prepareQuery<unknown>(
      db,
      'UPDATE transports SET status = ?, updated = ?, doc = ? WHERE no = ?',
    ),
    addTransport: prepareQuery<unknown>(
      db,
      'INSERT INTO transports (no, status, service, created, updated, doc) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    saveRefund: prepareQuery<unknown>(
      db,
      'UPDATE refunds SET status = ?, executed = ?, reference = ? WHERE no = ?',
    ),
    addRefund: prepareQuery<unknown>(
      db,
      `INSERT INTO refunds (no, status, type, mode, created, executed, fee, reference, lines)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeRefund: prepareQuery<unknown>(db, 'DELETE FROM refunds WHERE no = ?'),
  }
}

export class CaseTables {
  readonly #queries: Queries
  readonly #statements: ReturnType<typeof caseStatements>

  constructor(db: Database, queries: Queries) {
    this.#queries = queries
    this.#statements = caseStatements(db)
  }

  find(no: number): ReturnCase | undefined {
    return this.#whole(this.#queries.byNumber.get(no))
  }

  findNamed(name: string): ReturnCase | undefined {
    const newest = this.#queries.byName.all(name).at(-1)
    return newest && this.find(newest.no)
  }

  findShipment(shop: number, name: string): ReturnCase | undefined {
    return this.#whole(this.#queries.shipmentByName.get(name, shop))
  }

  /** The returns of a shop's order, oldest first. */
  casesOfOrder(shop: number, order: string): ReturnCase[] {
    const cells = this.#queries.casesOfOrder.all(`R#-${order}`, `R#-${order}.`, order, shop)
    return cells.flatMap((each) => this.#whole(each) ?? [])
  }

  withStatus(range: NumberRange, one: number, other: number): number[] {
    return this.#statements.open.all(range.first, range.last, one, other).map(({ no }) => no)
  }

  first(): number | undefined {
    return this.#statements.first.all()[0]?.no ?? undefined
  }

  last(): { no: number; created: number } | undefined {
    return this.#statements.last.all()[0]
  }

  /** By the order's returns, oldest first. */
  ofOrder(shop: number, order: string): OrderCells[] {
    return this.#statements.ofOrder.all(`R#-${order}`, `R#-${order}.`, order, shop)
  }

  addCustomer(customer: Customer): number {
    return this.#statements.addCustomer.all(JSON.stringify(customer))[0]?.no ?? 0
  }

  add(row: ReturnRow, { transports, refunds }: Pick<ReturnCase, 'transports' | 'refunds'>): void {
    this.#statements.addReturn.get(...returnValues(row, transports))
    for (const transport of transports) this.#addNumbered(row, transport)
    for (const refund of refunds) this.#writeRefund({ refunds: [] }, refund)
    this.#statements.noteChange.get(row.no)
  }

  /** Writes objects that are not the same as before. */
  save(before: ReturnCase, after: ReturnCase): void {
    const { no, status, updated, cancelled, transports, refunds } = after
    for (const transport of transports) {
      if (!before.transports.includes(transport)) this.#writeTransport(before, transport)
    }
    for (const refund of refunds) if (!before.refunds.includes(refund)) this.#writeRefund(before, refund)
    for (const refund of before.refunds) {
      if (refunds.every((kept) => kept.no !== refund.no)) this.#statements.removeRefund.get(refund.no)
    }
    this.#statements.saveReturn.get(status, updated, cancelled, transports.at(-1)?.no ?? null, no)
    this.#statements.noteChange.get(no)
  }

  #writeTransport(before: ReturnCase, transport: TransportRow): void {
    const { no, status, updated, doc } = transport
    if (before.transports.every((known) => known.no !== no)) this.#addNumbered(before, transport)
    else this.#statements.saveTransport.get(status, updated, JSON.stringify(doc), no)
  }

  #addNumbered({ shop, orderName }: Pick<ReturnCase, 'shop' | 'orderName'>, transport: TransportRow): void {
    this.#statements.addTransport.get(...transportValues(this.#numbered(shop, orderName, transport)))
  }

  #writeRefund(before: Pick<ReturnCase, 'refunds'>, refund: RefundRow): void {
    const { no, status, executed, reference } = refund
    if (before.refunds.some((known) => known.no === no)) {
      this.#statements.saveRefund.get(status, executed, reference, no)
    } else {
      this.#statements.addRefund.get(...refundValues(refund))
    }
  }

  /** Numbers a transport after all of its order, with a reference unique among orders. */
  #numbered(shop: number, order: string, transport: TransportRow): TransportRow {
    const taken = (name: string) =>
      this.casesOfOrder(shop, name).flatMap(({ transports }) => transports.map(({ doc }) => doc.nth ?? 1))
    let nth = Math.max(0, ...taken(order)) + 1
    const [, other = '', position] = /^(.+)-(\d+)$/.exec(order) ?? []
    if (nth === 1 && taken(other).includes(Number(position))) nth += 1
    while (nth > 1 && taken(`${order}-${nth}`).includes(1)) nth += 1
    return nth === 1 ? transport : { ...transport, doc: { ...transport.doc, nth } }
  }

  #whole(cells: CaseCells | undefined): ReturnCase | undefined {
    if (cells === undefined) return undefined
    const [transports, refunds] = [JSON.parse(cells.transports), JSON.parse(cells.refunds)]
    return { ...cells, transports: transports.map(toTransport), refunds: refunds.map(toRefund) }
  }

  transports(returnNo: number): TransportRow[] {
    return this.#queries.transports.all(returnNo).map(toTransport)
  }

  refunds(returnNo: number): RefundRow[] {
    return this.#queries.refunds.all(returnNo).map(toRefund)
  }
}

function toTransport(cells: TransportCells): TransportRow {
  return { ...cells, doc: JSON.parse(cells.doc) }
}

function toRefund(cells: RefundCells): RefundRow {
  return { ...cells, lines: JSON.parse(cells.lines) }
}
