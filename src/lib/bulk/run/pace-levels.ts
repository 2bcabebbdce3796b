/** Paces nearer to each other than this are the same one. */
const APART = 0.85
/** What is less than this part of a pace that grew beyond it was passed, and is come back to by halves. */
const PASSED = 0.96
/** Of the leaky count of refusals: where a pace to fall to is known, fewer tell that the limit is there again. */
export const TELLING_BELOW = 2

/**
 * Two paces that stood, each for a while: where another client comes and goes, the next pace is one of them. A second;
 * 0 while unknown.
 */
export class PaceLevels {
  #high = 0
  #low = 0
  /** Acceptances at about the same pace, while refusals are owed for. */
  #held = 0
  /** The pace before a trial of the higher one, and when that began; 0 while there is none. */
  #triedFrom = 0
  #triedAt = Number.POSITIVE_INFINITY

  get high(): number {
    return this.#high
  }

  get areKnown(): boolean {
    return this.#high > 0 && this.#low > 0
  }

  /** Whether `pace` is the lower one, or one between. */
  isBelow(pace: number): boolean {
    return pace < APART * this.#high
  }

  isOfTrial(sentAt: number): boolean {
    return sentAt >= this.#triedAt
  }

  /** Accepted while refusals are owed for; true when a lower pace has just stood for `price` acceptances. */
  held(pace: number, price: number): boolean {
    this.#held += 1
    if (this.#held <= price) return false
    if (!this.isBelow(pace)) {
      this.#high = pace
      return false
    }
    this.#low = pace
    return this.#held <= price + 1
  }

  /** Accepted while the pace grows; true in a trial of the higher pace, which begins where it is known. */
  grows(pace: number, now: number): boolean {
    this.#held = 0
    if (this.#triedFrom === 0 && this.isBelow(pace)) {
      this.#triedFrom = pace
      this.#triedAt = now
    }
    return this.#triedFrom > 0
  }

  /** The trial has reached the higher pace. */
  reached(): void {
    this.#low = this.#triedFrom
    this.changed()
  }

  /** Refused: the pace that stood before, or half-way from there; undefined while there is none. */
  fallTo(pace: number, count: number): number | undefined {
    if (this.#triedFrom > 0) return this.#triedFrom
    if (count < TELLING_BELOW) return undefined
    if (this.#high > 0 && this.#high < PASSED * pace) return Math.sqrt(this.#high * pace)
    return this.#low > 0 && this.#low < APART * pace ? this.#low : undefined
  }

  /** The pace was changed at once. */
  changed(): void {
    this.#held = this.#triedFrom = 0
  }

  cut(): void {
    this.#low = 0
    this.#triedAt = Number.POSITIVE_INFINITY
    this.changed()
  }

  /** A pause that is no part of the pace: what stood until then may do so again. */
  paused(pace: number): void {
    this.#high = Math.max(this.#high, pace)
  }

  forget(): void {
    this.#high = 0
    this.cut()
  }
}
