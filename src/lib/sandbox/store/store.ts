import type { SeedOptions } from '../demo/seed.ts'
import { readBlock } from './column-blocks.ts'
import type { Database } from './database.ts'
import { MEMORY, openDatabase, refill, writeTransaction } from './open.ts'
import { prepareAll, type Queries, type ReturnCells } from './queries.ts'
import { ReturnColumns, type ReturnFilter } from './return-columns.ts'
import {
  type Customer,
  type LabelRow,
  type LabelSetRow,
  PARTS_PER_RETURN,
  type Product,
  type RefundRow,
  type ReturnDoc,
  type Shop,
  type TransportRow,
} from './rows.ts'

/** A return with what its record shows besides its own row. Times are seconds. */
export interface StoredReturn {
  no: number
  shop: Shop
  name: string
  status: number
  orderId: string
  orderName: string
  created: number
  updated: number
  cancelled: number | null
  doc: ReturnDoc
  customer: Customer
  /** The active one. */
  transport: TransportRow | undefined
}

/** Filters that a column search can't answer; each narrows it. */
export interface TextFilter {
  name?: string | undefined
  /** Id or name. */
  order?: string | undefined
}

/** The data as one request sees them: consistent, and valid only inside `Store.read`. */
export interface Snapshot {
  /** In order of number. */
  shops: readonly Shop[]
  product(no: number): Product
  /** A page of the matching returns, newest first, and the number of all of them. */
  search(
    filter: ReturnFilter & TextFilter,
    skip: number,
    limit: number,
  ): { total: number; returns: StoredReturn[] }
  findReturn(no: number): StoredReturn | undefined
  /** Oldest first. */
  transports(returnNo: number): TransportRow[]
  /** In order of creation. */
  refunds(returnNo: number): RefundRow[]
  /** All sets of a shop's shipment, oldest first. */
  labelSets(shop: number, clientShipmentId: string): LabelSetRow[]
  /** A label that is served at an address. */
  servedLabel(urlKey: string): LabelRow | undefined
}

/** What can be written besides, valid only inside `Store.write`. */
export interface WritableSnapshot extends Snapshot {
  /** So many numbers that no other parcel has; the first of them. */
  takeParcelNumbers(count: number): number
  addLabelSet(set: LabelSetRow): void
  /** Replaces update time and document. */
  saveTransport(row: TransportRow): void
}

/** What stays the same until the data are replaced as a whole. */
interface Generation {
  number: number
  secret: string
  shops: Shop[]
  products: Map<number, Product>
  /** Read with the first search. */
  columns: ReturnColumns | undefined
}

/** One connection to the data with its prepared statements. */
export class Store {
  readonly #file: string
  #db: Database
  #queries: Queries
  #generation: Generation | undefined

  private constructor(file: string, db: Database) {
    this.#file = file
    this.#db = db
    this.#queries = prepareAll(db)
  }

  /** Opens `file`, or `:memory:`, and fills it if it is new. */
  static async open(file: string, options: SeedOptions): Promise<Store> {
    return new Store(file, await openDatabase(file, options))
  }

  /** What tokens are signed with; a reset keeps it. */
  get secret(): string {
    return this.#currentGeneration().secret
  }

