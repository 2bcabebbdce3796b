import type { FaultRecord } from '../faults/fault-table.ts'
import type { ReturnFilter } from './return-columns.ts'
import type {
  Customer,
  LabelRow,
  LabelSetRow,
  NumberRange,
  OrderCells,
  Product,
  ReturnCase,
  ReturnParts,
  ReturnRow,
  Shop,
  StoredLabelSet,
  TransportRow,
} from './rows.ts'

/** A move of the clock: what is due comes about in parts, each in a transaction of its own. */
export interface ClockMove {
  /** Platform times, in seconds. */
  from: number
  to: number
  /** Numbers of returns: the first that was not gone through, and the last there was. */
  next: number
  last: number
  /** What has happened. */
  returns: number
  events: number
  refunds: number
  expired: number
}

export interface StoredCustomer {
  id: string
  /** JSON of a `Party`, as a binary string. */
  person: string
}

/** Times are seconds. */
export interface StoredReturn extends Omit<ReturnRow, 'shop' | 'customer'> {
  shop: Shop
  customer: StoredCustomer
  /** The active one. */
  transport: TransportRow | undefined
}

export interface TextFilter {
  name?: string | undefined
  /** Id or name. */
  order?: string | undefined
}

/** The data as one request sees them, valid only inside `Store.read`. */
export interface Snapshot {
  shops: readonly Shop[]
  product(no: number): Product
  products(): Iterable<Product>
  /** The numbers of a page of matches, newest first, and how many there are in all. */
  search(filter: ReturnFilter & TextFilter, skip: number, limit: number): { total: number; numbers: number[] }
  /**
   * What `write` makes of each return, or has made of it as it is now, joined by commas between two texts: those of one
   * `kind` are written alike. All are binary strings.
   */
  page(
    numbers: readonly number[],
    kind: string,
    write: (stored: StoredReturn) => string,
    around: readonly [head: string, tail: string],
  ): Buffer
  findReturn(no: number): StoredReturn | undefined
  findCase(no: number): ReturnCase | undefined
  /** The last of that name with a transport. */
  findShipment(shop: number, name: string): ReturnCase | undefined
  /** Oldest first. */
  casesOfOrder(shop: number, order: string): ReturnCase[]
  /** Made under that id, oldest first. */
  labelSets(shop: number, clientShipmentId: string): StoredLabelSet[]
  labelSet(no: number): StoredLabelSet | undefined
  servedLabel(urlKey: string): LabelRow | undefined
}

/** Valid only inside `Store.write`. Without what would cache data that may be undone. */
export interface WritableSnapshot extends Omit<Snapshot, 'search' | 'page'> {
  /** Of any shop, the newest. */
  findNamed(name: string): ReturnCase | undefined
  saveCase(before: ReturnCase, after: ReturnCase): void
  /** Oldest first. */
  casesWithStatus(range: NumberRange, one: number, other: number): Iterable<ReturnCase>
  /** Its number. */
  firstReturn(): number | undefined
  lastReturn(): { no: number; created: number } | undefined
  /** By the order's returns, oldest first. */
  returnsOfOrder(shop: number, order: string): OrderCells[]
  addCustomer(customer: Customer): number
  /** Its number follows the last one. */
  addReturn(row: ReturnRow, parts: ReturnParts): void
  /** How far the platform's clock is ahead of the machine's, in seconds. */
  clockOffset(): number
  setClockOffset(seconds: number): void
  faults(): FaultRecord[]
  setFaults(faults: readonly FaultRecord[]): void
  /** The last move of the clock. */
  move(): ClockMove | undefined
  setMove(move: ClockMove): void
  /** Reserves numbers that no other parcel has. @returns the first */
  takeParcelNumbers(count: number): number
  addLabelSet(set: LabelSetRow): number
}
