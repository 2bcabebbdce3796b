import { type Database, prepareQuery } from './database.ts'
import type { Queries } from './queries.ts'
import { caseOfCells, customerText, refundsText, returnValues, transportsText } from './return-cells.ts'
import type {
  Customer,
  NumberRange,
  OrderCells,
  ReturnCase,
  ReturnParts,
  ReturnRow,
  TransportRow,
} from './rows.ts'

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
    addReturn: prepareQuery<unknown>(
      db,
      'INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    saveReturn: prepareQuery<unknown>(
      db,
      'UPDATE returns SET status = ?, updated = ?, cancelled = ?, transports = ?, refunds = ? WHERE no = ?',
    ),
    saveTransports: prepareQuery<unknown>(
      db,
      'UPDATE returns SET status = ?, updated = ?, cancelled = ?, transports = ? WHERE no = ?',
    ),
    noteChange: prepareQuery<unknown>(db, 'INSERT INTO return_changes (no) VALUES (?)'),
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
    const cells = this.#queries.byNumber.get(no)
    return cells && caseOfCells(cells)
  }

  findNamed(name: string): ReturnCase | undefined {
    const newest = this.#queries.byName.all(name).at(-1)
    return newest && this.find(newest.no)
  }

  findShipment(shop: number, name: string): ReturnCase | undefined {
    const cells = this.#queries.shipmentByName.get(name, shop)
    return cells && caseOfCells(cells)
  }

  /** The returns of a shop's order, oldest first. */
  casesOfOrder(shop: number, order: string): ReturnCase[] {
    return this.#queries.casesOfOrder.all(`R#-${order}`, `R#-${order}.`, order, shop).map(caseOfCells)
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
    return this.#statements.addCustomer.all(customerText(customer))[0]?.no ?? 0
  }

  add(row: ReturnRow, { transports, refunds }: ReturnParts): void {
    const parts = { transports: this.#numbered(row, [], transports), refunds }
    this.#statements.addReturn.get(...returnValues(row, parts))
    this.#statements.noteChange.get(row.no)
  }

  save(before: ReturnCase, after: ReturnCase): void {
    const { no, status, updated, cancelled, refunds } = after
    const transports = transportsText(this.#numbered(after, before.transports, after.transports))
    const head = [status, updated, cancelled, transports] as const
    if (refunds === before.refunds) this.#statements.saveTransports.get(...head, no)
    else this.#statements.saveReturn.get(...head, refundsText(refunds), no)
    this.#statements.noteChange.get(no)
  }

  /** Gives new transports places after all of their order, and with them references unique among orders. */
  #numbered(
    { shop, orderName }: Pick<ReturnCase, 'shop' | 'orderName'>,
    before: readonly TransportRow[],
    after: readonly TransportRow[],
  ): readonly TransportRow[] {
    const isNew = ({ no }: TransportRow) => before.every((known) => known.no !== no)
    if (!after.some(isNew)) return after
    const stored = (name: string) =>
      this.casesOfOrder(shop, name).flatMap(({ transports }) => transports.map(placeOf))
    const taken = stored(orderName)
    return after.map((transport) => {
      if (!isNew(transport)) return transport
      let nth = Math.max(0, ...taken) + 1
      const [, other = '', position] = /^(.+)-(\d+)$/.exec(orderName) ?? []
      if (nth === 1 && stored(other).includes(Number(position))) nth += 1
      while (nth > 1 && stored(`${orderName}-${nth}`).includes(1)) nth += 1
      taken.push(nth)
      return nth === 1 ? transport : { ...transport, doc: { ...transport.doc, nth } }
    })
  }
}

function placeOf({ doc }: TransportRow): number {
  return doc.nth ?? 1
}
