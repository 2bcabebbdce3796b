import { routeMatcher } from '../faults/faults.ts'

interface LoggedRequest {
  /** Epoch milliseconds, formatted when read. */
  time: number
  method: string
  path: string
  status: number | null
  durationMs: number
  requestId: string | null
  faultId: string | null
  bytes: number
}

export interface LogFilter {
  last?: number
  after?: number
  status?: string
  route?: string
}

/** Bounds the log to about 10 MB. */
const MAX_PATH = 300

export class RequestLog {
  readonly #entries: (LoggedRequest & { number: number })[] = []
  #total = 0

  constructor(private readonly capacity = 10_000) {}

  get total(): number {
    return this.#total
  }

  add(entry: LoggedRequest) {
    // A slice keeps its whole string alive.
    const path =
      entry.path.length > MAX_PATH ? `${Buffer.from(entry.path.slice(0, MAX_PATH)).toString()}…` : entry.path
    this.#total += 1
    this.#entries.push({ number: this.#total, ...entry, path })
    if (this.#entries.length > this.capacity) this.#entries.shift()
  }

  read({ last, after = 0, status, route }: LogFilter = {}) {
    const hasStatus = status === undefined ? () => true : statusMatcher(status)
    const isOfRoute = route === undefined ? () => true : routeMatcher(route)
    const found = this.#entries.filter(
      (entry) => entry.number > after && hasStatus(entry.status) && isOfRoute(entry.method, entry.path),
    )
    const wanted = last === undefined ? found : last === 0 ? [] : found.slice(-last)
    return wanted.map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() }))
  }
}

function statusMatcher(wanted: string): (status: number | null) => boolean {
  if (wanted.toLowerCase() === 'none') return (status) => status === null
  if (/xx$/i.test(wanted)) return (status) => status !== null && String(status)[0] === wanted[0]
  return (status) => status === Number(wanted)
}
