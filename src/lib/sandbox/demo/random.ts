/** Letters that every postal code format in use here allows. */
const LETTERS = 'ABEGHJLNPRST'

/** Whole numbers, both ends included. */
export type Range = readonly [from: number, to: number]

/** mulberry32. Each customer and return has a generator, so that each can be made alone. */
export class Random {
  #state: number

  constructor(seed: number, stream: number, index: number) {
    let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
    hash = Math.imul((hash ^ (hash >>> 15)) + stream, 0xc2b2ae35)
    hash = Math.imul((hash ^ (hash >>> 13)) + index, 0x27d4eb2f)
    this.#state = hash ^ (hash >>> 16)
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between([from, to]: Range): number {
    return from + this.below(to - from + 1)
  }

  chance(probability: number) {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)]
    if (item === undefined) throw new Error('Nothing to pick from')
    return item
  }

  fill(pattern: string): string {
    return pattern.replace(/[#@]/g, (mark) =>
      mark === '#' ? String(this.below(10)) : LETTERS.charAt(this.below(LETTERS.length)),
    )
  }
}
