import { ConcurrencyLimit } from './concurrency-limit.ts'
import { Pacer } from './pacer.ts'
import { RateWindow } from './rate-window.ts'

/** A leaky count of refusals: each acceptance takes an eighth away. More than this is the service's limit, not chance. */
const TELLING = 6
const FORGIVEN = 1 / 8
/** All refused, so many in a row and for a twentieth of a second's worth at least: nobody is served at present. */
const STREAK = 10
const STREAK_S = 0.05
/** Acceptances for each refusal before the pace is raised again: refusals stay near one in a hundred. */
const PRICE = 100
/** At most so many refusals, or seconds, are paid for: the service may have been given more room meanwhile. */
const MAX_OWED = 3
const MAX_OWED_S = 10
/** A single refusal takes one request a second off the pace, or a hundredth of it. */
const STEP = 0.01
/** Lowered by so much without an end of refusals, the pace is not their cause. */
const DOUBTFUL = 0.9
/** Above what was found by more than this, a refusal lowers the pace to what was delivered. */
const NEAR = 1.1
/** Growth of the pace in a second: while none is known; after doubt; once all refusals are paid for. */
const SEARCHING = 2.5
const DOUBTING = 0.6
const PROBING = 0.25
const MAX_GROWTH = 0.25
/** What is delivered is measured over a second, or over this many requests where they take longer. */
const SPAN_MS = 1000
const SAMPLE = 20
const LEAST_SAMPLE = 8
const FIRST_SAMPLE = 4
const UNMEASURED_CUT = 0.8
const MARGIN = 0.985
/** Enough in one second before any refusal to be a window's worth, not a small bucket's. */
const TRUSTED_COUNT = 100
const MIN_PACE = 0.2
const FIRST_PACE = 4
/** While all is refused and no time is stated: one request after this, then after a part of the time waited. */
const FIRST_TRY_MS = 100
const NEXT_TRY = 0.25
const MAX_TRY_MS = 2000

export interface GovernorOptions {
  concurrency: number
  /** Exact; the service's own pace may be lower. */
  ratePerSecond?: number | undefined
}

/**
 * How many requests may be under way, and when the next may go: docs/pace.md.
 *
 * There is no pace until more is refused than chance explains. Then it is what was delivered meanwhile; a refusal more
 * lowers it by a little, a hundred acceptances raise it by as much, and without refusals it grows faster.
 */
export class Governor {
  readonly #limit: ConcurrencyLimit
  readonly #fixed: Pacer | undefined
  #pacer: Pacer | undefined
  /** Whether the pace comes from a measurement; until then it is searched for. */
  #isKnown = false
  #isDoubting = false
  /** The pace that was found, or proved right since. */
  #found = 0
  /** Acceptances that are owed for refusals. */
  #owed = 0
  #loweredAt = Number.NEGATIVE_INFINITY
  /** The leaky count, and what happened since it was zero. */
  #count = 0
  #countedSince = 0
  #acceptedSince = 0
  #refusedInARow = 0
  /** Answers to requests that were sent before then tell nothing new. */
  #cutAt = Number.NEGATIVE_INFINITY
  #measurableSince = Number.NEGATIVE_INFINITY
  readonly #accepted = new RateWindow()
  readonly #lastAccepted = new Float64Array(SAMPLE).fill(Number.NEGATIVE_INFINITY)
  #acceptedCount = 0
  #acceptedAt = 0
  #latencyMs = 0
  #startedAt = Number.POSITIVE_INFINITY
  #underWay = 0
  #fullAt = Number.NEGATIVE_INFINITY
  /** Since when all was refused. */
  #droughtSince: number | undefined
  #hadDrought = false
  #pausedUntil = Number.NEGATIVE_INFINITY

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

