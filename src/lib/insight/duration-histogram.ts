/** Up to this many minutes (68 h) each has a bucket of its own. */
const EXACT = 4096
const MINUTE_MS = 60_000

/**
 * How often durations occurred, in bounded memory whatever their number: exact to the minute up to 68 hours, above that
 * to one part in 2,048.
 */
export class DurationHistogram {
  readonly #buckets = new Map<number, number>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Negative ones, of clocks that disagree, count as none. */
  add(durationMs: number): void {
    const bucket = bucketOf(Math.max(0, Math.round(durationMs / MINUTE_MS)))
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1)
    this.#count += 1
  }

  /** Nearest rank, in ms; undefined of none. */
  percentile(percent: number): number | undefined {
    return this.percentiles([percent])[0]
  }

  /** Several at the cost of one. `percents` ascend. */
  percentiles(percents: readonly number[]): (number | undefined)[] {
    const buckets = [...this.#buckets.entries()].sort(([a], [b]) => a - b)
    let index = 0
    let below = buckets[0]?.[1] ?? 0
    return percents.map((percent) => {
      const rank = Math.max(1, Math.ceil((percent / 100) * this.#count))
      while (below < rank && index < buckets.length - 1) {
        index += 1
        below += buckets[index]?.[1] ?? 0
      }
      const bucket = buckets[index]?.[0]
      return bucket === undefined ? undefined : minutesOf(bucket) * MINUTE_MS
    })
  }
}

/** Ascends with the minutes. */
function bucketOf(minutes: number): number {
  if (minutes < EXACT) return minutes
  const doublings = Math.floor(Math.log2(minutes / EXACT)) + 1
  return EXACT + (doublings - 1) * (EXACT / 2) + Math.floor(minutes / 2 ** doublings) - EXACT / 2
}

/** The fewest minutes of a bucket. */
function minutesOf(bucket: number): number {
  if (bucket < EXACT) return bucket
  const doublings = Math.floor((bucket - EXACT) / (EXACT / 2)) + 1
  return (((bucket - EXACT) % (EXACT / 2)) + EXACT / 2) * 2 ** doublings
}
