import type { BulkClock } from '../../src/lib/bulk/run/run-request.ts'

interface Timer {
  at: number
  order: number
  ring(): void
  signal: AbortSignal | undefined
}

/** Virtual time: `drive` fires the next timer once all promises have settled. */
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
      // One listener for all timers, because adding one scans all others.
      this.#watched.add(signal)
      signal.addEventListener('abort', () => {
        for (const timer of this.#timers) if (timer.signal === signal) timer.ring()
        this.#timers = this.#timers.filter((timer) => timer.signal !== signal)
      })
    })
  }

  /** Runs at once, since work takes no virtual time and simultaneous events come one by one. */
  nextTurn(work: () => void): void {
    work()
  }

  /** Runs until `promise` settles. Throws if no timer is left. */
  async drive<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    promise.then(settled, settled)
    while (!isSettled) {
      await turn(() => {
        if (isSettled) return
        const next = this.#timers.shift()
        if (!next) throw new Error('the run hangs')
        this.#now = Math.max(this.#now, next.at)
        next.ring()
      })
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

/** Immediates that let promises settle. They share one turn of the event loop, which takes longer than many of them. */
const IMMEDIATES = 100

/** Repeats an action, each time after all promises have settled. */
function turn(act: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const once = () => {
      try {
        act()
      } catch (error) {
        reject(error)
      }
    }
    for (let i = 0; i < IMMEDIATES; i++) setImmediate(once)
    setImmediate(resolve)
  })
}
