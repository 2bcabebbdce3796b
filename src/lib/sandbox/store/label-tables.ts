import { type Database, prepareQuery } from './database.ts'
import type { LabelRow, LabelSetRow, StoredLabelSet } from './rows.ts'

type SetCells = Omit<StoredLabelSet, 'doc' | 'labels'> & { doc: string }

const SET_COLUMNS = 'no, shop, client_shipment_id AS clientShipmentId, created, doc'
const LABEL_COLUMNS =
  'tracking_code AS trackingCode, tracking_url AS trackingUrl, format, url_key AS urlKey, document'

function labelStatements(db: Database) {
  return {
    take: prepareQuery<{ next: number }>(
      db,
      'UPDATE parcel_counter SET next_parcel = next_parcel + ? RETURNING next_parcel AS next',
    ),
    addSet: prepareQuery<{ no: number }>(
      db,
      'INSERT INTO label_sets (shop, client_shipment_id, created, doc) VALUES (?, ?, ?, ?) RETURNING no',
    ),
    addLabel: prepareQuery<unknown>(db, 'INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)'),
    sets: prepareQuery<SetCells>(
      db,
      `SELECT ${SET_COLUMNS} FROM label_sets WHERE client_shipment_id = ? AND shop = ? ORDER BY no`,
    ),
    set: prepareQuery<SetCells>(db, `SELECT ${SET_COLUMNS} FROM label_sets WHERE no = ?`),
    labels: prepareQuery<LabelRow>(
      db,
      `SELECT ${LABEL_COLUMNS} FROM labels WHERE label_set = ? ORDER BY position`,
    ),
    served: prepareQuery<LabelRow>(db, `SELECT ${LABEL_COLUMNS} FROM labels WHERE url_key = ?`),
  }
}

export class LabelTables {
  readonly #statements: ReturnType<typeof labelStatements>

  constructor(db: Database) {
    this.#statements = labelStatements(db)
  }

  takeParcelNumbers(count: number): number {
    const row = this.#statements.take.all(count)[0]
    if (row === undefined) throw new Error('The data file has no counter of parcels')
    return row.next - count
  }

  add({ shop, clientShipmentId, created, doc, labels }: LabelSetRow): number {
    // `all` runs a statement to its end, `get` to its first row only.
    const set = this.#statements.addSet.all(shop, clientShipmentId, created, JSON.stringify(doc))[0]
    if (set === undefined) throw new Error('The label set was not inserted')
    for (const [position, label] of labels.entries()) {
      const { trackingCode, trackingUrl, format, urlKey, document } = label
      this.#statements.addLabel.all(set.no, position, trackingCode, trackingUrl, format, urlKey, document)
    }
    return set.no
  }

  ofShipment(shop: number, clientShipmentId: string): StoredLabelSet[] {
    return this.#statements.sets.all(clientShipmentId, shop).map((cells) => this.#whole(cells))
  }

  numbered(no: number): StoredLabelSet | undefined {
    return this.#statements.set.all(no).map((cells) => this.#whole(cells))[0]
  }

  #whole({ doc, ...set }: SetCells): StoredLabelSet {
    return { ...set, doc: JSON.parse(doc), labels: this.#statements.labels.all(set.no).map(withBytes) }
  }

  served(urlKey: string): LabelRow | undefined {
    return this.#statements.served.all(urlKey).map(withBytes)[0]
  }
}

function withBytes(row: LabelRow): LabelRow {
  return { ...row, document: new Uint8Array(row.document) }
}
