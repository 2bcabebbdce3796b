import { routeMatcher } from '../faults/route.ts'

/** A request that the sandbox got; nothing of its body, its query or its token. */
export interface LoggedRequest {
  /** Grows by one with each entry. */
  number: number
  /** ISO 8601, when it began. */
  time: string
  method: string
  /** After the API's prefix. */
  path: string
  /** Null for a request that was not answered. */
  status: number | null
  /** Until the end of the answer, or of the attempt. */
  durationMs: number
  /** Null where no answer was begun. */
  requestId: string | null
  /** Fault that hit it. */
  faultId: string | null
  /** Bytes sent, the head of the answer included. */
  bytes: number
}

export interface LogFilter {
  /** At most so many, the latest. */
  last?: number | undefined
  /** Only entries with a greater number. */
  after?: number | undefined
  /** `404`, `5xx`, or `none` for those without an answer. */
  status?: string | undefined
  /** `GET /returns*` */
  route?: string | undefined
}

const DEFAULT_CAPACITY = 10_000
/** Longer paths are cut, so that the log has a greatest size: about 10 MB. */
const MAX_PATH = 300

/** `time` in ms since the epoch: few entries are ever read. */
type NewEntry = Omit<LoggedRequest, 'number' | 'time'> & { time: number }

/** The latest requests, in the order in which they ended, in a memory that does not grow. */
export class RequestLog {
  readonly #entries: (NewEntry & { number: number })[] = []
  #total = 0

  constructor(private readonly capacity = DEFAULT_CAPACITY) {}

  /** All requests ever logged. */
  get total(): number {
    return this.#total
  }

  add(entry: NewEntry): void {
    // A part of a long text would keep all of it alive; the round trip makes a text of its own.
    const path =
      entry.path.length > MAX_PATH ? `${Buffer.from(entry.path.slice(0, MAX_PATH)).toString()}…` : entry.path
    this.#entries[this.#total % this.capacity] = { number: this.#total + 1, ...entry, path }
    this.#total += 1
  }

  /** Oldest first. */
  read({ last, after = 0, status, route }: LogFilter = {}): LoggedRequest[] {
    const begin = this.#total % this.capacity
    const ordered =
      this.#total <= this.capacity
        ? this.#entries
        : [...this.#entries.slice(begin), ...this.#entries.slice(0, begin)]
    const hasStatus = status === undefined ? () => true : statusMatcher(status)
    const isOfRoute = route === undefined ? () => true : routeMatcher(route)
    const found = ordered.filter(
      (entry) => entry.number > after && hasStatus(entry.status) && isOfRoute(entry.method, entry.path),
    )
    const wanted = last === undefined ? found : last === 0 ? [] : found.slice(-last)
    return wanted.map((entry) => ({ ...entry, time: new Date(entry.time).toISOString() }))
  }
}

/** What `status` may look like in a filter. */
export const STATUS_FILTER = /^(?:none|[1-5](?:xx|\d\d))$/i

function statusMatcher(wanted: string): (status: number | null) => boolean {
  if (wanted.toLowerCase() === 'none') return (status) => status === null
  if (/xx$/i.test(wanted)) return (status) => status !== null && String(status)[0] === wanted[0]
  return (status) => status === Number(wanted)
}
