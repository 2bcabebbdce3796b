const SPAN_MS = 1000
/** Acceptances that are measured where they take longer than a second. */
const SAMPLE = 20
const HELD = 2048

/** Rate of acceptances, by their times. */
export class Delivered {
  readonly #times = new Float64Array(HELD).fill(Number.NEGATIVE_INFINITY)
  #count = 0

  add(now: number): void {
    this.#times[this.#count++ % HELD] = now
  }

  /** Time of the last acceptance. */
  get lastAt(): number {
    return this.#at(0)
  }

  /** Acceptances a second, at most 2,048, in the second before the last one; `since` is the start of the run. */
  perSecond(since: number): number {
    const until = this.lastAt
    if (until === Number.NEGATIVE_INFINITY) return 0
    const from = Math.max(since, Math.min(until - SPAN_MS, this.#at(SAMPLE)))
    let count = 0
    while (count < HELD && this.#at(count) > from) count += 1
    return (count * 1000) / Math.max(SPAN_MS, until - from)
  }

  #at(back: number): number {
    return this.#times[(this.#count + HELD - 1 - back) % HELD] ?? 0
  }
}
