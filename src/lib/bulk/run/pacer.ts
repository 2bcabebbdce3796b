/**
 * A late timer's delay is made up for at once, up to this; after a longer silence, the schedule begins anew. Little where
 * the service counts: what is made up for comes on top of a second that is full already.
 */
const CATCH_UP_MS = 8
const EXACT_CATCH_UP_MS = 40

/** When the next request may go, so that there are `perSecond` of them, evenly spread. */
export class Pacer {
  perSecond: number
  #nextAt = Number.NEGATIVE_INFINITY
  /** With an exact rate: when each of the last requests went, in a ring, and the time that as many take. */
  readonly #sent: Float64Array | undefined
  readonly #spanMs: number
  readonly #catchUpMs: number
  #count = 0

  /** `exact`: never more than `perSecond` in any one second, whatever the timers do. */
  constructor(perSecond: number, options: { exact: boolean }) {
    this.perSecond = perSecond
    const held = Math.ceil(perSecond)
    this.#spanMs = (1000 * held) / perSecond
    this.#catchUpMs = options.exact ? EXACT_CATCH_UP_MS : CATCH_UP_MS
    if (options.exact) this.#sent = new Float64Array(held).fill(Number.NEGATIVE_INFINITY)
  }

  /** The earliest time for the next request. */
  readyAt(): number {
    const ring = this.#sent
    if (!ring) return this.#nextAt
    return Math.max(this.#nextAt, (ring[this.#count % ring.length] ?? 0) + this.#spanMs)
  }

  /** Sends nothing before that time, and makes up for nothing after it. */
  holdUntil(time: number): void {
    this.#nextAt = Math.max(this.#nextAt, time)
  }

  note(now: number): void {
    // No credit from a silence: a service that counts by the second would see a burst.
    const dueAt = this.#nextAt < now - this.#catchUpMs ? now : this.#nextAt
    this.#nextAt = dueAt + 1000 / this.perSecond
    const ring = this.#sent
    if (!ring) return
    ring[this.#count % ring.length] = now
    this.#count += 1
  }
}
