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
export class ConcurrencyLimit {
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
