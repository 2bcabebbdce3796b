/** Some hundred polls, or five pages of the largest size. */
const MAX_BYTES = 8 * 1024 * 1024

/** Answers by question, of one state of the data: clients that poll ask the same again and again. */
export class AnswerCache {
  readonly #maxBytes: number
  #state = ''
  #bytes = 0
  /** In order of last use. */
  readonly #answers = new Map<string, Buffer>()

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Of another state than before all are forgotten. `make` may see later data than those of `state`. */
  answer(state: string, question: string, make: () => Buffer): Buffer {
    if (state !== this.#state) {
      this.#state = state
      this.#bytes = 0
      this.#answers.clear()
    }
    const known = this.#take(question)
    const answer = known ?? make()
    this.#bytes += sizeOf(question, answer)
    this.#answers.set(question, answer)
    for (const eldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.#take(eldest)
    }
    return answer
  }

  #take(question: string): Buffer | undefined {
    const answer = this.#answers.get(question)
    if (answer !== undefined) {
      this.#answers.delete(question)
      this.#bytes -= sizeOf(question, answer)
    }
    return answer
  }
}

/** A question may be an address of 16 KB whose answer is short. */
function sizeOf(question: string, answer: Buffer): number {
  return 2 * question.length + answer.length
}
