import {
  BLOCK_SIZE,
  type ColumnBlock,
  type ColumnEntry,
  decodeBlock,
  encodeBlock,
  readBlock,
  type SecondRange,
  withEntries,
} from './column-blocks.ts'

export interface ReturnFilter {
  shops: readonly number[]
  status?: number | undefined
  created?: SecondRange | undefined
  updated?: SecondRange | undefined
  refunded?: SecondRange | undefined
  among?: readonly number[] | undefined
}

const REMEMBERED_SEARCHES = 64
/** In place of a count, where the block has changed. */
const UNKNOWN = 0xffff_ffff

interface Counts {
  /** Matches in each block, or `UNKNOWN`. */
  perBlock: Uint32Array
  /** Whether it filters by more than shop and creation, which never change. */
  isChangeable: boolean
}

/** Searches blocks. Counts are kept: further pages of a search touch their own blocks only. */
export class ReturnColumns {
  /** In order of number, all but the last of them full. */
  readonly #blocks: ColumnBlock[]
  /** By search, in order of last use. */
  readonly #counts = new Map<string, Counts>()
  readonly #hits = new Uint8Array(BLOCK_SIZE)

  constructor(blocks: readonly ColumnBlock[]) {
    this.#blocks = [...blocks]
  }

  /** In order of number, each once. A new return has the number after the last. */
  put(entries: readonly ColumnEntry[]): void {
    for (let from = 0, to = 0; from < entries.length; from = to) {
      const entry = entries[from]
      if (entry === undefined) return
      const b = this.#indexOf(entry.no)
      const block = this.#blocks[b]
      const end = block === undefined ? entry.no : block.first + block.state.length
      to = from + 1
      if (block === undefined || entry.no >= end) {
        this.#append(entry, block)
        continue
      }
      while ((entries[to]?.no ?? end) < end) to += 1
      this.#blocks[b] = withEntries(block, entries.slice(from, to))
      for (const { perBlock, isChangeable } of this.#counts.values()) {
        if (isChangeable) perBlock[b] = UNKNOWN
      }
    }
  }

  blockOf(no: number): { first: number; data: Uint8Array } | undefined {
    return this.#blocks[this.#indexOf(no)]
  }

