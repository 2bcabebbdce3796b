/** Headers of an answer, by their names in small letters. */
class ReplyHeaders {
  readonly #fields = new Map<string, string>()

  constructor(fields: Readonly<Record<string, string>>) {
    for (const name in fields) this.set(name, fields[name] ?? '')
  }

  get(name: string): string | null {
    return this.#fields.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#fields.set(name.toLowerCase(), value)
  }

  /** Names and values in turns, as Node.js takes them without looking at each twice. */
  flat(): string[] {
    const fields: string[] = []
    for (const [name, value] of this.#fields) fields.push(name, value)
    return fields
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#fields[Symbol.iterator]()
  }
}

/** An answer. The first touch of the global `Response` makes Node.js compile its whole `fetch`, which takes 40 ms. */
export class Reply {
  readonly headers: ReplyHeaders
  #isMarked = false

  constructor(
    readonly body: string | Buffer,
    readonly status: number,
    headers: Readonly<Record<string, string>>,
  ) {
    this.headers = new ReplyHeaders(headers)
  }

  /** Adds what all answers have and this one has not. */
  mark(marks: () => Readonly<Record<string, string>>): void {
    if (this.#isMarked) return
    const fields = marks()
    for (const name in fields) if (!this.headers.has(name)) this.headers.set(name, fields[name] ?? '')
    this.#isMarked = true
  }

  get bytes(): Buffer {
    return typeof this.body === 'string' ? Buffer.from(this.body) : this.body
  }

  get text(): string {
    return this.body.toString()
  }

  /** Returns the reply to `HEAD`. */
  withoutBody(): Reply {
    return new Reply('', this.status, Object.fromEntries(this.headers))
  }
}
