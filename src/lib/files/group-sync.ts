/**
 * A round writes the journal of a file system such as ext4 once; as no file is made meanwhile, the one thread that
 * reads from the network never waits for it.
 */
export class GroupSync {
  #waiting: { file: number; resolve: () => void; reject: (error: unknown) => void }[] = []
  #round: Promise<void> | undefined

  constructor(private readonly syncOne: (file: number) => Promise<void>) {}

  /** Between rounds files can be made and written without a wait. */
  async quiet(): Promise<void> {
    while (this.#round) await this.#round
  }

  /** Resolves when what was written to an open file is on the disk. One that fails does not concern the others. */
  sync(file: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ file, resolve, reject })
      // All that waited for quiet write first.
      if (this.#waiting.length === 1 && !this.#round) setImmediate(() => this.#begin())
    })
  }

  #begin(): void {
    const files = this.#waiting
    this.#waiting = []
    const syncAll = files.map(({ file, resolve, reject }) => this.syncOne(file).then(resolve, reject))
    this.#round = Promise.all(syncAll).then(() => {
      this.#round = undefined
      if (this.#waiting.length > 0) setImmediate(() => this.#begin())
    })
  }
}
