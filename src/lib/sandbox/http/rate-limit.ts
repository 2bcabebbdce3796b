export interface RateLimit {
  limit: number
  windowMs: number
}

const MAX_LIMIT = 100_000
const MAX_TOKENS = 1000
const WINDOWS: Readonly<Record<string, number>> = { s: 1000, m: 60_000 }

/** `200/s`, `1000/m`; undefined if it is neither. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, count, unit = ''] = /^(\d{1,6})\/([sm])$/.exec(text) ?? []
  const [limit, windowMs] = [Number(count), WINDOWS[unit]]
  return windowMs !== undefined && limit > 0 && limit <= MAX_LIMIT ? { limit, windowMs } : undefined
}

/** Exact sliding window: a token bucket allows twice the limit after a pause. */
export class RateLimiter {
  readonly #windows = new Map<string, number[]>()

  constructor(readonly rate: RateLimit) {}

  /** Returns `waitMs` 0 if one more is allowed now. */
  take(token: string, now: number) {
    const { limit, windowMs } = this.rate
    const times = this.#windows.get(token) ?? []
    this.#windows.delete(token)
    this.#windows.set(token, times)
    if (this.#windows.size > MAX_TOKENS) {
      const [eldest = ''] = this.#windows.keys()
      this.#windows.delete(eldest)
    }
    while ((times[0] ?? now) <= now - windowMs) times.shift()
    const isAllowed = times.length < limit
    if (isAllowed) times.push(now)
    const remaining = limit - times.length
    return { isAllowed, remaining, waitMs: remaining > 0 ? 0 : (times[0] ?? now) + windowMs - now }
  }
}

/** draft-ietf-httpapi-ratelimit-headers; the policy is called `sandbox`. */
export function rateLimitHeaders(
  { limit, windowMs }: RateLimit,
  admission: ReturnType<RateLimiter['take']>,
): Record<string, string> {
  const seconds = Math.ceil(admission.waitMs / 1000)
  return {
    ratelimit: `"sandbox";r=${admission.remaining}${admission.remaining === 0 ? `;t=${Math.max(1, seconds)}` : ''}`,
    'ratelimit-policy': `"sandbox";q=${limit};w=${windowMs / 1000}`,
    ...(admission.isAllowed ? {} : { 'retry-after': String(Math.max(1, seconds)) }),
  }
}
