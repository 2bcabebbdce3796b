import { ConcurrencyLimit } from './concurrency-limit.ts'
import { Pacer } from './pacer.ts'
import { RateWindow } from './rate-window.ts'

const env = (name: string, value: number) => Number(process.env[name] ?? value)
const TELLING = env('TELLING', 6)
const FORGIVEN = 1 / 8
const TELLING_COUNT = env('COUNT', 4)
const SPAN_MS = 1000
const MARGIN = env('MARGIN', 0.985)
const PRICE = env('PRICE', 50)
const DOUBTING = env('DOUBTING', 0.6)
const NPLUS = env('NPLUS', 1)
const STREAK = env('STREAK', 10)
const MAX_DEBT_S = env('MAX_DEBT_S', 10)
const STEP = env('STEP', 0.01)
const CREEP = env('CREEP', 0)
const FLOOR = env('FLOOR', 0.9)
const PROBING = env('PROBING', 0.3)
const SEARCHING = env('SEARCHING', 2.5)
const SAMPLE = env('SAMPLE', 20)
const MIN_PACE = 0.2
const FIRST_TRY_MS = 100
const NEXT_TRY = 0.25
const MAX_TRY_MS = 2000

export interface GovernorOptions {
  concurrency: number
  ratePerSecond?: number | undefined
}

export class Governor {
  readonly #limit: ConcurrencyLimit
  readonly #fixed: Pacer | undefined
  #pacer: Pacer | undefined
  readonly #accepted = new RateWindow()
  #meter = 0
  #runSince = 0
  #runAccepted = 0
  #cutAt = Number.NEGATIVE_INFINITY
  #boundAt = Number.NEGATIVE_INFINITY
  /** Known to be granted. */
  #high = 0
  #streak = 0
  #isKnown = false
  #wasHeld = false
  #isDoubting = false
  #debt = 0
  #isBound = false
  #trimmedAt = Number.NEGATIVE_INFINITY
  #resumedAt = Number.NEGATIVE_INFINITY
  readonly #last = new Float64Array(SAMPLE).fill(Number.NEGATIVE_INFINITY)
  #count = 0
  #underWay = 0
  #droughtSince: number | undefined
  #pausedUntil = Number.NEGATIVE_INFINITY
  #acceptedAt = 0
  #latencyMs = 0

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

