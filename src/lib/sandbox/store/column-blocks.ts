/*
 * What `GET /returns` filters by, column by column, in memory: any mix of filters is one pass of a few nanoseconds a
 * return, which no set of SQL indexes can promise for counts and deep pages. Blocks of the columns are stored beside the
 * rows, so that a million returns load in the time of reading 14 MB. Numbers have the order of creation.
 *
 * A block: a header, n creation times, n update times, m execution times of refunds (32 bits each, little-endian as on
 * every machine that the driver runs on), m positions (16 bits), n states (8 bits).
 */
export const BLOCK_SIZE = 8192
/** n, m, and the least and greatest update time and execution time. */
const HEADER = 6
const WORD = 4

/** Inclusive, seconds. */
export interface SecondRange {
  from: number
  to: number
}

/** Returns in one block, in order of number. */
export interface ColumnBlock {
  first: number
  created: Uint32Array
  updated: Uint32Array
  refunded: Uint32Array
  /** For each entry of `refunded`, the position of its return in the block. */
  refundedPosition: Uint16Array
  /** Shop number × 16 + status position. */
  state: Uint8Array
  /** First and last of each column. */
  extent: Readonly<Record<'created' | 'updated' | 'refunded', SecondRange>>
}

export interface ColumnEntry {
  no: number
  shop: number
  status: number
  created: number
  updated: number
  /** Times of its executed refunds. */
  refunded: readonly number[]
}

/** Collects entries, which come in order of number, into stored blocks. */
export class ColumnWriter {
  #entries: ColumnEntry[] = []
  readonly #save: (first: number, data: Uint8Array) => void

  constructor(save: (first: number, data: Uint8Array) => void) {
    this.#save = save
  }

  add(entry: ColumnEntry): void {
    this.#entries.push(entry)
    if (this.#entries.length === BLOCK_SIZE) this.flush()
  }

  flush(): void {
    const first = this.#entries[0]
    if (first === undefined) return
    this.#save(first.no, encodeBlock(this.#entries))
    this.#entries = []
  }
}

function encodeBlock(entries: readonly ColumnEntry[]): Uint8Array {
  const updated = entries.map((entry) => entry.updated)
  const refunds = entries.flatMap((entry, position) => entry.refunded.map((time) => ({ time, position })))
  const times = refunds.map(({ time }) => time)
  const data = new Uint8Array(
    (HEADER + 2 * entries.length + refunds.length) * WORD + refunds.length * 2 + entries.length,
  )
  new Uint32Array(data.buffer, 0, HEADER).set([
    entries.length,
    refunds.length,
    Math.min(...updated),
    Math.max(...updated),
    ...(times.length === 0 ? [0, 0] : [Math.min(...times), Math.max(...times)]),
  ])
  const block = viewBlock(0, data.buffer)
  block.created.set(entries.map((entry) => entry.created))
  block.updated.set(updated)
  block.refunded.set(times)
  block.refundedPosition.set(refunds.map(({ position }) => position))
  block.state.set(entries.map((entry) => entry.shop * 16 + entry.status))
  return data
}

/** Reads a stored block. */
export function readBlock(first: number, data: Uint8Array): ColumnBlock {
  // The driver's buffer need not be aligned.
  return viewBlock(first, Uint8Array.from(data).buffer)
}

function viewBlock(first: number, buffer: ArrayBuffer): ColumnBlock {
  const [n = 0, m = 0, updatedFrom = 0, updatedTo = 0, refundedFrom = 0, refundedTo = 0] = new Uint32Array(
    buffer,
    0,
    HEADER,
  )
  const createdStart = HEADER * WORD
  const updatedStart = createdStart + n * WORD
  const refundedStart = updatedStart + n * WORD
  const positionStart = refundedStart + m * WORD
  const created = new Uint32Array(buffer, createdStart, n)
  return {
    first,
    created,
    updated: new Uint32Array(buffer, updatedStart, n),
    refunded: new Uint32Array(buffer, refundedStart, m),
    refundedPosition: new Uint16Array(buffer, positionStart, m),
    state: new Uint8Array(buffer, positionStart + m * 2, n),
    extent: {
      created: { from: created[0] ?? 0, to: created[n - 1] ?? 0 },
      updated: { from: updatedFrom, to: updatedTo },
      refunded: { from: refundedFrom, to: refundedTo },
    },
  }
}
