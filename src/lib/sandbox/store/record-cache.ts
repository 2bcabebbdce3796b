/** Twice the largest page; about 3 KB each. */
const MAX_RECORDS = 1000

/** Returns as they are sent, found lately and unchanged since. */
export class RecordCache {
  /** In the order in which they were written. */
  readonly #records = new Map<number, { kind: string; json: Buffer }>()

  /** Without a number, all. */
  forget(no?: number): void {
    if (no === undefined) this.#records.clear()
    else this.#records.delete(no)
  }

  /** Those of numbers; `write` gives the ones of that kind that are not known. */
  take(
    numbers: readonly number[],
    kind: string,
    write: (missing: readonly number[]) => Iterable<readonly [no: number, json: Buffer]>,
  ): Buffer[] {
    const missing = numbers.filter((no) => this.#records.get(no)?.kind !== kind)
    const written = new Map(missing.length === 0 ? [] : write(missing))
    const all = numbers.map((no) => {
      const json = written.get(no) ?? this.#records.get(no)?.json
      if (json === undefined) throw new Error(`The data file has no return ${no}`)
      return json
    })
    for (const [no, json] of written) {
      this.#records.delete(no)
      this.#records.set(no, { kind, json })
    }
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= MAX_RECORDS) break
      this.#records.delete(oldest)
    }
    return all
  }
}
