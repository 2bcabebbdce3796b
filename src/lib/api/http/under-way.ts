import type { Duplex } from 'node:stream'

/** Requests that have no whole answer yet, and one clock for all. */
export class UnderWay {
  /** When the time of each is up; the oldest first, since all have the same. */
  readonly #ends = new Map<Duplex, number>()
  readonly #timeoutMs: number | undefined
  #timer: NodeJS.Timeout | undefined
  /** The listener of all. */
  readonly #closed: (this: Duplex) => void

  /** Milliseconds that a request may take; it ends as one that fails with `ETIMEDOUT`. */
  constructor(timeoutMs: number | undefined) {
    this.#timeoutMs = timeoutMs
    const ends = this.#ends
    this.#closed = function () {
      ends.delete(this)
    }
  }

  add(request: Duplex): void {
    this.#ends.set(request, performance.now() + (this.#timeoutMs ?? Number.POSITIVE_INFINITY))
    request.on('close', this.#closed)
    if (this.#timeoutMs !== undefined) this.#timer ??= this.#wakeIn(this.#timeoutMs)
  }

  delete(request: Duplex): void {
    this.#ends.delete(request)
  }

  endAll(): void {
    for (const request of this.#ends.keys()) request.destroy(new Error('Interrupted'))
  }

  #wakeIn(ms: number): NodeJS.Timeout {
    // What has come in the meantime is read first: a machine may have been asleep.
    return setTimeout(() => setImmediate(() => this.#endLate()), ms).unref()
  }

  #endLate(): void {
    this.#timer = undefined
    const now = performance.now()
    for (const [request, end] of this.#ends) {
      if (end > now) {
        this.#timer = this.#wakeIn(end - now)
        return
      }
      const error = new Error(`no answer within ${this.#timeoutMs} ms`)
      request.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    }
  }
}