  /** A request goes; `underWay` counts it too. */
  sent(now: number, underWay: number): void {
    this.#startedAt = Math.min(this.#startedAt, now)
    this.#underWay = underWay
    if (this.#isFull) this.#fullAt = now
    this.#fixed?.note(now)
    this.#pacer?.note(now)
  }

  accepted(now: number, sentAt: number): void {
    const latencyMs = now - sentAt
    this.#latencyMs += (latencyMs - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8)
    this.#limit.answered(latencyMs, this.#owed === 0)
    this.#accepted.add(now)
    this.#lastAccepted[this.#acceptedCount++ % SAMPLE] = now
    this.#acceptedSince += 1
    this.#refusedInARow = 0
    if (sentAt < this.#cutAt) return
    this.#count = Math.max(0, this.#count - FORGIVEN)
    this.#droughtSince = undefined
    if (this.#pacer) this.#raise(this.#pacer, now)
    this.#acceptedAt = now
  }

  refused(now: number, sentAt: number, retryAfterMs: number | undefined): void {
    if (sentAt < this.#cutAt) return
    this.#refusedInARow += 1
    if (this.#droughtSince !== undefined) {
      this.#hold(now, retryAfterMs)
      return
    }
    if (this.#count === 0) {
      this.#countedSince = now
      this.#acceptedSince = 0
    }
    this.#count += 1
    // Where nothing at all was accepted, there is nothing to go by: a drought, or the end of a window.
    if (this.#count >= TELLING && !(this.#isKnown && this.#acceptedSince === 0)) this.#cut(now)
    else if (this.#pacer && this.#isKnown && !this.#isDoubting) this.#lower(this.#pacer, now, sentAt)
    const pace = this.#isKnown ? this.#found : 0
    if (this.#refusedInARow >= Math.max(STREAK, pace * STREAK_S)) this.#hold(now, retryAfterMs)
  }

  get #isFull(): boolean {
    return this.#underWay >= this.#limit.value
  }

  #owe(acceptances: number): void {
    const refusals = Math.max(MAX_OWED, this.#underWay / 8)
    this.#owed = Math.min(this.#owed + acceptances, PRICE * refusals, MAX_OWED_S * this.#found)
  }

  #lower(pacer: Pacer, now: number, sentAt: number): void {
    this.#owe(PRICE)
    // Those already under way then tell of the pace before.
    if (sentAt > this.#loweredAt) {
      this.#loweredAt = now
      if (pacer.perSecond > this.#found * NEAR) {
        const delivered = this.#delivered(now, pacer.perSecond) * MARGIN
        pacer.perSecond = Math.min(pacer.perSecond, Math.max(this.#found, delivered))
      }
    }
    pacer.perSecond -= Math.min(1, pacer.perSecond * STEP)
    if (pacer.perSecond > this.#found * DOUBTFUL) return
    this.#isDoubting = true
    this.#owed = 0
  }

  #raise(pacer: Pacer, now: number): void {
    if (this.#owed > 0) {
      this.#owed = Math.max(0, this.#owed - 1)
      pacer.perSecond += Math.min(1, pacer.perSecond * STEP) / PRICE
      if (this.#owed === 0) this.#found = pacer.perSecond
    } else if (!this.#isFull) {
      const seconds = Math.max(0, now - this.#acceptedAt) / 1000
      const growth = this.#isDoubting ? DOUBTING : this.#isKnown ? PROBING : SEARCHING
      pacer.perSecond *= 1 + Math.min(MAX_GROWTH, seconds * growth)
    }
  }

  /** More is refused than chance explains. */
  #cut(now: number): void {
    const current = this.#pacer?.perSecond ?? (1000 * this.#limit.value) / (this.#latencyMs || 1)
    const wasKnown = this.#isKnown
    const delivered = wasKnown ? this.#delivered(now, current) : this.#search(now, current)
    this.#found = Math.max(MIN_PACE, Math.min(current, delivered * MARGIN))
    // Little's law, and room for chance: with a limit of requests at once, these are as many as it takes.
    if (this.#isKnown && this.#fullAt >= this.#countedSince) {
      this.#limit.lowerTo(Math.ceil((1.25 * delivered * this.#latencyMs) / 1000) + 1)
    }
    this.#pacer ??= new Pacer(this.#found, { exact: false })
    this.#pacer.perSecond = this.#found
    this.#owed = 0
    if (wasKnown) this.#owe(PRICE * TELLING)
    this.#cutAt = this.#acceptedAt = this.#measurableSince = now
    this.#count = 0
    this.#isDoubting = false
  }

  /** A first pace: halved until something is accepted between the refusals, which is what the service grants. */
  #search(now: number, current: number): number {
    const spanMs = now - this.#countedSince
    this.#isKnown = true
    if (this.#acceptedSince >= FIRST_SAMPLE && spanMs > 0) return (this.#acceptedSince * 1000) / spanMs
    if (this.#pacer && now - this.#measurableSince >= SPAN_MS / 2) return this.#delivered(now, current)
    const recent = this.#accepted.count(now, SPAN_MS)
    if (recent >= TRUSTED_COUNT && now - this.#startedAt >= SPAN_MS / 2) return recent
    const isDry = this.#refusedInARow >= STREAK
    this.#isKnown = isDry && (recent >= TRUSTED_COUNT || this.#hadDrought)
    return isDry ? Math.max(recent, FIRST_PACE) : current / 2
  }

  /** Requests a second that were accepted lately. */
  #delivered(now: number, current: number): number {
    const oldest = this.#lastAccepted[this.#acceptedCount % SAMPLE] ?? Number.NEGATIVE_INFINITY
    const since = Math.max(
      this.#acceptedSince === 0 ? Number.NEGATIVE_INFINITY : this.#measurableSince,
      Math.min(now - SPAN_MS, oldest),
    )
    const spanMs = now - since
    const count =
      spanMs <= SPAN_MS
        ? this.#accepted.count(now, spanMs)
        : this.#lastAccepted.reduce((sum, at) => (at > since ? sum + 1 : sum), 0)
    return count < LEAST_SAMPLE ? current * UNMEASURED_CUT : (count * 1000) / spanMs
  }

  /** Nobody is served: nothing goes for the time stated; where none is, one request now and then. */
  #hold(now: number, retryAfterMs: number | undefined): void {
    if (this.#droughtSince === undefined && this.#pacer && this.#isKnown && this.#found >= TRUSTED_COUNT) {
      const delivered = this.#delivered(now, this.#pacer.perSecond) * MARGIN
      this.#pacer.perSecond = Math.min(
        this.#pacer.perSecond,
        Math.max(DOUBTFUL * this.#pacer.perSecond, delivered),
      )
    }
    this.#droughtSince ??= now
    this.#hadDrought = true
    const tryMs = Math.min(MAX_TRY_MS, Math.max(FIRST_TRY_MS, (now - this.#droughtSince) * NEXT_TRY))
    const waitMs = retryAfterMs || tryMs
    this.#pausedUntil = this.#acceptedAt = now + waitMs
    this.#cutAt = now
    this.#count = 0
    this.#pacer?.holdUntil(this.#pausedUntil)
    // What was not sent meanwhile is paid for like a refusal.
    if (this.#isKnown)
      this.#owed = Math.max(this.#owed, Math.min(1, waitMs / 1000) * MAX_OWED_S * this.#found)
  }
}
