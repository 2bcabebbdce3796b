/** How many things are looked up at once: few, because a person waits and the service sets no pace (spec §8). */
export const LOOKUPS = {
  concurrency: 6,
  /** Answers that wait for an earlier one; beyond it, no more is asked. */
  backpressure: 512,
}
