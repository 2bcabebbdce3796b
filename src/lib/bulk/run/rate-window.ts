const SLOT_MS = 10
const SLOTS = 128

/** How many events there were lately, in slots of 10 ms. */
export class RateWindow {
  readonly #counts = new Float64Array(SLOTS)
  readonly #slots = new Float64Array(SLOTS).fill(-1)

  add(now: number): void {
    const slot = Math.floor(now / SLOT_MS)
    const at = ((slot % SLOTS) + SLOTS) % SLOTS
    if (this.#slots[at] !== slot) {
      this.#slots[at] = slot
      this.#counts[at] = 0
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
  }

  /** Events of the last `spanMs`, at most 1,200. */
  count(now: number, spanMs: number): number {
    const last = Math.floor(now / SLOT_MS)
    const first = last - Math.floor(spanMs / SLOT_MS) + 1
    let sum = 0
    for (let slot = first; slot <= last; slot++) {
      const at = ((slot % SLOTS) + SLOTS) % SLOTS
      if (this.#slots[at] === slot) sum += this.#counts[at] ?? 0
    }
    return sum
  }
}
