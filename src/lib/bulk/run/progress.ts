import type { RowCounts } from '../job/ledger.ts'

export interface BulkProgress {
  done: number
  succeeded: number
  failed: number
  unknown: number
  skipped: number
  total: number
  rate: number
  etaMs: number | undefined
  /** Requests that may be under way at once, as things stand. */
  concurrency: number
  state: 'running' | 'paused' | 'draining'
  reason: string | undefined
  /** When it goes on, by the run's clock. */
  until: number | undefined
}

/** Events closer together than this make one step of the average. */
const STEP_MS = 500
/** Time in which the average forgets two thirds. */
const MEMORY_MS = 10_000

export class RateMeter {
  #rate = 0
  #weight = 0
  #count = 0
  #stepAt: number

  constructor(now: number) {
    this.#stepAt = now
  }

  add(now: number): void {
    this.#count += 1
    if (now - this.#stepAt >= STEP_MS) this.#step(now)
  }

  perSecond(now: number): number {
    if (now - this.#stepAt >= STEP_MS) this.#step(now)
    return this.#weight === 0 ? 0 : this.#rate / this.#weight
  }

  #step(now: number): void {
    const elapsedMs = now - this.#stepAt
    const keep = Math.exp(-elapsedMs / MEMORY_MS)
    // Divided by the weight seen so far, so that the first steps count in full.
    this.#rate = this.#rate * keep + (1 - keep) * ((this.#count * 1000) / elapsedMs)
    this.#weight = this.#weight * keep + (1 - keep)
    this.#count = 0
    this.#stepAt = now
  }
}

export function rowsEnded(counts: RowCounts): number {
  return counts.succeeded + counts.failed + counts.unknown + counts.skipped
}
