/** Time without a success after which the run ends. */
export const OUTAGE_MS = 5 * 60_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 4000
const MIN_FAILURES = 5
const MAX_FAILURES = 10

/** Circuit breaker. One failing row is not an outage: it takes two. */
export class Breaker {
  #failures = 0
  #firstFailed: number | undefined
  #hasSeveral = false
  #badSince: number | undefined
  #pauseMs = 0
  #state: 'closed' | 'open' | 'probing' = 'closed'
  until = Number.NEGATIVE_INFINITY

  constructor(private readonly options: Readonly<{ concurrency: number; random: () => number }>) {}

  get isClosed() {
    return this.#state === 'closed'
  }

  /** True if several rows have failed since the last success. */
  get haveSeveralFailed() {
    return this.#hasSeveral
  }

  /** @param underWay requests without an answer */
  allows(now: number, underWay: number) {
    if (this.#state === 'closed') return true
    return this.#state === 'open' && underWay === 0 && now >= this.until
  }

  sent() {
    if (this.#state === 'open') this.#state = 'probing'
  }

  worked() {
    this.#failures = 0
    this.#firstFailed = undefined
    this.#hasSeveral = false
    this.#badSince = undefined
    this.#pauseMs = 0
    this.#state = 'closed'
  }

  /** A probe that is throttled has neither failed nor succeeded. */
  throttled(now: number) {
    this.#badSince ??= now
    if (this.#state === 'probing') this.#state = 'closed'
  }

  failed(now: number, ordinal: number) {
    this.#badSince ??= now
    this.#firstFailed ??= ordinal
    if (ordinal !== this.#firstFailed) this.#hasSeveral = true
    this.#failures += 1
    if (this.#state === 'open') return
    const threshold = Math.min(MAX_FAILURES, Math.max(MIN_FAILURES, this.options.concurrency))
    if (this.#state === 'closed' && !(this.#failures >= threshold && this.#hasSeveral)) return
    this.#state = 'open'
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs === 0 ? FIRST_PAUSE_MS : this.#pauseMs * 2)
    this.until = now + this.#pauseMs * (0.75 + this.options.random() / 2)
  }

  isOutage(now: number) {
    return this.#badSince !== undefined && now - this.#badSince >= OUTAGE_MS
  }
}
