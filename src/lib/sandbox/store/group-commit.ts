/** Bounds how long a group holds up others: 500 writes take about 50 ms. */
const MAX_GROUP = 500

interface Waiting<D> {
  run(data: D): void
  settle(): void
  reject(error: unknown): void
}

export interface GroupTarget<D> {
  /** Runs synchronous `work` in one transaction, to the disk. It may run it again. */
  transaction(work: (data: D) => void): Promise<void>
  /** Runs a part of the work, undone if it throws. */
  part<T>(work: () => T): T
}

/**
 * Group commit: writes that come during a transaction share the next one, so that the disk syncs once a group. Each
 * is answered once on the disk; one that fails undoes nothing of the others.
 */
export class GroupCommit<D> {
  readonly #target: GroupTarget<D>
  #waiting: Waiting<D>[] = []
  #isRunning = false

  constructor(target: GroupTarget<D>) {
    this.#target = target
  }

  write<T>(use: (data: D) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let settle = () => {}
      this.#waiting.push({
        run: (data) => {
          try {
            const result = this.#target.part(() => use(data))
            settle = () => resolve(result)
          } catch (error) {
            settle = () => reject(error)
          }
        },
        settle: () => settle(),
        reject,
      })
      if (this.#isRunning) return
      this.#isRunning = true
      // After the requests that arrived together with this one.
      setImmediate(() => void this.#writeAll())
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group: Waiting<D>[] = []
      try {
        await this.#target.transaction((data) => {
          group.push(...this.#waiting.splice(0, MAX_GROUP - group.length))
          for (const each of group) each.run(data)
        })
        for (const each of group) each.settle()
      } catch (error) {
        // Without a transaction nothing can be answered, nor will a later one come about.
        for (const each of [...group, ...this.#waiting.splice(0)]) each.reject(error)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#isRunning = false
  }
}
