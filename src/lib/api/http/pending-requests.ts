import type { Duplex } from 'node:stream'

/** Requests without a complete answer, which share one timer. */
export class PendingRequests {
  /**
   * Requests by slot. Slots are reused, since V8 is slow to free the tables of a busy map.
   */
  readonly #requests: (Duplex | undefined)[] = []
  readonly #deadlines: number[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #closed: (this: Duplex) => void

  /** @param timeoutMs time limit of a request, which then fails with `ETIMEDOUT` */
  constructor(private readonly timeoutMs: number) {
    const remove = (request: Duplex) => this.delete(request)
    this.#closed = function () {
      remove(this)
    }
  }

  add(request: Duplex) {
    const free = this.#requests.indexOf(undefined)
    const slot = free === -1 ? this.#requests.length : free
    this.#requests[slot] = request
    this.#deadlines[slot] = performance.now() + this.timeoutMs
    request.on('close', this.#closed)
    this.#timer ??= this.#wakeIn(this.timeoutMs)
  }

  delete(request: Duplex) {
    const slot = this.#requests.indexOf(request)
    if (slot !== -1) this.#requests[slot] = undefined
  }

  endAll() {
    for (const request of this.#requests) request?.destroy(new Error('Interrupted'))
  }

  #wakeIn(ms: number) {
    // Reads what has arrived first: the machine may have been asleep.
    return setTimeout(() => setImmediate(() => this.#endLate()), ms).unref()
  }

  #endLate() {
    this.#timer = undefined
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const [slot, end] of this.#deadlines.entries()) {
      const request = this.#requests[slot]
      if (request === undefined) continue
      if (end > now) {
        next = Math.min(next, end)
        continue
      }
      const error = new Error(`no answer within ${this.timeoutMs} ms`)
      request.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    }
    if (next < Number.POSITIVE_INFINITY) this.#timer = this.#wakeIn(next - now)
  }
}
