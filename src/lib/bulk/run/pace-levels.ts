/** Paces nearer to each other than this are the same one. */
const APART = 0.8
/** Of the leaky count of refusals: where a pace to fall to is known, fewer tell that the limit is there again. */
const TELLING = 2
/** After so many trials of the higher pace that failed in a row, both are forgotten. */
const MAX_FAILED = 6
/** A refusal takes this part of the pace, one that ends a trial takes it of the lower one. */
export const STEP = 0.0113

/**
 * Two paces that stood, each for a while: where another client comes and goes, the next pace is one of them. A second;
 * 0 while unknown.
 */
export class PaceLevels {
  #high = 0
  #low = 0
  #failed = 0
  /** Only what a cut led to is a lower one: refusals by chance lower the pace too. */
  #isCut = false
  /** Acceptances at about the same pace, while refusals are owed for. */
  #held = 0
  /** The pace before a trial of the higher one, which began then. */
  #triedFrom = 0
  #triedAt = Number.POSITIVE_INFINITY
  /** Acceptances since the pace began to grow. */
  #grown = 0
  #grewFrom = 0

  get high(): number {
    return this.#high
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
    this.#grown = 0
    this.#held += 1
    if (this.#held <= price) return false
    if (!this.isBelow(pace)) {
      this.#high = pace
      this.#failed = 0
      this.#isCut = false
      return false
    }
    if (this.#isCut) this.#low = pace
    return this.#held <= price + 1
  }

  /** Accepted while the pace grows, quiet since then; true in a trial of the higher pace, which begins where it is known. */
  grows(pace: number, now: number, quietSince: number): boolean {
    this.#held = 0
    if (this.#grown === 0) this.#grewFrom = quietSince
    this.#grown += 1
    if (this.#triedFrom === 0 && this.isBelow(pace)) {
      this.#triedFrom = pace
      this.#triedAt = now
    }
    return this.#triedFrom > 0
  }

  /** The trial has reached the higher pace. */
  reached(): void {
    if (this.#isCut) this.#low = this.#triedFrom
    this.changed()
  }

  /** Refused: the pace that stood before, or that can be told from the growth; undefined while there is none. */
  fallTo(pace: number, count: number, now: number): number | undefined {
    if (this.#triedFrom > 0) return this.#fail(this.#triedFrom * (1 - STEP))
    if (count < TELLING) return undefined
    if (this.#high > 0 && this.#high < APART * pace && this.#grown > 0) {
      // As if a bucket of a second had been full when it began.
      const delivered = this.#grown / ((now - this.#grewFrom) / 1000 + 1)
      return Math.min(pace, Math.max(this.#high, delivered))
    }
    return this.#low > 0 && this.#low < APART * pace ? this.#fail(this.#low) : undefined
  }

  /** The pace was changed at once. */
  changed(): void {
    this.#held = this.#grown = this.#triedFrom = 0
  }

  cut(): void {
    this.#low = 0
    this.#isCut = true
    this.changed()
  }

  forget(): void {
    this.#high = this.#low = this.#failed = 0
    this.#isCut = false
    this.changed()
  }

  #fail(lower: number): number {
    this.#isCut = true
    this.#failed += 1
    if (this.#failed >= MAX_FAILED) this.forget()
    return lower
  }
}
