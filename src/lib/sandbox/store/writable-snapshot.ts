import type { FaultRecord } from '../faults/fault-table.ts'
import type { Statements } from './database.ts'
import type { ClockMove, LabelSetRow, RefundRow, ReturnCase, ReturnRow, TransportRow } from './rows.ts'
import { Snapshot } from './snapshot.ts'

/** Valid only inside `Store.write`. */
export class WritableSnapshot extends Snapshot {
  /** The number of the oldest return. */
  firstReturn(): number | undefined {
    return this.sql.get<{ no: number }>('SELECT no FROM returns ORDER BY no LIMIT 1')?.no
  }

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

  setMove(move: ClockMove): void {
    this.sql.run('UPDATE meta SET move = ?', JSON.stringify(move))
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
