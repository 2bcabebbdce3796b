/** Two of the largest pages; a record has about 3 KB. */
const MAX_BYTES = 4 * 1024 * 1024

interface Place {
  kind: string
  page: Buffer
  from: number
  to: number
}

/** Pages of returns as they are sent, of which later ones take the records that are unchanged since. */
export class RecordCache {
  readonly #records = new Map<number, Place>()
  /** The numbers of their records, oldest first. */
  readonly #pages = new Map<Buffer, readonly number[]>()
  readonly #maxBytes: number
  #bytes = 0
  /** What a page is written to until its length is known. */
  #draft = Buffer.alloc(0)

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Without a number, all. */
  forget(no?: number): void {
    if (no !== undefined) {
      this.#records.delete(no)
      return
    }
    this.#records.clear()
    this.#pages.clear()
    this.#bytes = 0
  }

  /**
   * Records of numbers, with commas between and `head` and `tail` around. `write` gives those of that kind that are not
   * known, in order, as binary strings.
   */
  page(
    numbers: readonly number[],
    kind: string,
    write: (missing: readonly number[]) => Iterable<string>,
    [head, tail]: readonly [string, string],
  ): Buffer {
    const known = numbers.map((no) => this.#known(no, kind))
    const missing = numbers.filter((_, i) => known[i] === undefined)
    const written = (missing.length === 0 ? [] : write(missing))[Symbol.iterator]()
    let end = this.#put(head, 0)
    const ends = known.map((place, i) => {
      const from = i === 0 ? end : this.#put(',', end)
      end = place === undefined ? this.#put(nextOf(written, numbers[i]), from) : this.#copy(place, from)
      return end
    })
    const length = this.#put(tail, end)
    const page = Buffer.from(this.#draft.subarray(0, length))
    let from = head.length
    numbers.forEach((no, i) => {
      const to = ends[i] ?? from
      this.#records.set(no, { kind, page, from, to })
      from = to + 1
    })
    this.#keep(page, numbers)
    return page
  }

  #known(no: number, kind: string): Place | undefined {
    const place = this.#records.get(no)
    return place?.kind === kind ? place : undefined
  }

  #put(text: string, at: number): number {
    this.#makeRoom(at + text.length)
    return at + this.#draft.write(text, at, 'latin1')
  }

  #copy({ page, from, to }: Place, at: number): number {
    this.#makeRoom(at + to - from)
    return at + page.copy(this.#draft, at, from, to)
  }

  #makeRoom(length: number): void {
    if (length <= this.#draft.length) return
    const larger = Buffer.allocUnsafeSlow(2 * length)
    this.#draft.copy(larger)
    this.#draft = larger
  }

  #keep(page: Buffer, numbers: readonly number[]): void {
    this.#pages.set(page, numbers)
    this.#bytes += page.length
    for (const [oldest, its] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) break
      this.#pages.delete(oldest)
      this.#bytes -= oldest.length
      for (const no of its) if (this.#records.get(no)?.page === oldest) this.#records.delete(no)
    }
  }
}

function nextOf(written: Iterator<string>, no: number | undefined): string {
  const { done, value } = written.next()
  if (done === true) throw new Error(`The data file has no return ${no}`)
  return value
}