  get state() { return { pace: this.#pacer?.perSecond, debt: this.#debt, meter: this.#meter, n: this.#limit.value, searching: !this.#isKnown || this.#isDoubting } }

  readyAt(): number {
    return Math.max(
      this.#pausedUntil,
      this.#pacer?.readyAt() ?? Number.NEGATIVE_INFINITY,
      this.#fixed?.readyAt() ?? Number.NEGATIVE_INFINITY,
    )
  }

  sent(now: number, underWay: number): void {
    this.#underWay = underWay
    this.#isBound = underWay >= this.#limit.value
    if (this.#isBound) this.#boundAt = now
    this.#fixed?.note(now)
    this.#pacer?.note(now)
  }

  accepted(now: number, sentAt: number): void {
    const latencyMs = now - sentAt
    this.#latencyMs += (latencyMs - this.#latencyMs) / (this.#latencyMs === 0 ? 1 : 8)
    this.#limit.answered(latencyMs, this.#debt === 0)
    this.#accepted.add(now)
    this.#last[this.#count++ % SAMPLE] = now
    this.#runAccepted += 1
    this.#streak = 0
    if (sentAt < this.#cutAt) return
    this.#meter = Math.max(0, this.#meter - FORGIVEN)
    this.#droughtSince = undefined
    if (this.#pacer) this.#grow(this.#pacer, now)
    this.#acceptedAt = now
  }

  refused(now: number, sentAt: number, retryAfterMs: number | undefined): void {
    if (sentAt < this.#cutAt) return
    this.#streak += 1
    if (this.#droughtSince !== undefined) return this.#hold(now, retryAfterMs)
    if (this.#meter === 0) {
      this.#runSince = now
      this.#runAccepted = 0
    }
    this.#meter += 1
    if (this.#meter >= TELLING) this.#cut(now)
    else if (this.#pacer && this.#isKnown && !this.#isDoubting) this.#trim(this.#pacer, now, sentAt)
    if (this.#streak >= Math.max(STREAK, (this.#isKnown ? this.#high : 0) / 20)) this.#hold(now, retryAfterMs)
  }

  #owe(requests: number): void {
    const most = Math.min(PRICE * Math.max(3, this.#underWay / 8), MAX_DEBT_S * (this.#pacer?.perSecond ?? 0))
    this.#debt = Math.min(this.#debt + PRICE * requests, most)
  }

  #trim(pacer: Pacer, now: number, sentAt: number): void {
    this.#owe(1)
    if (sentAt > this.#trimmedAt) {
      this.#trimmedAt = now
      if (pacer.perSecond > this.#high) {
        pacer.perSecond = (pacer.perSecond + this.#high) / 2
        this.#high = Math.max(this.#high, pacer.perSecond * 0.98)
      }
    }
    pacer.perSecond -= Math.min(1, pacer.perSecond / 100)
    if (pacer.perSecond > FLOOR * this.#high) return
    this.#isDoubting = true
    this.#debt = 0
  }

  #cut(now: number): void {
    const current = this.#pacer?.perSecond ?? (1000 * this.#limit.value) / (this.#latencyMs || 10)
    const spanMs = now - this.#runSince
    let pace = current / 2
    if (this.#isKnown) pace = this.#measured(now, current)
    else if (this.#runAccepted >= TELLING_COUNT && spanMs > 0) {
      pace = (this.#runAccepted * 1000) / spanMs
      this.#isKnown = true
      if (this.#boundAt >= this.#runSince) this.#limit.cut(Math.ceil((pace * this.#latencyMs) / 1000) + NPLUS)
    } else if (this.#streak >= STREAK) {
      pace = this.#accepted.count(now, SPAN_MS)
      this.#isKnown = pace >= 100 || this.#wasHeld
      pace = Math.max(pace, 4)
    }
    if (this.#isKnown && this.#pacer && this.#boundAt >= this.#runSince) this.#limit.cut(Math.ceil((pace * this.#latencyMs) / 1000) + NPLUS)
    pace = Math.max(MIN_PACE, Math.min(current, pace * MARGIN))
    const wasKnown = this.#pacer !== undefined && this.#isKnown
    this.#pacer ??= new Pacer(pace, { exact: false })
    this.#pacer.perSecond = this.#high = pace
    this.#debt = 0
    if (wasKnown) this.#owe(TELLING)
    this.#cutAt = this.#acceptedAt = this.#resumedAt = now
    this.#meter = 0
    this.#isDoubting = false
  }

  /** Requests a second that were accepted lately. */
  #measured(now: number, current: number): number {
    const since = Math.max(this.#runAccepted === 0 ? 0 : this.#resumedAt, Math.min(now - SPAN_MS, this.#last[this.#count % SAMPLE]!))
    let count = 0
    if (now - since <= SPAN_MS) count = this.#accepted.count(now, now - since)
    else for (const at of this.#last) if (at > since) count += 1
    return count < 8 ? current * 0.8 : (count * 1000) / (now - since)
  }

  #hold(now: number, retryAfterMs: number | undefined): void {
    this.#droughtSince ??= now
    this.#wasHeld = true
    const waitMs =
      retryAfterMs || Math.min(MAX_TRY_MS, Math.max(FIRST_TRY_MS, (now - this.#droughtSince) * NEXT_TRY))
    this.#pausedUntil = now + waitMs
    if (this.#isKnown) this.#debt = Math.max(this.#debt, (Math.min(1000, waitMs) / 1000) * MAX_DEBT_S * this.#high)
    this.#cutAt = now
    this.#pacer?.holdUntil(this.#pausedUntil)
    this.#acceptedAt = this.#pausedUntil
  }

  #grow(pacer: Pacer, now: number): void {
    const seconds = Math.max(0, now - this.#acceptedAt) / 1000
    if (this.#debt > 0) {
      this.#debt -= 1
      pacer.perSecond += Math.min(1, pacer.perSecond / 100) / PRICE
      if (this.#debt > 0) return
      this.#debt = 0
      this.#high = pacer.perSecond
    } else if (!this.#isBound) {
      const rate = this.#isDoubting ? DOUBTING : this.#isKnown ? PROBING : SEARCHING
      pacer.perSecond *= 1 + Math.min(0.25, seconds * rate)
    }
  }
}
