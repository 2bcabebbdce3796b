/*
 * Columns that `GET /returns` filters by: any mix of filters is one pass in memory, which no SQL indexes promise for
 * counts and deep pages. Blocks stored beside the rows load in the time of reading 14 MB a million returns.
 *
 * A block: header, n creation, n update and m refund times (32 bits, little-endian), m positions (16), n states (8).
 */
import type { RefundRow } from './rows.ts'

export const BLOCK_SIZE = 8192
/** n, m, and the least and greatest update and execution time. */
const HEADER = 6
const UPDATED_FROM = 2
const WORD = 4

/** Inclusive, seconds. */
export interface SecondRange {
  from: number
  to: number
}

export interface ColumnBlock {
  first: number
  /** As stored; the columns are views of it. */
  data: Uint8Array
  created: Uint32Array
  updated: Uint32Array
  refunded: Uint32Array
  /** Position in the block, for each entry of `refunded`. */
  refundedPosition: Uint16Array
  /** Shop number × 16 + status position. */
  state: Uint8Array
  /** Bounds of each column; after changes they may be wider than needed. */
  extent: Readonly<Record<'created' | 'updated' | 'refunded', SecondRange>>
}

export interface ColumnEntry {
  no: number
  shop: number
  status: number
  created: number
  updated: number
  refunded: readonly number[]
}

/** When refunds were paid. */
export function executionTimes(refunds: readonly RefundRow[]): number[] {
  return refunds.flatMap(({ executed }) => executed ?? [])
}

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

/** One to `BLOCK_SIZE` entries with consecutive numbers. */
export function encodeBlock(entries: readonly ColumnEntry[]): Uint8Array {
  const updated = entries.map((entry) => entry.updated)
  const refunds = entries.flatMap((entry, position) => entry.refunded.map((time) => ({ time, position })))
  const times = refunds.map(({ time }) => time)
  const block = emptyBlock(0, entries.length, refunds.length, [rangeOf(updated), rangeOf(times)])
  block.created.set(entries.map((entry) => entry.created))
  block.updated.set(updated)
  block.refunded.set(times)
  block.refundedPosition.set(refunds.map(({ position }) => position))
  block.state.set(entries.map(stateOf))
  return block.data
}

export function decodeBlock({ first, created, updated, state, ...block }: ColumnBlock): ColumnEntry[] {
  const refunded = Array.from(created, (): number[] => [])
  block.refundedPosition.forEach((position, r) => {
    refunded[position]?.push(block.refunded[r] ?? 0)
  })
  return Array.from(state, (value, i) => ({
    no: first + i,
    shop: value >> 4,
    status: value & 15,
    created: created[i] ?? 0,
    updated: updated[i] ?? 0,
    refunded: refunded[i] ?? [],
  }))
}

/** Replaces entries, each once: in place, or in one copy if refunds differ. */
export function withEntries(block: ColumnBlock, entries: readonly ColumnEntry[]): ColumnBlock {
  const others = entries.filter(({ no, refunded }) => !hasRefunds(block, no - block.first, refunded))
  const changed = others.length === 0 ? block : withRefunds(block, others)
  const { first, updated, state, extent } = changed
  for (const entry of entries) {
    updated[entry.no - first] = entry.updated
    state[entry.no - first] = stateOf(entry)
  }
  const times = entries.map((entry) => entry.updated)
  const widened = rangeOf([extent.updated.from, extent.updated.to, ...times])
  new Uint32Array(changed.data.buffer, 0, HEADER).set([widened.from, widened.to], UPDATED_FROM)
  return { ...changed, extent: { ...extent, updated: widened } }
}

function hasRefunds(block: ColumnBlock, position: number, times: readonly number[]): boolean {
  let seen = 0
  for (let r = block.refundedPosition.indexOf(position); r >= 0; ) {
    if (block.refunded[r] !== times[seen]) return false
    seen += 1
    r = block.refundedPosition.indexOf(position, r + 1)
  }
  return seen === times.length
}

function withRefunds(block: ColumnBlock, entries: readonly ColumnEntry[]): ColumnBlock {
  const { first, created, updated, refunded, refundedPosition, state, extent } = block
  const isReplaced = new Uint8Array(state.length)
  for (const { no } of entries) isReplaced[no - first] = 1
  const times = entries.flatMap((entry) => entry.refunded)
  let kept = 0
  for (const position of refundedPosition) kept += 1 - (isReplaced[position] ?? 0)
  const copy = emptyBlock(first, state.length, kept + times.length, [
    extent.updated,
    rangeOf([...times, ...(refunded.length === 0 ? [] : [extent.refunded.from, extent.refunded.to])]),
  ])
  copy.created.set(created)
  copy.updated.set(updated)
  copy.state.set(state)
  let at = 0
  for (let r = 0; r < refunded.length; r++) {
    const position = refundedPosition[r] ?? 0
    if (isReplaced[position] === 1) continue
    copy.refunded[at] = refunded[r] ?? 0
    copy.refundedPosition[at] = position
    at += 1
  }
  copy.refunded.set(times, kept)
  copy.refundedPosition.set(
    entries.flatMap((entry) => entry.refunded.map(() => entry.no - first)),
    kept,
  )
  return { ...copy, extent: { ...copy.extent, created: extent.created } }
}

export function readBlock(first: number, data: Uint8Array): ColumnBlock {
  // The driver's buffer may be unaligned, and is not ours to change.
  return viewBlock(first, Uint8Array.from(data).buffer)
}

function emptyBlock(
  first: number,
  n: number,
  m: number,
  [updated, refunded]: readonly [SecondRange, SecondRange],
): ColumnBlock {
  const buffer = new ArrayBuffer((HEADER + 2 * n + m) * WORD + m * 2 + n)
  new Uint32Array(buffer, 0, HEADER).set([n, m, updated.from, updated.to, refunded.from, refunded.to])
  return viewBlock(first, buffer)
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
    data: new Uint8Array(buffer),
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

function stateOf({ shop, status }: ColumnEntry): number {
  return shop * 16 + status
}

function rangeOf(times: readonly number[]): SecondRange {
  return times.length === 0 ? { from: 0, to: 0 } : { from: Math.min(...times), to: Math.max(...times) }
}
