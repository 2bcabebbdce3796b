/** Leaky count of refusals at which a limit is the cause, not chance. */
const LIMIT_COUNT = 4
/** Part of the count that an acceptance takes away: a smaller share of refusals is chance. */
const FORGIVEN = 0.12
/** Acceptances that pay for one refusal, and the most seconds that they may take. */
const PRICE = 130
const MAX_PRICE_S = 6
const DOUBT = 0.86
const GROWTH = 0.05
const SEARCH = 3
const FIRST_WAIT_MS = 100

const HELD = 2048
/** Acceptances that are measured where they take longer than a second. */
const SAMPLE = 20

/** Decides how many requests may be under way and when the next may go: docs/design/pace.md. */
export class Pace {
  readonly #limit: ConcurrencyLimit
  readonly #fixed: Pacer | undefined
  readonly #accepted: number[] = []
  #pacer: Pacer | undefined
  /** Pace measured at the last cut, or proved since. */
  #measured = 0
  /** Pace that stood while a refusal was paid for, since the last cut. */
  #proved = 0
  /** Pace up to which a search goes on; 0 without a search. */
  #searchTo = Number.POSITIVE_INFINITY
  /** Acceptances owed for refusals before the pace may grow. */
  #owed = 0
  #count = 0
  #waits = 0
  /** Answers to requests sent earlier say nothing new. */
  #since = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #startedAt = 0
  #raisedAt = 0
  #quietSince = 0
  #underWay = 0
  #latencyMs = 0

  /** @param ratePerSecond exact; the service's own pace may be lower */
  constructor(concurrency: number, ratePerSecond: number | undefined) {
    this.#limit = new ConcurrencyLimit(concurrency)
    this.#fixed = ratePerSecond === undefined ? undefined : new Pacer(ratePerSecond, true)
  }

