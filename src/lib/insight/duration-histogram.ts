const MAX_MINUTES = 2 ** 22

/**
 * How often durations of whole minutes occurred, in bounded memory whatever their number: exact to the minute up to a bound, above it to
 * one part in half of that bound.
 */
export class DurationHistogram {
  readonly #exact: number
  /** Counts; ascending with the duration. */
  #buckets = new Uint32Array(64)
  #count = 0

  /** `exactMinutes` is a power of two; 4096 are 68 hours. */
  constructor(exactMinutes: number) {
    this.#exact = exactMinutes
  }

  get count(): number {
    return this.#count
  }

  add(minutes: number): void {
    this.addBucket(histogramBucket(minutes, this.#exact))
  }

  /** All that one of the same bound has counted. */
  addAll(other: DurationHistogram): void {
    other.#buckets.forEach((count, bucket) => {
      if (count > 0) this.addBucket(bucket, count)
    })
  }

  /** For histograms of the same bound, so that many take one duration at the price of one. */
  addBucket(bucket: number, count = 1): void {
    if (bucket >= this.#buckets.length) {
      const wider = new Uint32Array(Math.max(bucket + 1, 2 * this.#buckets.length))
      wider.set(this.#buckets)
      this.#buckets = wider
    }
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + count
    this.#count += count
  }

  /** Nearest rank, in minutes; undefined of none. */
  percentile(percent: number): number | undefined {
    if (this.#count === 0) return undefined
    const rank = Math.max(1, Math.ceil((percent / 100) * this.#count))
    let bucket = 0
    for (let below = this.#buckets[0] ?? 0; below < rank; below += this.#buckets[bucket] ?? 0) bucket += 1
    return this.#minutesOf(bucket)
  }

  /** The fewest minutes of a bucket. */
  #minutesOf(bucket: number): number {
    const half = this.#exact / 2
    if (bucket < 2 * half) return bucket
    const doublings = Math.floor(bucket / half) - 1
    return (bucket - half * doublings) * 2 ** doublings
  }
}

/** Returns the bucket of a duration. Negative durations count as 0, those above eight years as eight years. */
export function histogramBucket(duration: number, exactMinutes: number): number {
  const minutes = Math.min(MAX_MINUTES, Math.max(0, duration))
  if (minutes < exactMinutes) return minutes
  const doublings = 32 - Math.clz32(minutes / exactMinutes)
  return (exactMinutes / 2) * doublings + (minutes >> doublings)
}
