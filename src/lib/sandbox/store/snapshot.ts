import type { FaultRecord } from '../faults/fault.ts'
import type { SqlValue, Statements } from './database.ts'
import type {
  LabelRow,
  LabelSetRow,
  Product,
  RefundRow,
  ReturnCase,
  ReturnFilter,
  ReturnRow,
  Shop,
  StoredLabelSet,
  StoredReturn,
  TransportRow,
} from './rows.ts'

export interface Meta {
  generation: number
  secret: string
  /** Seconds that the platform's clock is ahead of the machine's. */
  clockOffset: number
  faults: FaultRecord[]
}

/** The same in all data of this version. */
export interface Fixtures {
  shops: readonly Shop[]
  products: ReadonlyMap<number, Product>
}

type SetCells = Omit<StoredLabelSet, 'doc' | 'labels'> & { doc: string }

const SET = 'no, shop, client_shipment_id AS clientShipmentId, created, doc'
const LABEL =
  'tracking_code AS trackingCode, tracking_url AS trackingUrl, format, url_key AS urlKey, document'
/** Most returns have one refund, or all of theirs within the range or without. */
const REFUNDED = `refunded_last >= ? AND refunded_first <= ? AND (refunded_first >= ? OR refunded_last <= ?
  OR EXISTS (SELECT 1 FROM json_each(doc, '$.refunds') WHERE value ->> 'executed' BETWEEN ? AND ?))`

/** The data as one request sees them, valid only inside `Store.read` or `Store.write`. */
export class Snapshot {
  protected readonly sql: Statements
  readonly #fixtures: Fixtures

  constructor(sql: Statements, fixtures: Fixtures) {
    this.sql = sql
    this.#fixtures = fixtures
  }

  get shops(): readonly Shop[] {
    return this.#fixtures.shops
  }

  product(no: number): Product {
    return known(this.#fixtures.products.get(no), 'product', no)
  }

  products(): Iterable<Product> {
    return this.#fixtures.products.values()
  }

  /** A page of matches, newest first, and how many there are in all. */
  search(filter: ReturnFilter, skip: number, limit: number): { total: number; returns: StoredReturn[] } {
    const { matching, values } = matches(filter, this.shops.length)
    const { total } = this.sql.get<{ total: number }>(`SELECT count(*) AS total ${matching}`, ...values) ?? {
      total: 0,
    }
    if (skip >= total) return { total, returns: [] }
    // `CROSS JOIN` keeps the order of the tables: SQLite would go through all returns and look for each in the page.
    const sql = `SELECT doc
      FROM (SELECT no ${matching} ORDER BY created DESC, no DESC LIMIT ? OFFSET ?) page
      CROSS JOIN returns ON returns.no = page.no ORDER BY created DESC, returns.no DESC`
    const page = this.#returns(sql, ...values, limit, skip)
    return { total, returns: page.map((row) => this.#stored(row)) }
  }

  findReturn(no: number): StoredReturn | undefined {
    const row = this.findCase(no)
    return row && this.#stored(row)
  }

  findCase(no: number): ReturnRow | undefined {
    return this.#cases('no = ?', no)[0]
  }

  /** The last of that name with a transport. */
  findShipment(shop: number, name: string): ReturnRow | undefined {
    return this.#cases('name = ? AND shop = ?', name, shop).findLast(
      ({ transports }) => transports.length > 0,
    )
  }

  /** Returns the newest of any shop. */
  findNamed(name: string): ReturnRow | undefined {
    return this.#cases('name = ?', name).at(-1)
  }

  /** Oldest first. */
  casesOfOrder(shop: number, order: string): ReturnRow[] {
    return this.#cases('order_name = ? AND shop = ?', order, shop)
  }

  /** Returns of a range in one of two states, oldest first. */
  casesWithStatus({ first, last }: { first: number; last: number }, one: number, other: number): ReturnRow[] {
    return this.#cases('no BETWEEN ? AND ? AND status IN (?, ?)', first, last, one, other)
  }

  /** Made under that id, oldest first. */
  labelSets(shop: number, clientShipmentId: string): StoredLabelSet[] {
    return this.#sets('client_shipment_id = ? AND shop = ?', clientShipmentId, shop)
  }

  labelSet(no: number): StoredLabelSet | undefined {
    return this.#sets('no = ?', no)[0]
  }

  servedLabel(urlKey: string): LabelRow | undefined {
    return this.#labels('url_key = ?', urlKey)[0]
  }

  meta(): Meta {
    return readMeta(this.sql)
  }

  #stored(row: ReturnRow): StoredReturn {
    return { ...row, shop: known(this.shops[row.shop], 'shop', row.shop) }
  }

  #cases(condition: string, ...values: SqlValue[]): ReturnRow[] {
    return this.#returns(`SELECT doc FROM returns WHERE ${condition} ORDER BY no`, ...values)
  }

  #returns(sql: string, ...values: SqlValue[]): ReturnRow[] {
    return this.sql.all<{ doc: string }>(sql, ...values).map(({ doc }) => JSON.parse(doc))
  }

  #sets(condition: string, ...values: SqlValue[]): StoredLabelSet[] {
    const sql = `SELECT ${SET} FROM label_sets WHERE ${condition} ORDER BY no`
    return this.sql.all<SetCells>(sql, ...values).map(({ doc, ...set }) => ({
      ...set,
      doc: JSON.parse(doc),
      labels: this.#labels('label_set = ?', set.no),
    }))
  }

  #labels(condition: string, ...values: SqlValue[]): LabelRow[] {
    const sql = `SELECT ${LABEL} FROM labels WHERE ${condition} ORDER BY position`
    return this.sql
      .all<LabelRow>(sql, ...values)
      .map((row) => ({ ...row, document: new Uint8Array(row.document) }))
  }
}

