/** Words of 32 bits that stand for a key. Of a million keys, two share all three with a probability of 10⁻¹⁷. */
const WORDS = 3
const FIRST_SLOTS = 2048
/** Keys whose hashes are kept together: what grows by blocks is never copied, nor has much room to spare. */
const BLOCK_BITS = 14
const BLOCK_MASK = 2 ** BLOCK_BITS - 1
/** Slots for each key, at least: fewer make long chains. */
const SPARE = 4 / 3

/**
 * Numbers texts in the order in which they are first seen, from 0, in about 20 bytes each however long they are: a
 * `Map` of a million texts takes 150 MB. Texts are told apart by a hash of 96 bits.
 */
export class KeyTable {
  #size = 0
  /** Hashes by number. */
  readonly #blocks: Uint32Array[] = []
  /** Number + 1 of the key in each slot, 0 for none; a power of two of them. */
  #slots = new Uint32Array(FIRST_SLOTS)
  readonly #hash = new Uint32Array(WORDS)

  get size(): number {
    return this.#size
  }

  /** The text's number, or -1. */
  find(text: string): number {
    hashInto(text, this.#hash)
    return (this.#slots[this.#slotOf()] ?? 0) - 1
  }

  /** The text's number; `isNew` when this gave it one. */
  add(text: string): { number: number; isNew: boolean } {
    hashInto(text, this.#hash)
    const slot = this.#slotOf()
    const known = this.#slots[slot] ?? 0
    if (known > 0) return { number: known - 1, isNew: false }
    const number = this.#size
    this.#size += 1
    let block = this.#blocks[number >>> BLOCK_BITS]
    if (block === undefined) {
      block = new Uint32Array(WORDS << BLOCK_BITS)
      this.#blocks.push(block)
    }
    block.set(this.#hash, (number & BLOCK_MASK) * WORDS)
    this.#slots[slot] = number + 1
    if (this.#size * SPARE > this.#slots.length) this.#grow()
    return { number, isNew: true }
  }

  #slotOf(): number {
    const [a = 0, b = 0, c = 0] = this.#hash
    const mask = this.#slots.length - 1
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1
      const block = this.#blocks[number >>> BLOCK_BITS]
      if (number < 0 || block === undefined) return slot
      const at = (number & BLOCK_MASK) * WORDS
      if (block[at] === a && block[at + 1] === b && block[at + 2] === c) return slot
    }
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    for (let number = 0; number < this.#size; number++) {
      const block = this.#blocks[number >>> BLOCK_BITS]
      let slot = (block?.[(number & BLOCK_MASK) * WORDS] ?? 0) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

const scratch = new Uint32Array(WORDS)

/** 32 bits that stand for a text where a mistake in four thousand million does no harm; never 0. */
export function hashOf(text: string): number {
  hashInto(text, scratch)
  return scratch[WORDS - 1] || 1
}

/** Three independent multiplicative hashes over the text's UTF-16 units, each mixed at its end. */
function hashInto(text: string, hash: Uint32Array): void {
  let a = 0xdeadbeef ^ text.length
  let b = 0x41c6ce57
  let c = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
    c = Math.imul(c ^ unit, 0x85ebca77)
    a ^= a >>> 15
    b ^= b >>> 13
    c ^= c >>> 16
  }
  hash[0] = mixed(a)
  hash[1] = mixed(b)
  hash[2] = mixed(c)
}

function mixed(word: number): number {
  let h = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

type Words = Uint32Array | Uint8Array | Float64Array

/** The same array, or a longer copy that has `length` elements. */
export function withRoom<A extends Words>(array: A, length: number): A
export function withRoom(array: Words, length: number): Words {
  if (length <= array.length) return array
  const room = Math.max(length, Math.ceil(array.length * 1.5))
  if (array instanceof Uint32Array) return copied(new Uint32Array(room), array)
  if (array instanceof Float64Array) return copied(new Float64Array(room), array)
  return copied(new Uint8Array(room), array)
}

function copied<A extends Words>(target: A, source: Words): A {
  target.set(source)
  return target
}
