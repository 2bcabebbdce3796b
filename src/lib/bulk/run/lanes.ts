import type { BulkRow } from './bulk-row.ts'

export interface Work<T> {
  readonly ordinal: number
  readonly row: BulkRow<T>
  /** Next step: a look whether it happened, or sending it. */
  step: 'look' | 'send'
  attempts: number
  strikes: number
  notBefore: number
  /** When it was refused (429) last, where it is to wait for a second at most. */
  heldShortlyAt?: number | undefined
  failure?: { code: string; message: string } | undefined
  next?: Work<T> | undefined
}

export class Fifo<T> {
  #items: T[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  peek(): T | undefined {
    return this.#items[this.#head]
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined
    const item = this.#items[this.#head++]
    // Emptied in pieces: `Array.shift` would move all that is left each time.
    if (this.#head === this.#items.length || this.#head === 1024) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  drain(): T[] {
    const all = this.#items.slice(this.#head)
    this.#items = []
    this.#head = 0
    return all
  }
}

/** Rows that wait for their turn: of each lane the first is ready, the others follow it. */
export class Lanes<T> {
  readonly #lasts = new Map<string, Work<T>>()
  /** Older than all fresh ones: a lane with many rows must not fall further and further behind. */
  readonly #followers = new Fifo<Work<T>>()
  readonly #fresh = new Fifo<Work<T>>()
  held = 0

  get ready(): number {
    return this.#followers.size + this.#fresh.size
  }

  add(work: Work<T>): void {
    const lane = laneOf(work)
    const last = this.#lasts.get(lane)
    if (last) last.next = work
    else this.#fresh.push(work)
    this.#lasts.set(lane, work)
    this.held += 1
  }

  take(): Work<T> | undefined {
    return this.#followers.shift() ?? this.#fresh.shift()
  }

  release(work: Work<T>): void {
    this.held -= 1
    if (work.next) this.#followers.push(work.next)
    else this.#lasts.delete(laneOf(work))
  }
}

function laneOf({ row }: Work<unknown>): string {
  return row.lane ?? row.key
}
