import { type Database, type PreparedQuery, prepareQuery } from './database.ts'
import type { LabelRow, LabelSetRow, StoredLabelSet } from './rows.ts'

type SetCells = Omit<StoredLabelSet, 'doc' | 'labels'> & { doc: string }

const SET_COLUMNS = 'no, shop, client_shipment_id AS clientShipmentId, created, doc'
const LABEL_COLUMNS =
  'tracking_code AS trackingCode, tracking_url AS trackingUrl, format, url_key AS urlKey, document'

export class LabelTables {
  readonly #take: PreparedQuery<{ next: number }>
  readonly #addSet: PreparedQuery<{ no: number }>
  readonly #addLabel: PreparedQuery<unknown>
  readonly #sets: PreparedQuery<SetCells>
  readonly #set: PreparedQuery<SetCells>
  readonly #labels: PreparedQuery<LabelRow>
  readonly #served: PreparedQuery<LabelRow>

  constructor(db: Database) {
    this.#take = prepareQuery(
      db,
      'UPDATE parcel_counter SET next_parcel = next_parcel + ? RETURNING next_parcel AS next',
    )
    this.#addSet = prepareQuery(
      db,
      'INSERT INTO label_sets (shop, client_shipment_id, created, doc) VALUES (?, ?, ?, ?) RETURNING no',
    )
    this.#addLabel = prepareQuery(db, 'INSERT INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)')
    this.#sets = prepareQuery(
      db,
      `SELECT ${SET_COLUMNS} FROM label_sets WHERE client_shipment_id = ? AND shop = ? ORDER BY no`,
    )
    this.#set = prepareQuery(db, `SELECT ${SET_COLUMNS} FROM label_sets WHERE no = ?`)
    this.#labels = prepareQuery(
      db,
      `SELECT ${LABEL_COLUMNS} FROM labels WHERE label_set = ? ORDER BY position`,
    )
    this.#served = prepareQuery(db, `SELECT ${LABEL_COLUMNS} FROM labels WHERE url_key = ?`)
  }

  takeParcelNumbers(count: number): number {
    const row = this.#take.all(count)[0]
    if (row === undefined) throw new Error('The data file has no counter of parcels')
    return row.next - count
  }

  add({ shop, clientShipmentId, created, doc, labels }: LabelSetRow): number {
    // `all` runs a statement to its end, `get` to its first row only.
    const set = this.#addSet.all(shop, clientShipmentId, created, JSON.stringify(doc))[0]
    if (set === undefined) throw new Error('The label set was not inserted')
    for (const [position, label] of labels.entries()) {
      const { trackingCode, trackingUrl, format, urlKey, document } = label
      this.#addLabel.all(set.no, position, trackingCode, trackingUrl, format, urlKey, document)
    }
    return set.no
  }

  ofShipment(shop: number, clientShipmentId: string): StoredLabelSet[] {
    return this.#sets.all(clientShipmentId, shop).map((cells) => this.#whole(cells))
  }

  numbered(no: number): StoredLabelSet | undefined {
    return this.#set.all(no).map((cells) => this.#whole(cells))[0]
  }

  #whole({ doc, ...set }: SetCells): StoredLabelSet {
    return { ...set, doc: JSON.parse(doc), labels: this.#labels.all(set.no).map(withBytes) }
  }

  served(urlKey: string): LabelRow | undefined {
    return this.#served.all(urlKey).map(withBytes)[0]
  }
}

function withBytes(row: LabelRow): LabelRow {
  return { ...row, document: new Uint8Array(row.document) }
}
