import { AppError } from '../../errors.ts'
import type { ExchangeObserver } from './exchange.ts'
import { openLine } from './line.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'
import { type JudgedAttempt, persist } from './persist.ts'
import type { ProxyEnv } from './proxy.ts'
import { insideError, isInsideHost, publicLookup } from './public-address.ts'
import { follow, MAX_REDIRECTS, redirectIn } from './redirects.ts'
import { exchangeOnce, receiveHead } from './send-once.ts'
import { openTransport, type Transport } from './transport.ts'

export interface UrlFetcherOptions {
  userAgent: string
  /** The platform's base URL: addresses of its origin may be plain http, and anywhere. */
  platform: string
  /** Other hosts (`labels.example`, `10.0.0.5:8443`) that may be inside this network. */
  labelHosts?: readonly string[]
  /** How many more attempts than the first, before the first byte has come. */
  retries: number
  caFile?: string | undefined
  /** Source of proxies and `NODE_EXTRA_CA_CERTS`. */
  env: ProxyEnv
  observers?: readonly ExchangeObserver[]
  /** Milliseconds since the epoch. */
  now: () => number
  random?: () => number
}

export interface FetchLimits {
  maxBytes: number
  /** Limit from the first connection to the last byte. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface UrlFetcher {
  /** Streams the bytes at an http(s) address, without the token. @throws AppError while it is read */
  fetch(url: string, limits: FetchLimits): AsyncGenerator<Uint8Array, void, undefined>
  close(): void
}

/** Service-named addresses (spec §2.6) may not lead inside this network: cloud metadata, printers, own services. */
export function createUrlFetcher(options: UrlFetcherOptions): UrlFetcher {
  const { env, caFile, retries, now, random } = options
  const platform = new URL(options.platform).origin
  const labelHosts = new Set(options.labelHosts?.map((host) => new URL(`https://${host}`).host))
  const mayBeInside = ({ origin, hostname, host }: URL) =>
    origin === platform || labelHosts.has(hostname) || labelHosts.has(host)

  /** Plain http, or another host than the platform's, might stand for anything. */
  const checkedUrl = (address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined || (url.protocol !== 'https:' && url.origin !== platform))
      throw new AppError('contract', 'its URL is not an https:// address.')
    if (!mayBeInside(url) && isInsideHost(url.hostname)) throw insideError(url.hostname)
    return url
  }

  const transports = new Map<string, Promise<Transport>>()

  const transportTo = (target: URL, timeoutMs: number): Promise<Transport> => {
    const known = transports.get(target.origin)
    if (known) return known
    const lookup = mayBeInside(target) ? undefined : publicLookup
    const opened = openTransport({ target, env, caFile, timeoutMs, lookup })
    transports.set(target.origin, opened)
    return opened
  }

  const attemptOnce = async (url: URL, { timeoutMs, signal }: Limits, attempt: number) => {
    const send = async (target: URL): Promise<Outcome> => {
      const line = await openLine(transportTo(target, timeoutMs), { signal })
      const headers = { accept: '*/*', 'user-agent': options.userAgent }
      const request = { method: 'GET', url: target, headers, body: undefined, attempt } as const
      const sent = { ...request, startedAt: now(), hidesQuery: true }
      return exchangeOnce(sent, options, receiveHead, line)
    }
    const { answer } = await follow(url, send, (outcome, from, hop) => {
      const next = outcome.kind === 'network' ? undefined : redirectTarget(outcome, from, checkedUrl)
      if (next === undefined || outcome.kind === 'network') return undefined
      outcome.stream.destroy()
      if (hop < MAX_REDIRECTS) return next
      throw new AppError('contract', `${url.host} redirects more than ${MAX_REDIRECTS} times.`)
    })
    return { outcome: answer }
  }

  const start = (url: URL, limits: Limits): Promise<Opened> =>
    persist(
      { method: 'GET', retries, signal: limits.signal, now, random },
      (attempt) => attemptOnce(url, limits, attempt),
      ({ outcome }): JudgedAttempt<Opened> => {
        if (outcome.kind === 'network') return { giveUp: () => Promise.reject(networkError(outcome, url)) }
        if (outcome.status >= 200 && outcome.status < 300) return { value: outcome }
        outcome.stream.destroy()
        return { giveUp: () => Promise.reject(statusError(outcome.status, url)) }
      },
    )

  return {
    async *fetch(address, { maxBytes, timeoutMs, signal }) {
      const url = checkedUrl(address)
      // One clock for everything: a server that sends a byte a minute keeps to every smaller limit.
      const ending = AbortSignal.timeout(timeoutMs)
      const limits = { timeoutMs, signal: signal ? AbortSignal.any([signal, ending]) : ending }
      let stream: Opened['stream'] | undefined
      try {
        const opened = await start(url, limits)
        stream = opened.stream
        const announced = Number(opened.headers['content-length'] ?? 0)
        if (announced > maxBytes) throw tooLarge(url, maxBytes)
        let bytes = 0
        for await (const chunk of stream) {
          const data: Uint8Array = chunk
          bytes += data.length
          if (bytes > maxBytes) throw tooLarge(url, maxBytes)
          yield data
        }
      } catch (error) {
        throw readFailure(error, url, { timeoutMs, signal, ending })
      } finally {
        stream?.destroy()
      }
    },
    close() {
      for (const opened of transports.values()) opened.then((one) => one.close()).catch(() => {})
    },
  }
}

function readFailure(
  cause: unknown,
  url: URL,
  { timeoutMs, signal, ending }: Pick<FetchLimits, 'timeoutMs' | 'signal'> & { ending: AbortSignal },
): AppError {
  if (signal?.aborted) return new AppError('interrupted', 'Interrupted.', { cause })
  if (ending.aborted)
    return new AppError('unavailable', `${url.host} took more than ${timeoutMs / 1000} s.`, { cause })
  return cause instanceof AppError ? cause : networkError(networkFailure(cause), url)
}

interface Limits {
  timeoutMs: number
  signal: AbortSignal
}

type Opened = Awaited<ReturnType<typeof receiveHead>>
type Outcome = Opened | NetworkFailure

function redirectTarget(answer: Opened, from: URL, checkedUrl: (address: string) => URL): URL | undefined {
  const redirect = redirectIn(answer, from)
  if (redirect === undefined) return undefined
  const { location, to } = redirect
  if (from.protocol === 'https:' && to?.protocol === 'http:') {
    throw new AppError(
      'contract',
      `${from.host} redirects from https:// to http:// (${to.host}); not followed.`,
    )
  }
  return checkedUrl(to?.href ?? location)
}

function statusError(status: number, url: URL): AppError {
  const kind =
    status >= 500 || status === 429 || status === 408
      ? 'unavailable'
      : status === 404 || status === 410
        ? 'not-found'
        : 'rejected'
  return new AppError(kind, `${url.host} answered with HTTP ${status}.`, {
    status,
    hints: [
      status >= 500 || status === 429 || status === 408
        ? 'the same again later'
        : 'the address may have expired: ask for the label again, which names a new one',
    ],
  })
}

function tooLarge({ host }: URL, maxBytes: number): AppError {
  const limit = maxBytes < 2 ** 20 ? `${maxBytes} bytes` : `${maxBytes / 2 ** 20} MiB`
  return new AppError('contract', `${host} sends more than ${limit}.`)
}

function networkError({ words, cause }: NetworkFailure, url: URL): AppError {
  return new AppError('unavailable', `${url.host} can't be read: ${words}.`, {
    cause,
    hints: ['the same again later'],
  })
}
