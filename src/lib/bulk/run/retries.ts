const BACK_OFF_BASE_MS = 250
const BACK_OFF_CAP_MS = 20_000

/** "Full jitter": anywhere up to the exponential bound, which spreads a crowd better than a fixed delay. */
export function backOffMs(failures: number, random: () => number): number {
  return random() * Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** Math.max(0, failures - 1))
}

const BUDGET = 50
const EARNED = 0.25

/**
 * The retries that the whole job may make: so many at first, then one for every four rows that succeed. A service in
 * trouble gets a quarter more traffic at most, not a multiple. A row that has to wait for its retry does not fail.
 */
export class RetryBudget {
  #tokens = BUDGET

  earn(): void {
    this.#tokens = Math.min(BUDGET, this.#tokens + EARNED)
  }

  take(): boolean {
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
