import { ConcurrencyLimit } from './concurrency-limit.ts'
import { Pacer } from './pacer.ts'
import { RateWindow } from './rate-window.ts'

/** What was accepted tells the pace when it is at least so much. */
const TELLING_COUNT = 20
/** So many before the first refusal are no mere burst. */
const TRUSTED_COUNT = 50
/** A first guess looks at the last second, as services count by it; a ramp goes too fast for that. */
const SPAN_MS = 1000
const RAMP_SPAN_MS = 400
/** A refusal lowers the pace by as much at the least, and by more where too little was accepted to tell. */
const LEAST_CUT = 0.985
const BLIND_CUT = 0.9
const GUESS_CUT = 0.99
/** While the pace is not known, it doubles in this time without a refusal. */
const DOUBLING_S = 0.4
/** Wait before a pace that was found is tried to be exceeded; doubled each time it proves right. */
const FIRST_PATIENCE_MS = 1000
const MAX_PATIENCE_MS = 60_000
/** And longer where a refusal costs more: so many times the wait that it brings. */
const STATED_PATIENCE = 50
const GUESS_PATIENCE = 40
/** Growth a second, once that wait is over; doubled every second: the service may have been given more room. */
const PROBING = 0.01
const MAX_PROBING = 0.2
const GROWTH_STEP_S = 0.1
/** How near two findings must be to be the same. */
const SAME_PACE = 0.08
const MIN_PACE = 0.2
/** While all is refused and no time is stated: one request is tried after this, then after a part of the time waited. */
const FIRST_TRY_MS = 100
const NEXT_TRY = 0.25
const MAX_TRY_MS = 10_000

export interface GovernorOptions {
  concurrency: number
  /** Exact; the service's own pace may be lower. */
  ratePerSecond?: number | undefined
}

/**
 * How many requests may be under way, and when the next may go.
 *
 * Two things are found out. How many at once: doubled while latency stays down, less when it rises or on a refusal
 * (429). And, from the first refusal on, how many a second: what the service accepted between two refusals is what it
 * grants, however it counts (bucket, fixed or sliding window). Requests then go evenly spread at a little less, which
 * each of those accepts, and now and then a little more is tried, ever more rarely while the answer stays the same.
 */
export class Governor {
  readonly #limit: ConcurrencyLimit
  readonly #fixed: Pacer | undefined
  #pacer: Pacer | undefined
  readonly #accepted = new RateWindow()
  #acceptedSinceRefusal = 0
  #refusedAt = Number.NEGATIVE_INFINITY
  /** Since when all was refused. */
  #droughtSince: number | undefined
  #pausedUntil = Number.NEGATIVE_INFINITY
  /** The pace that the service was found to grant. */
  #found: number | undefined
  #patienceMs = FIRST_PATIENCE_MS
  /** The wait that the service imposed last: what a refusal costs. */
  #statedMs = 0
  #grownAt = 0

  constructor({ concurrency, ratePerSecond }: GovernorOptions) {
    this.#limit = new ConcurrencyLimit(concurrency)
    this.#fixed = ratePerSecond === undefined ? undefined : new Pacer(ratePerSecond, { exact: true })
  }

  get concurrency(): number {
    return this.#droughtSince === undefined ? this.#limit.value : 1
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  /** The earliest time for the next request; minus infinity for at once. */
  readyAt(): number {
    return Math.max(
      this.#pausedUntil,
      this.#pacer?.readyAt() ?? Number.NEGATIVE_INFINITY,
      this.#fixed?.readyAt() ?? Number.NEGATIVE_INFINITY,
    )
  }

  sent(now: number): void {
    this.#fixed?.note(now)
    this.#pacer?.note(now)
  }

  accepted(now: number, sentAt: number): void {
    this.#limit.answered(now - sentAt)
    this.#accepted.add(now)
    if (sentAt <= this.#refusedAt) return
    this.#acceptedSinceRefusal += 1
    this.#droughtSince = undefined
    if (this.#pacer) this.#grow(this.#pacer, now)
  }

  refused(now: number, sentAt: number, retryAfterMs: number | undefined): void {
    this.#statedMs = retryAfterMs ?? 0
    const calmMs = now - Math.max(this.#refusedAt, this.#pausedUntil)
    if (retryAfterMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, now + retryAfterMs)
    // It was under way at the last refusal, and tells nothing that that one did not.
    if (sentAt <= this.#refusedAt) return
    const isFirst = this.#pacer === undefined
    if (isFirst || this.#acceptedSinceRefusal === 0) this.#waitForRoom(now, retryAfterMs !== undefined)
    if (isFirst || this.#acceptedSinceRefusal > 0) {
      this.#limit.lower()
      const pace = Math.max(MIN_PACE, this.#paceAfterRefusal(now, calmMs))
      this.#pacer ??= new Pacer(pace, { exact: false })
      this.#pacer.perSecond = pace
    }
    this.#pacer?.holdUntil(this.#pausedUntil)
    this.#refusedAt = now
    this.#acceptedSinceRefusal = 0
  }

  #waitForRoom(now: number, isStated: boolean): void {
    this.#droughtSince ??= now
    if (isStated) return
    const waitMs = Math.min(MAX_TRY_MS, Math.max(FIRST_TRY_MS, (now - this.#droughtSince) * NEXT_TRY))
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs)
  }

  #paceAfterRefusal(now: number, calmMs: number): number {
    const current = this.#pacer?.perSecond
    if (current === undefined) {
      // Also when it was granted within the second's first milliseconds.
      const guess = this.#accepted.count(now, SPAN_MS) * GUESS_CUT
      if (guess >= TRUSTED_COUNT) this.#found = guess
      this.#patienceMs = FIRST_PATIENCE_MS + this.#statedMs * GUESS_PATIENCE
      return guess
    }
    const spanMs = Math.min(calmMs, this.#found === undefined ? RAMP_SPAN_MS : SPAN_MS)
    if (this.#acceptedSinceRefusal < TELLING_COUNT || spanMs < RAMP_SPAN_MS) return current * BLIND_CUT
    const measured = Math.min(current, (this.#accepted.count(now, spanMs) * 1000) / spanMs)
    const isSame = this.#found !== undefined && Math.abs(measured / this.#found - 1) < SAME_PACE
    const leastMs = Math.min(MAX_PATIENCE_MS, FIRST_PATIENCE_MS + this.#statedMs * STATED_PATIENCE)
    this.#patienceMs = isSame ? Math.min(MAX_PATIENCE_MS, Math.max(leastMs, this.#patienceMs * 2)) : leastMs
    this.#found = measured * LEAST_CUT
    return this.#found
  }

  #grow(pacer: Pacer, now: number): void {
    const calmSince = Math.max(this.#refusedAt, this.#pausedUntil)
    const seconds = (now - Math.max(this.#grownAt, calmSince)) / 1000
    if (seconds < GROWTH_STEP_S) return
    this.#grownAt = now
    const calmS = (now - calmSince - this.#patienceMs) / 1000
    if (this.#found === undefined) pacer.perSecond *= 2 ** (seconds / DOUBLING_S)
    else if (pacer.perSecond < this.#found) {
      pacer.perSecond = Math.min(this.#found, pacer.perSecond * (1 + MAX_PROBING * seconds))
    } else if (calmS > 0) pacer.perSecond *= 1 + Math.min(MAX_PROBING, PROBING * 2 ** calmS) * seconds
  }
}
