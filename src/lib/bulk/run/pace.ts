/** Level of the leaky bucket of refusals that shows a rate limit. */
const LIMIT_LEVEL = 4
/** Leak that tolerates one refusal in ten as chance. */
const LEAK_PER_ACCEPTANCE = 0.12
/** Acceptances that regain the rate lost by one refusal; at most six seconds' worth. */
const ACCEPTANCES_PER_REFUSAL = 130
/** Share of the measured pace below which refusals have another cause. */
const MIN_PACE_SHARE = 0.86
/** Growth per second, times the seconds since the last refusal. */
const GROWTH = 0.08
/** Growth per second while the pace is not the cause of refusals. */
const SEARCH_GROWTH = 3
const FIRST_WAIT_MS = 30
/** Shortest time between pauses that measures a pace. */
const MIN_MEASURED_MS = 2000

/** Acceptances that a measurement needs, and the most that are kept. */
const SAMPLE = 20
const MAX_ACCEPTANCES = 8192
/** A gap this many times the mean is a stall. */
const STALL_GAPS = 6

/** Decides how many requests may be under way and when the next may go: docs/design/pace.md. */
export class Pace {
  readonly #limit: ConcurrencyLimit
  readonly #fixed: Pacer | undefined
  readonly #accepted: number[] = []
  #pacer: Pacer | undefined
  #measured = 0
  #isSearching = false
  /** Acceptances needed before the pace may grow. */
  #owed = 0
  #refusalLevel = 0
  /** Highest pace among consecutive cuts. */
  #highest = 0
  /** Time until which pauses do not cut the pace. */
  #doubtedUntil = Number.NEGATIVE_INFINITY
  /** Start of the pause, in which single requests probe until one is accepted. */
  #pausedAt: number | undefined
  #resumedAt: number | undefined
  /** Start of the measurement, without the first burst: the job's start, then the end of the first pause. */
  #measuredFrom = 0
  /** Answers to requests sent before this time are ignored. */
  #since = Number.NEGATIVE_INFINITY
  #pausedUntil = Number.NEGATIVE_INFINITY
  #raisedAt = 0
  #quietSince = 0
  #underWay = 0

  /** @param ratePerSecond exact; the service's own pace may be lower */
  constructor(concurrency: number, ratePerSecond: number | undefined) {
    this.#limit = new ConcurrencyLimit(concurrency)
    this.#fixed = ratePerSecond === undefined ? undefined : new Pacer(ratePerSecond, true)
  }

  get concurrency(): number {
    return this.#pausedAt === undefined ? this.#limit.value : 1
  }

  get pausedUntil(): number {
    return this.#pausedUntil
  }

  get acceptedAt(): number {
    return this.#accepted.at(-1) ?? Number.NEGATIVE_INFINITY
  }

