import type Libsql from 'libsql'
import { SHOPS } from '../demo/catalogue.ts'
import type { FaultRecord } from '../faults/fault.ts'
import type { LabelRow, LabelSetRow, RefundRow, ReturnRow, TransportRow } from './rows.ts'

export type Database = InstanceType<typeof Libsql>
type SqlValue = string | number | null | Uint8Array

export class Statements {
  readonly #prepared = new Map<string, ReturnType<Database['prepare']>>()

  constructor(readonly db: Database) {}

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0]
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    // A list: a lone null or blob would be taken for named parameters.
    return this.#prepare(sql).all(values) as Row[]
  }

  run(sql: string, ...values: SqlValue[]) {
    this.#prepare(sql).run(values)
  }

  #prepare(sql: string): ReturnType<Database['prepare']> {
    const known = this.#prepared.get(sql) ?? this.db.prepare(sql)
    this.#prepared.set(sql, known)
    return known
  }
}

interface Meta {
  generation: number
  secret: string
  /** Seconds that the platform's clock is ahead of the machine's. */
  clockOffset: number
  faults: FaultRecord[]
}

interface SecondRange {
  from: number
  to: number
}

interface ReturnFilter {
  shops: readonly number[]
  name?: string
  order?: string
  status?: ReturnRow['status']
  created?: SecondRange
  updated?: SecondRange
  refunded?: SecondRange
}

// The document is read only if refunds lie on both sides of the range.
const REFUNDED = `refunded_last >= ? AND refunded_first <= ? AND (refunded_first >= ? OR refunded_last <= ?
  OR EXISTS (SELECT 1 FROM json_each(doc, '$.refunds') WHERE value ->> 'executed' BETWEEN ? AND ?))`

/** Valid only inside `Store.read` or `Store.write`. */
export class Snapshot {
  constructor(protected readonly sql: Statements) {}

  search(filter: ReturnFilter, skip: number, limit: number): { total: number; returns: ReturnRow[] } {
    const { matching, values } = matches(filter)
    const count = this.sql.get<{ total: number }>(`SELECT count(*) AS total ${matching}`, ...values)
    const { total } = count ?? { total: 0 }
    if (skip >= total) return { total, returns: [] }
    // `CROSS JOIN` keeps the order of the tables.
    const sql = `SELECT doc
      FROM (SELECT no ${matching} ORDER BY created DESC, no DESC LIMIT ? OFFSET ?) page
      CROSS JOIN returns ON returns.no = page.no ORDER BY created DESC, returns.no DESC`
    return { total, returns: this.#docs(sql, ...values, limit, skip) }
  }

  findReturn(no: number): ReturnRow | undefined {
    return this.#returns('no = ?', no)[0]
  }

  findShipment(shop: number, name: string): ReturnRow | undefined {
    return this.findNamed(name).findLast((named) => named.shop === shop && named.transports.length > 0)
  }

  findNamed(name: string): ReturnRow[] {
    return this.#returns('name = ?', name)
  }

  returnsOfOrder(shop: number, order: string): ReturnRow[] {
    return this.#returns('order_name = ? AND shop = ?', order, shop)
  }

  awaited(first: number, last: number): ReturnRow[] {
    return this.#returns("no BETWEEN ? AND ? AND status IN ('PENDING', 'RECEPTION_IN_PROGRESS')", first, last)
  }

  labelSets(shop: number, clientShipmentId: string): (LabelSetRow & { no: number })[] {
    return this.#sets('client_shipment_id = ? AND shop = ?', clientShipmentId, shop)
  }

  labelSet(no: number): LabelSetRow | undefined {
    return this.#sets('no = ?', no)[0]
  }

  servedLabel(urlKey: string): LabelRow | undefined {
    return this.#labels('urlKey = ?', urlKey)[0]
  }

  meta(): Meta {
    return readMeta(this.sql)
  }

  #returns(condition: string, ...values: SqlValue[]): ReturnRow[] {
    return this.#docs(`SELECT doc FROM returns WHERE ${condition} ORDER BY no`, ...values)
  }

  #docs(sql: string, ...values: SqlValue[]): ReturnRow[] {
    return this.sql.all<{ doc: string }>(sql, ...values).map(({ doc }) => JSON.parse(doc))
  }

  #sets(condition: string, ...values: SqlValue[]): (LabelSetRow & { no: number })[] {
    const sql = `SELECT no, doc FROM label_sets WHERE ${condition} ORDER BY no`
    return this.sql.all<{ no: number; doc: string }>(sql, ...values).map(({ no, doc }) => ({
      ...JSON.parse(doc),
      no,
      labels: this.#labels('labelSet = ?', no),
    }))
  }

  #labels(condition: string, value: SqlValue): LabelRow[] {
    return this.sql.all(`SELECT * FROM labels WHERE ${condition} ORDER BY position`, value)
  }
}

