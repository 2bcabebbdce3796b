export interface RateLimit {
  limit: number
  windowMs: number
}

export interface Admission {
  isAllowed: boolean
  remaining: number
  /** Until one more is allowed; 0 if one is now. */
  waitMs: number
}

const MAX_LIMIT = 100_000
/** The token unused for longest is forgotten beyond this. */
const MAX_TOKENS = 1000
const WINDOWS: Readonly<Record<string, number>> = { s: 1000, m: 60_000 }

/** `200/s`, `1000/m`; undefined if it is neither. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, count, unit = ''] = /^(\d{1,6})\/([sm])$/.exec(text) ?? []
  const [limit, windowMs] = [Number(count), WINDOWS[unit]]
  return windowMs !== undefined && limit > 0 && limit <= MAX_LIMIT ? { limit, windowMs } : undefined
}

interface Window {
  times: Float64Array
  allowed: number
}

/** Exact sliding window a token, without refused requests: a token bucket allows twice the limit after a pause. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>()

  constructor(readonly rate: RateLimit) {}

  /** `now` in ms, of a clock that does not go back. */
  take(token: string, now: number): Admission {
    const { limit, windowMs } = this.rate
    const window = this.#windowOf(token)
    // The ring's next slot holds the time from `limit` requests ago.
    const next = window.allowed % limit
    const oldest = window.allowed < limit ? Number.NEGATIVE_INFINITY : (window.times[next] ?? 0)
    if (oldest > now - windowMs) return { isAllowed: false, remaining: 0, waitMs: oldest + windowMs - now }
    window.times[next] = now
    window.allowed += 1
    const remaining = limit - countSince(window, limit, now - windowMs)
    const following = window.times[window.allowed % limit] ?? 0
    return { isAllowed: true, remaining, waitMs: remaining > 0 ? 0 : following + windowMs - now }
  }

  #windowOf(token: string): Window {
    const known = this.#windows.get(token)
    // Put in anew: the map's order is that of last use.
    if (known) this.#windows.delete(token)
    else if (this.#windows.size >= MAX_TOKENS) {
      const [eldest = ''] = this.#windows.keys()
      this.#windows.delete(eldest)
    }
    const window = known ?? { times: new Float64Array(this.rate.limit), allowed: 0 }
    this.#windows.set(token, window)
    return window
  }
}

function countSince({ times, allowed }: Window, limit: number, from: number): number {
  const size = Math.min(allowed, limit)
  let [low, high] = [0, size]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[(allowed - size + middle) % limit] ?? 0) > from) high = middle
    else low = middle + 1
  }
  return size - low
}

/** `RateLimit` and `RateLimit-Policy` as draft-ietf-httpapi-ratelimit-headers has them, for `sandbox` as the policy's name. */
export function rateLimitHeaders({ limit, windowMs }: RateLimit, verdict: Admission): Record<string, string> {
  const seconds = Math.ceil(verdict.waitMs / 1000)
  return {
    RateLimit: `"sandbox";r=${verdict.remaining}${verdict.remaining === 0 ? `;t=${Math.max(1, seconds)}` : ''}`,
    'RateLimit-Policy': `"sandbox";q=${limit};w=${windowMs / 1000}`,
    ...(verdict.isAllowed ? {} : { 'Retry-After': String(Math.max(1, seconds)) }),
  }
}
