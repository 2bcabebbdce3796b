import { hashOf } from './compact-key-table.ts'

const LEAST_BITS = 2 ** 16
const MOST_BITS = 2 ** 28

/**
 * Which keys of a file certainly come only once, in two bits for each that is expected: what rows are compared by need
 * not be kept for those. Of the keys that come once, one in sixteen or so is taken for one that comes again.
 */
export class Recurrence {
  readonly #once: Uint32Array
  readonly #again: Uint32Array

  /** @param expected keys, roughly: with fewer bits there are more mistakes */
  constructor(expected: number) {
    const bits = 2 ** Math.ceil(Math.log2(Math.min(MOST_BITS, Math.max(LEAST_BITS, 8 * expected))))
    this.#once = new Uint32Array(bits / 32)
    this.#again = new Uint32Array(bits / 32)
  }

  see(key: string): void {
    const [word, bit] = this.#placeOf(key)
    if (hasBit(this.#once, word, bit)) setBit(this.#again, word, bit)
    else setBit(this.#once, word, bit)
  }

  /** False if the key was seen once at the most. */
  mayRecur(key: string): boolean {
    return hasBit(this.#again, ...this.#placeOf(key))
  }

  #placeOf(key: string): [word: number, bit: number] {
    const hash = hashOf(key)
    return [(hash >>> 5) & (this.#once.length - 1), hash & 31]
  }
}

/** A set of row numbers, at one bit for each row of the file. */
export class RowSet {
  #bits = new Uint32Array(1024)

  add(row: number): void {
    const word = row >>> 5
    if (word >= this.#bits.length) {
      const more = new Uint32Array(2 * word)
      more.set(this.#bits)
      this.#bits = more
    }
    setBit(this.#bits, word, row & 31)
  }

  has(row: number): boolean {
    return hasBit(this.#bits, row >>> 5, row & 31)
  }
}

function hasBit(bits: Uint32Array, word: number, bit: number): boolean {
  return ((bits[word] ?? 0) & (1 << bit)) !== 0
}

function setBit(bits: Uint32Array, word: number, bit: number): void {
  bits[word] = (bits[word] ?? 0) | (1 << bit)
}
