/**
 * Writes of one transaction, of which one that fails is undone alone. A savepoint for each would take a tenth of the
 * time of a small write, and hardly any fails once it has begun to write: only then all are done again, with savepoints.
 */
export class WriteParts {
  readonly #savepoint: <T>(work: () => T) => T
  #hasSavepoints = false
  #hasWritten = false
  #isHalfDone = false

  /** `savepoint` undoes what `work` did if it throws. */
  constructor(savepoint: <T>(work: () => T) => T) {
    this.#savepoint = savepoint
  }

  /** Runs a transaction, and once more if a part of it has failed halfway. `run` undoes all of it if `work` throws. */
  async transaction<D>(
    run: (work: (data: D) => void) => Promise<void>,
    work: (data: D) => void,
  ): Promise<void> {
    try {
      await run((data) => {
        this.#isHalfDone = false
        work(data)
        if (this.#isHalfDone) throw new HalfDone()
      })
    } catch (error) {
      if (!(error instanceof HalfDone)) throw error
      this.#hasSavepoints = true
      await run(work).finally(() => {
        this.#hasSavepoints = false
      })
    }
  }

  part<T>(work: () => T): T {
    if (this.#hasSavepoints) return this.#savepoint(work)
    this.#hasWritten = false
    try {
      return work()
    } catch (error) {
      this.#isHalfDone ||= this.#hasWritten
      throw error
    }
  }

  /** Comes before each write of a part. */
  noteWrite(): void {
    this.#hasWritten = true
  }
}

class HalfDone extends Error {}
