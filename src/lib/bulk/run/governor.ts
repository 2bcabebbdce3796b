import { ConcurrencyLimit } from './concurrency-limit.ts'
import { Delivered } from './delivered.ts'
import { PaceLevels, TELLING_BELOW } from './pace-levels.ts'
import { Pacer } from './pacer.ts'

/** A leaky count of refusals: each acceptance takes some of it away. From here on it is a limit, not chance. */
const TELLING = 5
const FORGIVEN = 0.117
/** What a cut leaves of it: the burst of a bucket hides how little it delivers, so that a second cut often follows. */
const AFTER_CUT = 2
/** In a row, so many mean that nobody is served at present; so many with those sent before the last cut. */
const STREAK = 9
const STREAK_IN_ALL = 20
/** So many acceptances give back what a refusal takes, in no less and no more than these seconds. */
const PRICE = 130
const PRICE_MIN_S = 0.2
const PRICE_MAX_S = 6
/** What it takes, of a pace divided by its price. */
const TAKEN = 1.2
/** Refusals that can be owed for: the service may have more room meanwhile. Fewer below a pace that stood, and each of a trial of it. */
const MAX_OWED = 4
const MAX_OWED_BELOW = 1
const OWED_BY_TRIAL = 0.75
/** Lowered to this part of what was delivered without an end of refusals, the pace is not their cause. */
const DOUBTFUL = 0.86
/** A cut goes to a little less than what was delivered; to this part of the pace where that can't be told. */
const MARGIN = 0.01
const UNMEASURED = 0.25
/** After so many quiet seconds, the pace grows by so many times this a second; while it is searched for, it doubles. */
const GROWTH = 0.05
const GROWTH_BELOW = 1
/** In the time of an answer, and no less than so many requests: until its first refusal is known, more are refused. */
const GROWTH_AN_ANSWER = 0.12
const LEAST_AN_ANSWER = 2
/** Without a stated wait: the first try, and the longest time between two, after many acceptances and after few. */
const FIRST_TRY_MS = 100
const MAX_TRY_MS = 1000
const MAX_TRY_MS_OF_FEW = 5000
const MANY = 15_000
/** A wait in whole seconds may be stated up to a second too long: one request tries so long after the shortest it can be. */
const EARLY_MS = 60
/** A window of a second pauses for less, which is part of its pace; a longer pause is not. */
const LONG_PAUSE_MS = 2500
const MIN_PACE = 0.2
/** After more tries than these, it was an outage. */
const OUTAGE_TRIES = 4

export interface GovernorOptions {
  concurrency: number
  /** Exact; the service's own pace may be lower. */
  ratePerSecond?: number | undefined
}

/** How many requests may be under way, and when the next may go: docs/pace.md. */
export class Governor {
  readonly #limit: ConcurrencyLimit
  readonly #fixed: Pacer | undefined
  readonly #delivered = new Delivered()
  readonly #levels = new PaceLevels()
  #pacer: Pacer | undefined
  /** The pace found, or proved right since. */
  #found = 0
  /** No pace is known, or it is not the cause: it grows fast, and single refusals do not count. */
  #isSearching = true
  /** Acceptances owed for refusals. */
  #owed = 0
  /** The leaky count. */
  #count = 0
  /** Requests sent before then tell nothing new. */
  #cutAt = Number.NEGATIVE_INFINITY
  #acceptedAt = 0
  #quietSince = 0
  #refusedInARow = 0
  /** In a row too, but of all requests. */
  #unserved = 0
  /** While nobody is served: waits so far, and whether one request at a time tries. */
  #tries = 0
  #isProbing = false
  #underWay = 0
  #fullAt = Number.NEGATIVE_INFINITY
  #latencyMs = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  /** The first request since the start, or since nobody was served; and acceptances since the last outage. */
  #servingFrom = Number.NEGATIVE_INFINITY
  #served = 0
  /** What was delivered before a long pause tells nothing about the pace after it. */
  #measuredFrom = Number.NEGATIVE_INFINITY

  constructor({ concurrency, ratePerSecond }: GovernorOptions) {
    this.#limit = new ConcurrencyLimit(concurrency)
    this.#fixed = ratePerSecond === undefined ? undefined : new Pacer(ratePerSecond, { exact: true })
  }