  get concurrency(): number {
    return this.#waits > 0 ? 1 : this.#limit.value
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  get servedAt(): number {
    return this.#accepted.at(-1) ?? Number.NEGATIVE_INFINITY
  }

  readyAt(): number {
    const never = Number.NEGATIVE_INFINITY
    return Math.max(this.#pausedUntil, this.#pacer?.readyAt() ?? never, this.#fixed?.readyAt() ?? never)
  }

  sent(now: number, underWay: number): void {
    this.#underWay = underWay
    this.#startedAt ||= now
    this.#fixed?.note(now)
    this.#pacer?.note(now)
  }

  accepted(now: number, sentAt: number): void {
    const latencyMs = now - sentAt
    this.#latencyMs += (latencyMs - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8)
    this.#limit.answered(latencyMs, this.#owed === 0)
    this.#accepted.push(now)
    if (this.#accepted.length > HELD) this.#accepted.shift()
    if (sentAt < this.#since) return
    this.#count = Math.max(0, this.#count - FORGIVEN)
    this.#waits = 0
    if (this.#pacer) this.#raise(this.#pacer, now)
    this.#raisedAt = now
  }

  refused(now: number, sentAt: number, retryAfterMs: number | undefined): void {
    this.#latencyMs ||= now - sentAt
    if (sentAt < this.#since) return
    this.#count += 1
    if (this.#waits > 0) this.#wait(now, retryAfterMs)
    else if (this.#count >= LIMIT_COUNT) this.#cut(now, retryAfterMs)
    else if (this.#pacer && this.#searchTo === 0) this.#lower(this.#pacer)
  }

  #raise(pacer: Pacer, now: number): void {
    const elapsedS = Math.min(0.25, (now - this.#raisedAt) / 1000)
    if (this.#owed > 0) {
      this.#owed -= 1
      pacer.perSecond *= 1 + 1 / this.#price ** 2
      this.#quietSince = now
      if (this.#owed <= 0) this.#measured = this.#proved = pacer.perSecond
    } else if (this.#underWay >= this.#limit.value) return
    else if (pacer.perSecond < this.#searchTo) {
      pacer.perSecond *= SEARCH ** elapsedS
      this.#quietSince = now
      if (pacer.perSecond < this.#searchTo) return
      this.#searchTo = 0
      this.#owed = this.#price
    } else {
      pacer.perSecond *= 1 + (GROWTH * elapsedS * (now - this.#quietSince)) / 1000
    }
  }

  /** About one request in a hundred is refused at a limit. */
  #lower(pacer: Pacer): void {
    pacer.perSecond *= 1 - 1 / this.#price
    this.#owed = Math.min(this.#owed + this.#price, 2 * this.#price)
    if (pacer.perSecond > this.#measured * DOUBT) return
    this.#searchTo = Number.POSITIVE_INFINITY
    this.#owed = 0
  }

  get #price(): number {
    return Math.min(PRICE, MAX_PRICE_S * this.#measured)
  }

  #deliveredPerSecond(): number {
    const until = this.servedAt
    const sampled = this.#accepted.at(-1 - SAMPLE) ?? Number.NEGATIVE_INFINITY
    const from = Math.max(this.#startedAt, Math.min(until - 1000, sampled))
    return (this.#accepted.filter((at) => at > from).length * 1000) / Math.max(1000, until - from)
  }

  /** The first second is measured whole. */
  #cut(now: number, retryAfterMs: number | undefined): void {
    const current = this.#pacer?.perSecond ?? Number.POSITIVE_INFINITY
    const delivered = Math.max(1, this.#deliveredPerSecond())
    const isClosed = this.#searchTo === 0 && current <= delivered
    if (isClosed || now < this.#startedAt + 1000) {
      this.#wait(now, retryAfterMs)
      return
    }
    const pace = Math.min(current, 0.99 * delivered)
    // A stall makes the measured pace too low: one that held before is tried again, once.
    const isTooLow = pace < DOUBT * this.#proved
    const wasSearch = this.#searchTo > 0
    this.#searchTo = !this.#pacer ? Number.POSITIVE_INFINITY : isTooLow ? this.#proved : 0
    this.#pacer ??= new Pacer(pace, false)
    this.#pacer.perSecond = this.#measured = pace
    this.#proved = 0
    this.#owed = wasSearch || this.#searchTo > 0 ? 0 : this.#price
    this.#pause(now, 0)
  }

  /** One request at a time tries. Stated whole seconds may be up to a second too long. */
  #wait(now: number, retryAfterMs: number | undefined): void {
    const backOffMs = Math.min(1000, FIRST_WAIT_MS * 2 ** this.#waits)
    const statedMs = retryAfterMs || backOffMs
    const isEarly = this.#waits === 0 && statedMs % 1000 === 0
    const waitMs = isEarly ? Math.max(statedMs - 1000, backOffMs) : statedMs
    this.#waits += 1
    this.#owed = 0
    this.#pause(now, Math.max(waitMs, this.#startedAt + 1000 - now))
  }

  #pause(now: number, ms: number): void {
    this.#count = 0
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms)
    this.#since = this.#raisedAt = this.#quietSince = Math.max(now, this.#pausedUntil)
    this.#pacer?.holdUntil(this.#pausedUntil)
  }
}

/**
 * Most delay of a late timer that is made up for at once. Little where the service counts: it comes on top of a full
 * second.
 */
const CATCH_UP_MS = 8
const EXACT_CATCH_UP_MS = 40

class Pacer {
  #nextAt = Number.NEGATIVE_INFINITY
  /** Times of the requests of the last span. */
  readonly #sent: number[] = []
  readonly #held: number
  readonly #spanMs: number
  readonly #catchUpMs: number

  /** @param isExact never more than `perSecond` in any one second, whatever the timers do */
  constructor(
    public perSecond: number,
    private readonly isExact: boolean,
  ) {
    this.#held = Math.ceil(perSecond)
    this.#spanMs = (1000 * this.#held) / perSecond
    this.#catchUpMs = isExact ? EXACT_CATCH_UP_MS : CATCH_UP_MS
  }

  readyAt(): number {
    const [first = 0] = this.#sent
    return this.#sent.length < this.#held ? this.#nextAt : Math.max(this.#nextAt, first + this.#spanMs)
  }

  /** Makes up for nothing after that time. */
  holdUntil(time: number): void {
    this.#nextAt = Math.max(this.#nextAt, time)
  }

  note(now: number): void {
    // A service that counts by the second would see a burst after a silence.
    const dueAt = this.#nextAt < now - this.#catchUpMs ? now : this.#nextAt
    this.#nextAt = dueAt + 1000 / this.perSecond
    if (!this.isExact) return
    this.#sent.push(now)
    if (this.#sent.length > this.#held) this.#sent.shift()
  }
}

/** Few enough for the first answers to show the latency of an idle service. */
const START = 6
/** Answers whose median latency is judged: ten slow answers are noise. */
const RAMP_SAMPLES = 4
const MIN_SAMPLES = 16
const MAX_SAMPLES = 64
/** Scheduling of the machine: a smaller rise does not count. */
const NOISE_MS = 15
const RISEN = 2
const LESS = 0.7
/** Growth of the lowest median per judgement: a service may become slower for good. */
const FORGETTING = 1.01

/** Additive increase, multiplicative decrease on rising latency. */
class ConcurrencyLimit {
  #value: number
  #isRamping = true
  #sinceStep = 0
  #samples: number[] = []
  #lowestMs = Number.POSITIVE_INFINITY

  constructor(private readonly max: number) {
    this.#value = Math.min(max, START)
  }

  get value(): number {
    return Math.max(1, Math.floor(this.#value))
  }

  answered(latencyMs: number, mayGrow: boolean): void {
    this.#samples.push(latencyMs)
    this.#sinceStep += 1
    const enough = this.#isRamping
      ? RAMP_SAMPLES
      : Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, 2 * this.value))
    if (this.#samples.length >= enough) this.#judge()
    if (!mayGrow) return
    if (this.#sinceStep < (this.#isRamping ? Math.max(RAMP_SAMPLES, this.value) : this.value)) return
    this.#sinceStep = 0
    if (this.#value >= this.max) this.#isRamping = false
    this.#value = Math.min(this.max, this.#isRamping ? this.#value * 2 : this.#value + 1)
  }

  #judge(): void {
    const sorted = this.#samples.sort((one, other) => one - other)
    const medianMs = sorted[sorted.length >> 1] ?? 0
    this.#lowestMs = Math.min(this.#lowestMs * FORGETTING, medianMs)
    this.#samples = []
    if (medianMs <= this.#lowestMs * RISEN + NOISE_MS) return
    this.#isRamping = false
    this.#sinceStep = 0
    this.#value = Math.max(1, this.#value * LESS)
  }
}