  /** Runs `use` on one state of the data, whatever other processes write meanwhile. */
  read<T>(use: (data: Snapshot) => T): T {
    this.#db.exec('BEGIN')
    try {
      return use(this.#snapshot())
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  /** As `read`, with writing. All of it is on the disk, or none, when the promise is settled. */
  async write<T>(use: (data: WritableSnapshot) => T): Promise<T> {
    return writeTransaction(this.#db, this.#file, () => {
      const { saveTransport, labels } = this.#queries
      return use({
        ...this.#snapshot(),
        takeParcelNumbers: (count) => labels.takeParcelNumbers(count),
        addLabelSet: (set) => labels.add(set),
        saveTransport: ({ no, updated, doc }) => void saveTransport.all(updated, JSON.stringify(doc), no),
      })
    })
  }

  /** Replaces all data but the secret. Requests are answered from the old ones until it is done. */
  async reset(options: SeedOptions): Promise<void> {
    if (this.#file === MEMORY) {
      const { secret } = this
      const db = await openDatabase(MEMORY, options)
      db.prepare('UPDATE meta SET secret = ?').run([secret])
      this.#db.close()
      this.#db = db
      this.#queries = prepareAll(db)
      this.#generation = undefined
      return
    }
    await refill(this.#file, options)
  }

  close(): void {
    this.#db.close()
  }

  #snapshot(): Snapshot {
    const queries = this.#queries
    const generation = this.#currentGeneration()
    const toReturn = (row: ReturnCells): StoredReturn => storedReturn(row, generation)
    return {
      shops: generation.shops,
      product: (no) => known(generation.products.get(no), 'product', no),
      search: (filter, skip, limit) => {
        const among = this.#candidates(filter)
        generation.columns ??= new ReturnColumns(
          queries.blocks.all().map(([first, data]) => readBlock(first, data)),
        )
        const found = generation.columns.search({ ...filter, among }, skip, limit)
        const returns = queries.returns.all(JSON.stringify(found.numbers)).map(toReturn)
        return { total: found.total, returns: returns.sort((a, b) => b.no - a.no) }
      },
      findReturn: (no) => queries.returns.all(JSON.stringify([no])).map(toReturn)[0],
      transports: (no) =>
        queries.transports.all(no * PARTS_PER_RETURN).map((row) => ({ ...row, doc: JSON.parse(row.doc) })),
      refunds: (no) =>
        queries.refunds.all(no * PARTS_PER_RETURN).map((row) => ({ ...row, lines: JSON.parse(row.lines) })),
      labelSets: (shop, clientShipmentId) => queries.labels.ofShipment(shop, clientShipmentId),
      servedLabel: (urlKey) => queries.labels.served(urlKey),
    }
  }

  #currentGeneration(): Generation {
    const meta = this.#queries.meta.get()
    if (meta === undefined) throw new Error('The data file has no meta row')
    if (this.#generation?.number !== meta.generation) {
      const products: Product[] = this.#queries.products.all().map(({ doc }) => JSON.parse(doc))
      this.#generation = {
        number: meta.generation,
        secret: meta.secret,
        shops: this.#queries.shops.all().map(({ doc }) => JSON.parse(doc)),
        products: new Map(products.map((product) => [product.no, product])),
        columns: undefined,
      }
    }
    return this.#generation
  }

  #candidates({ name, order }: TextFilter): number[] | undefined {
    const byName = name === undefined ? undefined : this.#queries.byName.all(name).map(({ no }) => no)
    if (order === undefined) return byName
    const byOrder = this.#queries.byOrder.all(order, `R#-${order}`, `R#-${order}.`, order).map(({ no }) => no)
    return byName === undefined ? byOrder : byName.filter((no) => byOrder.includes(no))
  }
}

function storedReturn(row: ReturnCells, { shops }: Generation): StoredReturn {
  const [no, shop, name, status, orderId, orderName, created, updated, cancelled, doc, customer, transport] =
    row
  const [, , , , , , , , , , , , transportStatus, service, transportCreated, transportUpdated, transportDoc] =
    row
  return {
    no,
    shop: known(shops[shop], 'shop', shop),
    name,
    status,
    orderId,
    orderName,
    created,
    updated,
    cancelled,
    doc: JSON.parse(doc),
    customer: JSON.parse(customer),
    transport:
      transport === null
        ? undefined
        : {
            no: transport,
            status: transportStatus,
            service,
            created: transportCreated,
            updated: transportUpdated,
            doc: JSON.parse(transportDoc),
          },
  }
}

function known<T>(value: T | undefined, what: string, no: number): T {
  if (value === undefined) throw new Error(`The data file has no ${what} ${no}`)
  return value
}