  get concurrency(): number {
    return this.#isProbing ? 1 : this.#limit.value
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  /** When the last request was accepted. */
  get servedAt(): number {
    return this.#delivered.lastAt
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
    if (this.#cutAt === Number.NEGATIVE_INFINITY) this.#cutAt = now
    if (this.#servingFrom === Number.NEGATIVE_INFINITY) this.#servingFrom = now
    this.#underWay = underWay
    if (underWay >= this.#limit.value) this.#fullAt = now
    this.#fixed?.note(now)
    this.#pacer?.note(now)
  }

  accepted(now: number, sentAt: number): void {
    const latencyMs = now - sentAt
    this.#latencyMs += (latencyMs - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8)
    this.#limit.answered(latencyMs, this.#owed === 0)
    this.#delivered.add(now)
    this.#served += 1
    this.#unserved = 0
    if (this.#isOld(sentAt)) return
    this.#count = Math.max(0, this.#count - FORGIVEN)
    if (this.#tries > OUTAGE_TRIES) this.#served = 0
    this.#refusedInARow = this.#tries = 0
    this.#isProbing = false
    if (this.#pacer) this.#raise(this.#pacer, now)
    this.#acceptedAt = now
  }

  refused(now: number, sentAt: number, retryAfterMs: number | undefined): void {
    this.#unserved += 1
    this.#latencyMs ||= now - sentAt
    if (this.#tries === 0 && this.#unserved >= STREAK_IN_ALL) this.#hold(now, retryAfterMs)
    const isOld = this.#isOld(sentAt)
    if (isOld && this.#levels.isOfTrial(sentAt)) this.#owed += OWED_BY_TRIAL * this.#price
    if (isOld) return
    this.#refusedInARow += 1
    this.#count += 1
    if (this.#tries > 0 || this.#refusedInARow >= STREAK) this.#hold(now, retryAfterMs)
    // Where all are refused, the pace is not why.
    else if (this.#refusedInARow <= TELLING) this.#judge(now)
  }

  #judge(now: number): void {
    if (!this.#isSearching) {
      const known = this.#pacer && this.#levels.fallTo(this.#pacer.perSecond, this.#count)
      if (this.#pacer && known) {
        this.#fall(this.#pacer, known, now)
        return
      }
      // A pace that grew in quiet need not be what the service delivers.
      if (this.#owed === 0)
        this.#found = Math.min(this.#found, this.#delivered.perSecond(now, this.#measuredFrom) ?? this.#found)
      this.#owed = Math.max(this.#owed, Math.min(this.#owed + this.#price, this.#mostOwed))
    }
    if (this.#count >= TELLING) this.#cut(now)
    else if (this.#pacer && !this.#isSearching) this.#lower(this.#pacer)
  }

  get #mostOwed(): number {
    const isBelow = this.#pacer !== undefined && this.#levels.isBelow(this.#pacer.perSecond)
    return (isBelow ? MAX_OWED_BELOW : MAX_OWED) * this.#price
  }

  /** Sent before the last cut or pause; one may go in the very moment of it. */
  #isOld(sentAt: number): boolean {
    return sentAt < this.#cutAt || sentAt < this.#pausedUntil
  }

  get #price(): number {
    return Math.min(Math.max(PRICE, PRICE_MIN_S * this.#found), PRICE_MAX_S * this.#found)
  }

  #lower(pacer: Pacer): void {
    pacer.perSecond *= 1 - TAKEN / this.#price
    if (pacer.perSecond > this.#found * DOUBTFUL) return
    this.#isSearching = true
    this.#owed = 0
    // So many at once are no chance: the pace that stood until now may do so again.
    if (this.#count >= TELLING_BELOW || this.#levels.isBelow(pacer.perSecond)) this.#levels.changed()
    else this.#levels.forget()
  }

  #fall(pacer: Pacer, pace: number, now: number): void {
    this.#found = pacer.perSecond = pace
    this.#levels.changed()
    this.#owed = OWED_BY_TRIAL * this.#price
    this.#count = 0
    this.#cutAt = this.#acceptedAt = this.#quietSince = now
  }

  #raise(pacer: Pacer, now: number): void {
    if (this.#owed > 0) {
      // A cut may go less deep than was right: what single refusals took off since is no reason to doubt.
      if (this.#levels.held(pacer.perSecond, this.#price))
        this.#found = Math.min(this.#found, pacer.perSecond)
      this.#owed = Math.max(0, this.#owed - 1)
      pacer.perSecond *= 1 + TAKEN / this.#price ** 2
      this.#quietSince = now
    } else {
      const isTrial = !this.#isSearching && this.#levels.grows(pacer.perSecond, now)
      if (isTrial) this.#limit.ramp()
      if (this.#underWay >= this.#limit.value) return
      const growth = this.#isSearching ? 1 : this.#growth(isTrial, (now - this.#quietSince) / 1000)
      pacer.perSecond *= 1 + Math.min(0.25, (growth * (now - this.#acceptedAt)) / 1000)
      if (!this.#isSearching) this.#found = Math.max(this.#found, pacer.perSecond)
      if (!isTrial || pacer.perSecond < this.#levels.high) return
      this.#levels.reached()
      this.#found = pacer.perSecond = this.#levels.high
      this.#owed = MAX_OWED * this.#price
      this.#quietSince = now
    }
  }

  /** A second. */
  #growth(isTrial: boolean, quietS: number): number {
    if (isTrial) {
      const anAnswer = Math.max(GROWTH_AN_ANSWER, LEAST_AN_ANSWER / this.#underWay)
      return Math.min(GROWTH_BELOW * quietS, (1000 * anAnswer) / (this.#latencyMs || 1))
    }
    // Where both paces are known, there is hardly a third.
    return GROWTH * (this.#levels.areKnown ? Math.min(quietS, 1) : quietS)
  }

  /** More is refused than chance explains. */
  #cut(now: number): void {
    const current = this.#pacer?.perSecond ?? (1000 * this.#limit.value) / (this.#latencyMs || 1)
    const lately = this.#delivered.perSecond(this.#delivered.lastAt, this.#measuredFrom) ?? 0
    const sinceCut = this.#delivered.perSecond(now, Math.max(this.#cutAt, this.#measuredFrom))
    // A burst makes the last second too much, the gap behind it the time since the last cut too little.
    const delivered = Math.max(lately, sinceCut ?? current * UNMEASURED)
    const pace = Math.max(MIN_PACE, Math.min(current, delivered) * (1 - MARGIN))
    // Little's law, and room for chance: with a limit of requests at once, these are as many as it takes.
    if (!this.#isSearching && this.#fullAt >= this.#cutAt) {
      this.#limit.lowerTo(Math.ceil((1.25 * pace * this.#latencyMs) / 1000) + 1)
    }
    const isFirst = !this.#pacer
    this.#pacer ??= new Pacer(pace, { exact: false })
    this.#found = this.#pacer.perSecond = pace
    this.#isSearching = isFirst || (sinceCut === undefined && lately < current * UNMEASURED)
    this.#levels.cut()
    // Where a far higher pace stood, it is a guess: that one is tried again at once.
    const isGuess = pace < UNMEASURED * this.#levels.high
    this.#owed = this.#isSearching || isGuess ? 0 : this.#mostOwed
    this.#cutAt = this.#acceptedAt = this.#quietSince = now
    this.#count = AFTER_CUT
  }

  /** Nobody is served: nothing goes for the time stated; where none is, one request now and then. */
  #hold(now: number, retryAfterMs: number | undefined): void {
    if (this.#tries === 0) this.#cut(now)
    const isEarly = this.#tries === 0 && isInWholeSeconds(retryAfterMs)
    const waitMs = (isEarly ? this.#earlyMs(now, retryAfterMs) : retryAfterMs) || this.#tryMs
    this.#servingFrom = Number.NEGATIVE_INFINITY
    this.#tries += 1
    this.#isProbing = this.#tries > 1 || isEarly || !retryAfterMs
    this.#pausedUntil = this.#acceptedAt = this.#quietSince = now + waitMs
    if (waitMs >= LONG_PAUSE_MS) {
      this.#measuredFrom = this.#pausedUntil
      this.#levels.paused(this.#found)
    }
    this.#cutAt = now
    if (waitMs >= 1000 || this.#tries > 1) this.#owed = 0
    this.#count = 0
    this.#pacer?.holdUntil(this.#pausedUntil)
  }

  /** A window of a second is over a second after its first request, others as soon as can be. */
  #earlyMs(now: number, statedMs: number): number {
    const soonestMs = statedMs - 1000 + EARLY_MS
    const windowMs = this.#servingFrom + 1000 + EARLY_MS - now
    return windowMs > soonestMs && windowMs < statedMs && statedMs === 1000 ? windowMs : soonestMs
  }

  get #tryMs(): number {
    const longest = Math.max(MAX_TRY_MS, Math.min(MAX_TRY_MS_OF_FEW, (1000 * MANY) / this.#served))
    return Math.min(longest, FIRST_TRY_MS * 2 ** this.#tries)
  }
}

function isInWholeSeconds(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= 1000 && ms % 1000 === 0
}
