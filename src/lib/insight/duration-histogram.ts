/** Durations below this are kept exactly, longer ones to 0.2 %. */
const EXACT_MINUTES = 1024
const MAX_MINUTES = 2 ** 22

export class DurationHistogram {
  readonly #buckets: number[] = []
  count = 0

  /** Negative durations count as 0, those above eight years as eight years. */
  add(duration: number) {
    const minutes = Math.min(MAX_MINUTES, Math.max(0, duration))
    const doublings = minutes < EXACT_MINUTES ? 0 : 32 - Math.clz32(minutes / EXACT_MINUTES)
    this.#addBucket((EXACT_MINUTES / 2) * doublings + (minutes >> doublings), 1)
  }

  addAll(other: DurationHistogram) {
    other.#buckets.forEach((count, bucket) => {
      this.#addBucket(bucket, count)
    })
  }

  #addBucket(bucket: number, count: number) {
    while (this.#buckets.length <= bucket) this.#buckets.push(0)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + count
    this.count += count
  }

  /** Nearest-rank percentile: least minutes of its bucket; undefined without durations. */
  percentile(percent: number): number | undefined {
    let left = Math.max(1, Math.ceil((percent / 100) * this.count))
    const bucket = this.#buckets.findIndex((count) => {
      left -= count
      return left <= 0
    })
    if (bucket < EXACT_MINUTES) return bucket < 0 ? undefined : bucket
    const doublings = Math.floor((2 * bucket) / EXACT_MINUTES) - 1
    return (bucket - (EXACT_MINUTES / 2) * doublings) * 2 ** doublings
  }
}