  #append(entry: ColumnEntry, last: ColumnBlock | undefined): void {
    this.#counts.clear()
    const isFull = last === undefined || last.state.length === BLOCK_SIZE
    const entries = isFull ? [entry] : [...decodeBlock(last), entry]
    const first = isFull ? entry.no : last.first
    this.#blocks.splice(this.#indexOf(first), 1, readBlock(first, encodeBlock(entries)))
  }

  /** The next block's for the number after the last. */
  #indexOf(no: number): number {
    return Math.floor((no - (this.#blocks[0]?.first ?? no)) / BLOCK_SIZE)
  }

  /** Newest first, from `skip` on and at most `limit`, with the number of all matches. */
  search(filter: ReturnFilter, skip: number, limit: number): { total: number; numbers: number[] } {
    const wanted = wantedStates(filter)
    const counts = this.#count(filter, wanted)
    const numbers: number[] = []
    let total = 0
    for (let b = this.#blocks.length - 1; b >= 0; b--) {
      const block = this.#blocks[b]
      const count = counts[b] ?? 0
      if (block !== undefined && numbers.length < limit && total + count > skip) {
        markHits(block, filter, wanted, this.#hits)
        collect(block, this.#hits, skip - total, limit, numbers)
      }
      total += count
    }
    return { total, numbers }
  }

  #count(filter: ReturnFilter, wanted: Uint8Array): Uint32Array {
    // JSON writes infinity as `null`, which is as good.
    const key = JSON.stringify([
      filter.shops,
      filter.status,
      filter.created,
      filter.updated,
      filter.refunded,
      filter.among,
    ])
    const counts = this.#counts.get(key) ?? {
      perBlock: new Uint32Array(this.#blocks.length).fill(UNKNOWN),
      isChangeable: Boolean(filter.status !== undefined || filter.updated || filter.refunded),
    }
    this.#blocks.forEach((block, b) => {
      if (counts.perBlock[b] !== UNKNOWN) return
      if (!mayMatch(block, filter)) counts.perBlock[b] = 0
      else if (coversAll(block, filter)) counts.perBlock[b] = countStates(block, filter, wanted)
      else counts.perBlock[b] = markHits(block, filter, wanted, this.#hits)
    })
    this.#counts.delete(key)
    this.#counts.set(key, counts)
    if (this.#counts.size > REMEMBERED_SEARCHES) {
      const [oldest = ''] = this.#counts.keys()
      this.#counts.delete(oldest)
    }
    return counts.perBlock
  }
}

function collect(block: ColumnBlock, hits: Uint8Array, skip: number, limit: number, numbers: number[]): void {
  let seen = 0
  for (let i = block.state.length - 1; i >= 0 && numbers.length < limit; i--) {
    if (hits[i] === 1 && seen++ >= skip) numbers.push(block.first + i)
  }
}

/** Sets `hits` to 1 where every filter passes, one plain loop a filter. @returns their number */
function markHits(block: ColumnBlock, filter: ReturnFilter, wanted: Uint8Array, hits: Uint8Array): number {
  const { state, extent } = block
  for (let i = 0; i < state.length; i++) hits[i] = wanted[state[i] ?? 0] ?? 0
  const { created, updated, refunded, among } = filter
  if (created && !covers(created, extent.created)) keepWithin(created, block.created, hits)
  if (updated && !covers(updated, extent.updated)) keepWithin(updated, block.updated, hits)
  if (refunded) keep(refundedWithin(block, refunded), hits)
  if (among) keep(positionsOf(block, among), hits)
  let count = 0
  for (let i = 0; i < state.length; i++) count += hits[i] ?? 0
  return count
}

function keepWithin({ from, to }: SecondRange, column: Uint32Array, hits: Uint8Array): void {
  for (let i = 0; i < column.length; i++) {
    const value = column[i] ?? 0
    if (value < from || value > to) hits[i] = 0
  }
}

function keep(others: Uint8Array, hits: Uint8Array): void {
  for (let i = 0; i < others.length; i++) if (others[i] === 0) hits[i] = 0
}

function refundedWithin(block: ColumnBlock, { from, to }: SecondRange): Uint8Array {
  const marks = new Uint8Array(block.state.length)
  for (let r = 0; r < block.refunded.length; r++) {
    const executed = block.refunded[r] ?? 0
    if (executed >= from && executed <= to) marks[block.refundedPosition[r] ?? 0] = 1
  }
  return marks
}

function positionsOf(block: ColumnBlock, numbers: readonly number[]): Uint8Array {
  const marks = new Uint8Array(block.state.length)
  // A typed array ignores numbers outside of it, those of other blocks.
  for (const no of numbers) marks[no - block.first] = 1
  return marks
}

/** One flag a state byte: shop and status are one test. */
function wantedStates({ shops, status }: ReturnFilter): Uint8Array {
  const wanted = new Uint8Array(256)
  for (const shop of shops) {
    if (status === undefined) wanted.fill(1, shop * 16, shop * 16 + 16)
    else wanted[shop * 16 + status] = 1
  }
  return wanted
}

function mayMatch(block: ColumnBlock, { created, updated, refunded, among }: ReturnFilter): boolean {
  const { extent, first, state } = block
  if (created && !overlap(created, extent.created)) return false
  if (updated && !overlap(updated, extent.updated)) return false
  if (refunded && !overlap(refunded, extent.refunded)) return false
  return among === undefined || among.some((no) => no >= first && no < first + state.length)
}

/** Whether only states, and having been refunded, tell the block's entries apart. */
function coversAll({ extent }: ColumnBlock, { created, updated, refunded, among }: ReturnFilter): boolean {
  const isCovered = (range: SecondRange | undefined, inner: SecondRange) => !range || covers(range, inner)
  return (
    among === undefined &&
    isCovered(created, extent.created) &&
    isCovered(updated, extent.updated) &&
    isCovered(refunded, extent.refunded)
  )
}

interface Tally {
  /** Entries by state. */
  all: Uint16Array
  refunded: Uint16Array
}

/** A block that changes is another object. */
const tallies = new WeakMap<ColumnBlock, Tally>()

function tallyOf(block: ColumnBlock): Tally {
  const known = tallies.get(block)
  if (known !== undefined) return known
  const { state, refundedPosition } = block
  const tally = { all: new Uint16Array(256), refunded: new Uint16Array(256) }
  const isRefunded = new Uint8Array(state.length)
  for (const position of refundedPosition) isRefunded[position] = 1
  for (let i = 0; i < state.length; i++) {
    const value = state[i] ?? 0
    tally.all[value] = (tally.all[value] ?? 0) + 1
    tally.refunded[value] = (tally.refunded[value] ?? 0) + (isRefunded[i] ?? 0)
  }
  tallies.set(block, tally)
  return tally
}

function countStates(block: ColumnBlock, { refunded }: ReturnFilter, wanted: Uint8Array): number {
  const tally = tallyOf(block)[refunded ? 'refunded' : 'all']
  let count = 0
  for (let value = 0; value < tally.length; value++) count += (wanted[value] ?? 0) * (tally[value] ?? 0)
  return count
}

function overlap(a: SecondRange, b: SecondRange): boolean {
  return a.from <= b.to && b.from <= a.to
}

function covers(outer: SecondRange, inner: SecondRange): boolean {
  return outer.from <= inner.from && inner.to <= outer.to
}
