/** Keeps a group from holding up everything else for long: 500 writes take about 50 ms. */
const MAX_GROUP = 500

interface Waiting<D> {
  /** Does the work and keeps what came of it. */
  run(data: D): void
  settle(): void
  reject(error: unknown): void
}

/** Where groups are written. */
export interface GroupTarget<D> {
  /** Runs `work`, which is synchronous, in one transaction, and ends when that is on the disk. It may run it again. */
  transaction(work: (data: D) => void): Promise<void>
  /** Runs a part of the work; what it wrote is undone if it throws. */
  part<T>(work: () => T): T
}

/**
 * Writes that come while a transaction waits, or is being synced, share the next one: the disk is waited for once a
 * group and not once a write. Each is answered only when its group is on the disk; one that fails undoes nothing of the
 * others.
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
      // After the requests that have come in together with this one.
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
        // Without a transaction nobody can be answered; those that came meanwhile would wait for nothing.
        for (const each of [...group, ...this.#waiting.splice(0)]) each.reject(error)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#isRunning = false
  }
}
