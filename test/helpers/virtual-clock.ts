import type { BulkClock } from '../../src/lib/bulk/run/bulk-row.ts'

interface Timer {
  at: number
  order: number
  ring(): void
  signal: AbortSignal | undefined
}

/** Promises settle between two immediates, too, and a turn of the event loop takes longer than most timers' work. */
const RINGS_A_TURN = 50

/** Time that passes only when nothing else can happen: `drive` rings the next timer once all promises have settled. */
export class VirtualClock implements BulkClock {
  #now = 1_000_000
  #order = 0
  #timers: Timer[] = []
  readonly #watched = new WeakSet<AbortSignal>()

  now(): number {
    return this.#now
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      this.#insert({ at: this.#now + ms, order: this.#order++, ring: resolve, signal })
      if (!signal || this.#watched.has(signal)) return
      // One listener for all its timers: adding one looks at all that are there.
      this.#watched.add(signal)
      signal.addEventListener('abort', () => {
        for (const timer of this.#timers) if (timer.signal === signal) timer.ring()
        this.#timers = this.#timers.filter((timer) => timer.signal !== signal)
      })
    })
  }

  /** Runs until `promise` settles. Throws when nothing is left that could settle it. */
  async drive<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    promise.then(settled, settled)
    let isHanging = false
    const ring = () => {
      if (isSettled || isHanging) return
      const next = this.#timers.shift()
      isHanging = !next
      this.#now = Math.max(this.#now, next?.at ?? 0)
      next?.ring()
    }
    while (!isSettled) {
      await new Promise((resolve) => {
        for (let rung = 0; rung < RINGS_A_TURN; rung++) setImmediate(ring)
        setImmediate(resolve)
      })
      if (isHanging) throw new Error('the run hangs')
    }
    return promise
  }

  #insert(timer: Timer): void {
    let low = 0
    let high = this.#timers.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#timers[middle]!
      if (other.at < timer.at || (other.at === timer.at && other.order < timer.order)) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
  }
}
