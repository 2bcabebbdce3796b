/** Lookups at once: few, because the service sets no pace (spec §8). */
export const LOOKUPS = {
  concurrency: 6,
  /** Answers that may wait for an earlier one. */
  backpressure: 512,
}