export function readMeta(sql: Statements): Meta {
  const cells = sql.get<Omit<Meta, 'faults'> & { faults: string }>(
    'SELECT generation, secret, clock_offset AS clockOffset, faults FROM meta',
  )
  if (cells === undefined) throw new Error('The data file has no meta row')
  return { ...cells, faults: JSON.parse(cells.faults) }
}

export function readFixtures(sql: Statements): Fixtures {
  const docs = (query: string) => sql.all<{ doc: string }>(query).map(({ doc }) => JSON.parse(doc))
  const products: Product[] = docs('SELECT doc FROM products')
  return {
    shops: docs('SELECT doc FROM shops ORDER BY no'),
    products: new Map(products.map((product) => [product.no, product])),
  }
}

/** `FROM` and `WHERE` of all that match. */
function matches(
  { shops, name, order, status, created, updated, refunded }: ReturnFilter,
  shopsInAll: number,
) {
  const conditions = [shops.length === shopsInAll ? 'true' : `shop IN (${shops.join()})`]
  const values: SqlValue[] = []
  const add = (condition: string, ...its: SqlValue[]) => {
    conditions.push(condition)
    values.push(...its)
  }
  if (name !== undefined) add('name = ?', name)
  if (order !== undefined) add('(order_id = ? OR order_name = ?)', order, order)
  if (status !== undefined) add('status = ?', status)
  if (created) add('created BETWEEN ? AND ?', created.from, created.to)
  if (updated) add('updated BETWEEN ? AND ?', updated.from, updated.to)
  if (refunded) {
    const { from, to } = refunded
    add(REFUNDED, from, to, from, to, from, to)
  }
  // SQLite would go through the table wherever a condition needs a column that the index lacks.
  const index = name === undefined && order === undefined ? 'INDEXED BY returns_listed' : ''
  return { matching: `FROM returns ${index} WHERE ${conditions.join(' AND ')}`, values }
}

function known<T>(value: T | undefined, what: string, no: number): T {
  if (value === undefined) throw new Error(`The data file has no ${what} ${no}`)
  return value
}

/** Valid only inside `Store.write`. */
export class WritableSnapshot extends Snapshot {
  lastReturn(): { no: number; created: number } | undefined {
    return this.sql.get('SELECT no, created FROM returns ORDER BY no DESC LIMIT 1')
  }

  /** Its number follows the last one. */
  addReturn(row: ReturnRow): void {
    insertReturn(this.sql, { ...row, transports: this.#placed(row, []) })
  }

  saveCase(before: ReturnRow, after: ReturnCase): void {
    const row = { ...before, ...after, transports: this.#placed(after, before.transports) }
    const { first, last } = refundedOf(row.refunds)
    this.sql.run(
      'UPDATE returns SET status = ?, updated = ?, refunded_first = ?, refunded_last = ?, doc = ? WHERE no = ?',
      ...[row.status, row.updated, first, last, JSON.stringify(row), row.no],
    )
  }

  setClockOffset(seconds: number): void {
    this.sql.run('UPDATE meta SET clock_offset = ?', seconds)
  }

  setFaults(faults: readonly FaultRecord[]): void {
    this.sql.run('UPDATE meta SET faults = ?', JSON.stringify(faults))
  }

  /** Reserves numbers that no other parcel has. @returns the first */
  takeParcelNumbers(count: number): number {
    const { next = 0 } = this.sql.get<{ next: number }>('SELECT next_parcel AS next FROM meta') ?? {}
    this.sql.run('UPDATE meta SET next_parcel = ?', next + count)
    return next
  }

  /** @returns the set's number */
  addLabelSet({ shop, clientShipmentId, created, doc, labels }: LabelSetRow): number {
    const { no } = this.sql.get<{ no: number }>('SELECT coalesce(max(no), 0) + 1 AS no FROM label_sets') ?? {
      no: 1,
    }
    const set = [no, shop, clientShipmentId, created, JSON.stringify(doc)]
    this.sql.run('INSERT INTO label_sets VALUES (?, ?, ?, ?, ?)', ...set)
    for (const [position, label] of labels.entries()) {
      const { trackingCode, trackingUrl, format, urlKey, document } = label
      this.sql.run(
        'INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[no, position, trackingCode, trackingUrl, format, urlKey, document],
      )
    }
    return no
  }

  /** Gives new transports places after all of their order, and with them references unique among orders. */
  #placed(
    { shop, orderName, transports }: Pick<ReturnCase, 'shop' | 'orderName' | 'transports'>,
    before: readonly TransportRow[],
  ): readonly TransportRow[] {
    const isNew = ({ no }: TransportRow) => before.every((known) => known.no !== no)
    if (!transports.some(isNew)) return transports
    const stored = (order: string) =>
      this.casesOfOrder(shop, order).flatMap((each) => each.transports.map(({ doc }) => doc.nth ?? 1))
    const taken = stored(orderName)
    return transports.map((transport) => {
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

export function insertReturn(sql: Statements, row: ReturnRow): void {
  const { no, shop, name, status, orderId, orderName, created, updated } = row
  const { first, last } = refundedOf(row.refunds)
  sql.run(
    'INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[no, shop, name, status, orderId, orderName, created, updated, first, last, JSON.stringify(row)],
  )
}

/** When the first and the last refund were executed. */
function refundedOf(refunds: readonly RefundRow[]): { first: number | null; last: number | null } {
  const times = refunds.flatMap(({ executed }) => executed ?? [])
  return times.length === 0
    ? { first: null, last: null }
    : { first: Math.min(...times), last: Math.max(...times) }
}
