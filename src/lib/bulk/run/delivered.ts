/** A second is measured, or so many acceptances where they take longer; fewer than the least tell nothing. */
const SPAN_MS = 1000
const SAMPLE = 20
const LEAST = 8
const HELD = 2048

export class Delivered {
  readonly #times = new Float64Array(HELD).fill(Number.NEGATIVE_INFINITY)
  #count = 0

  add(now: number): void {
    this.#times[this.#count++ % HELD] = now
  }

  /** When the last was accepted. */
  get lastAt(): number {
    return this.#at(0)
  }

  /** Of those after `since` only; undefined while they are too few. At most 2,048. */
  perSecond(until: number, since = Number.NEGATIVE_INFINITY): number | undefined {
    const from = Math.max(since, Math.min(until - SPAN_MS, this.#at(SAMPLE)))
    let count = 0
    while (count < HELD && this.#at(count) > from) count += 1
    return count < LEAST ? undefined : (count * 1000) / Math.max(1, until - from)
  }

  /** When the last was accepted, or one further `back`. */
  #at(back: number): number {
    return this.#times[(this.#count + HELD - 1 - back) % HELD] ?? 0
  }
}