export function readMeta(sql: Statements): Meta {
  const cells = sql.get<Omit<Meta, 'faults'> & { faults: string }>(
    'SELECT generation, secret, clock_offset AS clockOffset, faults FROM meta',
  )
  if (cells === undefined) throw new Error('The data file has no meta row')
  return { ...cells, faults: JSON.parse(cells.faults) }
}

function matches({ shops, name, order, status, created, updated, refunded }: ReturnFilter) {
  const conditions = [shops.length === SHOPS.length ? 'true' : `shop IN (${shops.join()})`]
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
  // SQLite would scan the table otherwise.
  const index = name === undefined && order === undefined ? 'INDEXED BY returns_listed' : ''
  return { matching: `FROM returns ${index} WHERE ${conditions.join(' AND ')}`, values }
}

export class WritableSnapshot extends Snapshot {
  lastReturn(): { no: number; created: number } | undefined {
    return this.sql.get('SELECT no, created FROM returns ORDER BY no DESC LIMIT 1')
  }

  addReturn(row: ReturnRow) {
    insertReturn(this.sql, this.#numbered(row))
  }

  saveReturn(changed: ReturnRow) {
    const row = this.#numbered(changed)
    this.sql.run(
      'UPDATE returns SET status = ?, updated = ?, refunded_first = ?, refunded_last = ?, doc = ? WHERE no = ?',
      row.status,
      row.updated,
      ...refundedOf(row.refunds),
      JSON.stringify(row),
      row.no,
    )
  }

  setClockOffset(seconds: number) {
    this.sql.run('UPDATE meta SET clock_offset = ?', seconds)
  }

  setFaults(faults: readonly FaultRecord[]) {
    this.sql.run('UPDATE meta SET faults = ?', JSON.stringify(faults))
  }

  /** Returns the first of the reserved numbers. */
  takeParcelNumbers(count: number): number {
    const sql = 'UPDATE meta SET next_parcel = next_parcel + ? RETURNING next_parcel - ? AS first'
    return this.sql.get<{ first: number }>(sql, count, count)?.first ?? 0
  }

  addLabelSet({ labels, ...set }: LabelSetRow): number {
    const sql = 'INSERT INTO label_sets (shop, client_shipment_id, doc) VALUES (?, ?, ?) RETURNING no'
    const values = [set.shop, set.clientShipmentId, JSON.stringify(set)]
    const { no } = this.sql.get<{ no: number }>(sql, ...values) ?? { no: 0 }
    for (const [position, label] of labels.entries()) {
      const { trackingCode, trackingUrl, format, urlKey, document } = label
      this.sql.run(
        'INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)',
        no,
        position,
        trackingCode,
        trackingUrl,
        format,
        urlKey,
        document,
      )
    }
    return no
  }

  /** Numbers new transports after those of their order, so that client references are unique. */
  #numbered(row: ReturnRow): ReturnRow {
    const isNew = ({ nth }: TransportRow) => nth === undefined
    if (!row.transports.some(isNew)) return row
    const { shop, orderName } = row
    const stored = (order: string) =>
      this.returnsOfOrder(shop, order).flatMap(({ transports }) => transports.map(({ nth = 1 }) => nth))
    const taken = stored(orderName)
    const transports = row.transports.map((transport) => {
      if (!isNew(transport)) return transport
      let nth = Math.max(0, ...taken) + 1
      const [, other = '', position] = /^(.+)-(?!1$)([1-9]\d*)$/.exec(orderName) ?? []
      if (nth === 1 && stored(other).includes(Number(position))) nth += 1
      while (nth > 1 && stored(`${orderName}-${nth}`).includes(1)) nth += 1
      taken.push(nth)
      return { ...transport, nth }
    })
    return { ...row, transports }
  }
}

export function insertReturn(sql: Statements, row: ReturnRow) {
  const { no, shop, name, status, orderId, orderName, created, updated, refunds } = row
  sql.run(
    'INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    no,
    shop,
    name,
    status,
    orderId,
    orderName,
    created,
    updated,
    ...refundedOf(refunds),
    JSON.stringify(row),
  )
}

function refundedOf(refunds: readonly RefundRow[]): (number | null)[] {
  const times = refunds.flatMap(({ executed }) => executed ?? [])
  return times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)]
}
