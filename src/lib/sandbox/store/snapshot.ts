import type { ReturnFilter } from './return-columns.ts'
import type { OrderCells } from './return-tables.ts'
import type {
  Customer,
  LabelRow,
  LabelSetRow,
  Product,
  RefundRow,
  ReturnCase,
  ReturnDoc,
  ReturnRow,
  Shop,
  StoredLabelSet,
  TransportRow,
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
  products(): Iterable<Product>
  /** A page of the matching returns, newest first, and the number of all of them. What has not changed is the same object. */
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
  findCase(no: number): ReturnCase | undefined
  /** The last return of a shop that has that name and a transport. */
  findShipment(shop: number, name: string): ReturnCase | undefined
  /** The returns of a shop's order, oldest first. */
  casesOfOrder(shop: number, order: string): ReturnCase[]
  /** All sets that were made under that id, oldest first. */
  labelSets(shop: number, clientShipmentId: string): StoredLabelSet[]
  /** A set by its number. */
  labelSet(no: number): StoredLabelSet | undefined
  /** A label that is served at an address. */
  servedLabel(urlKey: string): LabelRow | undefined
}

/** What can be written besides, valid only inside `Store.write`. Searches would see what may yet be undone. */
export interface WritableSnapshot extends Omit<Snapshot, 'search'> {
  /** The newest return of that name, of any shop. */
  findNamed(name: string): ReturnCase | undefined
  /** Writes what differs from the case as it was found. */
  saveCase(before: ReturnCase, after: ReturnCase): void
  /** All returns in one of two states, oldest first, and one at a time: there may be many. */
  casesWithStatus(one: number, other: number): Iterable<ReturnCase>
  /** The newest return. */
  lastReturn(): { no: number; created: number } | undefined
  /** Who ordered, by the order's returns, oldest first. */
  returnsOfOrder(shop: number, order: string): OrderCells[]
  /** The number of the new customer. */
  addCustomer(customer: Customer): number
  /** Adds a return with the number after the last one. */
  addReturn(row: ReturnRow, parts: Pick<ReturnCase, 'transports' | 'refunds'>): void
  /** How far the platform's clock is ahead of the machine's, in seconds. */
  clockOffset(): number
  setClockOffset(seconds: number): void
  /** So many numbers that no other parcel has; the first of them. */
  takeParcelNumbers(count: number): number
  /** The number of the new set. */
  addLabelSet(set: LabelSetRow): number
}