  readyAt(): number {
    const never = Number.NEGATIVE_INFINITY
    return Math.max(this.#pausedUntil, this.#pacer?.readyAt() ?? never, this.#fixed?.readyAt() ?? never)
  }

  sent(now: number, underWay: number) {
    this.#underWay = underWay
    this.#measuredFrom ||= now
    this.#fixed?.note(now)
    this.#pacer?.note(now)
  }

  accepted(now: number, sentAt: number) {
    this.#limit.answered(now - sentAt, this.#owed === 0)
    this.#accepted.push(now)
    if (this.#accepted.length > MAX_ACCEPTANCES) this.#accepted.shift()
    if (sentAt < this.#since) return
    this.#refusalLevel = Math.max(
      0,
      this.#refusalLevel - LEAK_PER_ACCEPTANCE * (now < this.#doubtedUntil ? 4 : 1),
    )
    if (this.#pausedAt !== undefined) this.#resume(now, this.#pausedAt, sentAt)
    else if (this.#pacer) this.#raise(this.#pacer, now)
    this.#raisedAt = now
  }

  refused(now: number, sentAt: number, retryAfterMs: number | undefined) {
    if (sentAt < this.#since) return
    this.#refusalLevel += 1
    if (this.#pausedAt !== undefined || this.#refusalLevel >= LIMIT_LEVEL) this.#pause(now, retryAfterMs)
    else if (this.#pacer && !this.#isSearching) this.#lower(this.#pacer)
  }

  #raise(pacer: Pacer, now: number) {
    const elapsedS = Math.min(0.25, (now - this.#raisedAt) / 1000)
    if (this.#owed > 0) {
      this.#owed -= 1
      pacer.perSecond *= 1 + 1 / this.#owedPerRefusal ** 2
      this.#quietSince = now
      if (this.#owed <= 0) this.#measured = pacer.perSecond
    } else if (this.#underWay >= this.#limit.value) return
    else if (this.#isSearching) pacer.perSecond *= SEARCH_GROWTH ** elapsedS
    else pacer.perSecond *= 1 + (GROWTH * elapsedS * (now - this.#quietSince)) / 1000
  }

  /** Refusals in quick succession lower the pace more: it was measured too high. */
  #lower(pacer: Pacer) {
    pacer.perSecond *= 1 - (1 + this.#owed / this.#owedPerRefusal) / this.#owedPerRefusal
    this.#owed = Math.min(this.#owed + this.#owedPerRefusal, 2 * this.#owedPerRefusal)
    if (pacer.perSecond > this.#measured * MIN_PACE_SHARE) return
    this.#isSearching = true
    this.#owed = 0
  }

  get #owedPerRefusal() {
    return Math.max(SAMPLE, Math.min(ACCEPTANCES_PER_REFUSAL, (3 * MIN_MEASURED_MS * this.#measured) / 1000))
  }

  /** `Retry-After` in whole seconds is rounded up. */
  #pause(now: number, retryAfterMs = 0) {
    this.#pausedAt ??= now
    const backOffMs = Math.min(1000, Math.max(FIRST_WAIT_MS, (now - this.#pausedAt) / 2))
    const statedMs = retryAfterMs % 1000 === 0 ? retryAfterMs - 1000 : retryAfterMs
    this.#refusalLevel = 0
    this.#pausedUntil = this.#since = now + Math.max(statedMs, backOffMs)
    this.#pacer?.holdUntil(this.#pausedUntil)
  }

  #resume(now: number, pausedAt: number, triedAt: number) {
    // An outage says nothing about the pace.
    if (now - pausedAt < MIN_MEASURED_MS && now >= this.#doubtedUntil) this.#cut(now, pausedAt, triedAt)
    this.#isSearching = now < this.#doubtedUntil
    this.#owed = this.#pacer && !this.#isSearching ? this.#owedPerRefusal : 0
    this.#pausedAt = undefined
    if (this.#resumedAt === undefined) this.#measuredFrom = now
    this.#resumedAt = this.#since = this.#quietSince = now
  }

  #cut(now: number, pausedAt: number, triedAt: number) {
    const current = this.#pacer?.perSecond ?? Number.POSITIVE_INFINITY
    const [delivered, isRough] = this.#deliveredPerSecond(triedAt, pausedAt)
    let pace = Math.min(current, 0.99 * delivered)
    this.#highest = isRough || this.#hasHeld(pausedAt) ? 0 : Math.max(this.#highest, pace)
    // Cuts have not helped: the pace is not the cause.
    if (3 * pace < this.#highest) {
      pace = this.#highest
      this.#highest = 0
      this.#doubtedUntil = now + 5 * MIN_MEASURED_MS
    }
    this.#pacer = new Pacer(pace, false)
    this.#measured = pace
  }

  /** True if the last pace held for long enough and enough acceptances. */
  #hasHeld(pausedAt: number) {
    const resumedAt = this.#resumedAt ?? pausedAt
    return (
      resumedAt < pausedAt - MIN_MEASURED_MS && resumedAt < (this.#accepted.at(-ACCEPTANCES_PER_REFUSAL) ?? 0)
    )
  }

  /**
   * Measures the pace from one pause to the next probe, or in the last second before the pause. Stalls are left out.
   * @param triedAt time of the probe that ended the pause: its own latency may be a stall
   */
  #deliveredPerSecond(triedAt: number, pausedAt: number): [perSecond: number, isRough: boolean] {
    const sampledFrom = this.#accepted.at(-1 - SAMPLE) ?? Number.NEGATIVE_INFINITY
    const resumed = Math.max(this.#measuredFrom, Math.min(this.#resumedAt ?? 0, sampledFrom))
    const isLong = triedAt - resumed >= MIN_MEASURED_MS
    const from = isLong ? Math.max(this.#measuredFrom, Math.min(pausedAt - 1000, sampledFrom)) : resumed
    const spanMs = (isLong ? pausedAt : triedAt) - from
    const times = this.#accepted.filter((at) => at > from && at <= from + spanMs)
    const gapMs = longestGap([from, ...times.filter((at) => at <= pausedAt), pausedAt])
    const stallMs = gapMs * times.length > STALL_GAPS * spanMs ? gapMs : 0
    const perSecond = (times.length * 1000) / (spanMs - stallMs)
    if (sampledFrom >= this.#measuredFrom) return [perSecond, this.#resumedAt === undefined]
    // Too few to measure: the pace comes down in steps.
    const current = this.#pacer?.perSecond ?? Number.POSITIVE_INFINITY
    return [Math.max(perSecond, Math.min(current / 4, (SAMPLE * 1000) / FIRST_WAIT_MS)), true]
  }
}

function longestGap(times: number[]) {
  return times.reduce((longest, at, index) => Math.max(longest, at - (times[index - 1] ?? at)), 0)
}

/** Longest timer delay that is caught up at once. An exact pacer may catch up more: its window caps every second. */
const CATCH_UP_MS = 8
const EXACT_CATCH_UP_MS = 40

class Pacer {
  #nextAt = Number.NEGATIVE_INFINITY
  /** Times of the requests in the sliding window. */
  readonly #sent: number[] = []
  readonly #windowSize: number
  readonly #windowMs: number
  readonly #catchUpMs: number

  /** @param isExact never more than `perSecond` in any one second, whatever the timers do */
  constructor(
    public perSecond: number,
    private readonly isExact: boolean,
  ) {
    this.#windowSize = Math.ceil(perSecond)
    this.#windowMs = (1000 * this.#windowSize) / perSecond
    this.#catchUpMs = isExact ? EXACT_CATCH_UP_MS : CATCH_UP_MS
  }

  readyAt(): number {
    const [first = 0] = this.#sent
    return this.#sent.length < this.#windowSize
      ? this.#nextAt
      : Math.max(this.#nextAt, first + this.#windowMs)
  }

  /** Holds requests back until then, without a catch-up. */
  holdUntil(time: number) {
    this.#nextAt = Math.max(this.#nextAt, time)
  }

  note(now: number) {
    // Catching up after a silence would be a burst to a service that counts by the second.
    const dueAt = this.#nextAt < now - this.#catchUpMs ? now : this.#nextAt
    this.#nextAt = dueAt + 1000 / this.perSecond
    if (!this.isExact) return
    this.#sent.push(now)
    if (this.#sent.length > this.#windowSize) this.#sent.shift()
  }
}

/** Few enough for the first answers to show the latency of an idle service. */
const FIRST_CONCURRENCY = 6
/** Answers whose median latency is judged. */
const RAMP_SAMPLES = 4
const MIN_SAMPLES = 16
const MAX_SAMPLES = 64
/** Latency noise of the machine's scheduler: smaller rises are ignored. */
const NOISE_MS = 15
const MAX_RISE = 2
const DECREASE = 0.7
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
    this.#value = Math.min(max, FIRST_CONCURRENCY)
  }

  get value(): number {
    return Math.max(1, Math.floor(this.#value))
  }

  answered(latencyMs: number, mayGrow: boolean) {
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

  #judge() {
    const sorted = this.#samples.sort((one, other) => one - other)
    const medianMs = sorted[sorted.length >> 1] ?? 0
    this.#lowestMs = Math.min(this.#lowestMs * FORGETTING, medianMs)
    this.#samples = []
    if (medianMs <= this.#lowestMs * MAX_RISE + NOISE_MS) return
    this.#isRamping = false
    this.#sinceStep = 0
    this.#value = Math.max(1, this.#value * DECREASE)
  }
}
