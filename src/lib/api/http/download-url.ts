import { setTimeout as delay } from 'node:timers/promises'
import type { Got, Response } from 'got'
import { AppError } from '../../errors.ts'
import type { ExchangeObserver, SentRequest } from './exchange.ts'
import { networkFailure } from './network-failure.ts'
import type { ProxyEnv } from './proxy.ts'
import { insideError, isInsideHost, publicLookup } from './public-address.ts'
import { decideRetry, type Outcome } from './retry-policy.ts'
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
  /** Where the proxies and `NODE_EXTRA_CA_CERTS` are read from. */
  env: ProxyEnv
  observers?: readonly ExchangeObserver[]
  /** Milliseconds since the epoch. */
  now: () => number
  random?: () => number
}

export interface FetchLimits {
  maxBytes: number
  /** From the first connection to the last byte. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface UrlFetcher {
  /** What an http(s) address leads to. Never sends the token. @throws AppError while it is read */
  fetch(url: string, limits: FetchLimits): AsyncGenerator<Uint8Array, void, undefined>
  close(): void
}

const MAX_REDIRECTS = 5

/**
 * Reads files at addresses that the service names (spec §2.6). They may be on any host but those inside this network,
 * where they could stand for what only this machine may ask: cloud metadata, printers, other services of its own.
 */
export function createUrlFetcher(options: UrlFetcherOptions): UrlFetcher {
  const { env, caFile, retries, now, observers = [], random = Math.random } = options
  const platform = new URL(options.platform).origin
  const labelHosts = new Set(options.labelHosts?.map((host) => new URL(`https://${host}`).host))
  const mayBeInside = ({ origin, hostname, host }: URL) =>
    origin === platform || labelHosts.has(hostname) || labelHosts.has(host)

  /** An address that is not https, or the platform's own, might stand for anything. */
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
    const opened = openTransport({
      target,
      env,
      caFile,
      timeoutMs,
      lookup: mayBeInside(target) ? undefined : publicLookup,
    })
    transports.set(target.origin, opened)
    return opened
  }

  const open = async (got: Got, target: URL, limits: Limits, attempt: number): Promise<Opened> => {
    const transport = await transportTo(target, limits.timeoutMs)
    const headers = { accept: '*/*', 'user-agent': options.userAgent }
    const startedAt = now()
    const request = { method: 'GET', url: target, headers, body: undefined, attempt, startedAt } as const
    const sent: SentRequest = { ...request, hidesQuery: true }
    for (const observer of observers) observer.started?.(sent)
    const stream = got.stream(target, {
      headers,
      request: transport.request,
      signal: limits.signal,
      retry: { limit: 0 },
      throwHttpErrors: false,
      followRedirect: false,
    })
    const response = await new Promise<Response>((resolve, reject) => {
      stream.once('response', resolve)
      // A refusal of ours stays what it is; got wraps it.
      stream.once('error', (error) => reject(error.cause instanceof AppError ? error.cause : error))
    })
    const shown = {
      status: response.statusCode,
      statusText: response.statusMessage ?? '',
      httpVersion: response.httpVersion,
      headers: textHeaders(response.headers),
      text: '',
      bytes: Number(response.headers['content-length'] ?? 0),
      phases: {},
    }
    for (const observer of observers) {
      observer.finished?.({ request: sent, durationMs: now() - startedAt, response: shown })
    }
    return { stream, status: response.statusCode, headers: shown.headers }
  }

  const follow = async (got: Got, url: URL, limits: Limits, attempt: number): Promise<Opened> => {
    let target = url
    for (let hop = 0; ; hop += 1) {
      const opened = await open(got, target, limits, attempt)
      const next = redirectTarget(opened, target, checkedUrl)
      if (next === undefined) return opened
      opened.stream.destroy()
      if (hop === MAX_REDIRECTS)
        throw new AppError('contract', `${url.host} redirects more than ${MAX_REDIRECTS} times.`)
      target = next
    }
  }

  const start = async (url: URL, limits: Limits): Promise<Opened> => {
    const { got } = await import('got')
    for (let attempt = 1; ; attempt += 1) {
      const result = await follow(got, url, limits, attempt).catch((error: unknown) => asFailure(error))
      if ('stream' in result && result.status >= 200 && result.status < 300) return result
      const outcome: Outcome = 'stream' in result ? { kind: 'response', ...retryInfo(result) } : result
      const decision = decideRetry({ method: 'GET', attempt, retries, outcome, now: now(), random })
      if ('stream' in result) result.stream.destroy()
      limits.signal.throwIfAborted()
      if (!decision.retry)
        throw 'stream' in result ? statusError(result.status, url) : networkError(result, url)
      await delay(decision.delayMs, undefined, { signal: limits.signal })
    }
  }

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
  if (signal?.aborted) return new AppError('interrupted', 'Interrupted', { cause })
  if (ending.aborted)
    return new AppError('unavailable', `${url.host} took more than ${timeoutMs / 1000} s.`, { cause })
  return cause instanceof AppError ? cause : networkError(networkFailure(cause), url)
}

interface Limits {
  timeoutMs: number
  signal: AbortSignal
}

interface Opened {
  stream: ReturnType<Got['stream']>
  status: number
  headers: Readonly<Record<string, string>>
}

type Failure = ReturnType<typeof networkFailure>

function asFailure(error: unknown): Failure {
  if (error instanceof AppError) throw error
  return networkFailure(error)
}

function retryInfo({ status, headers }: Opened): { status: number; retryAfter: string | undefined } {
  return { status, retryAfter: headers['retry-after'] }
}

function redirectTarget(
  { status, headers }: Opened,
  from: URL,
  checkedUrl: (address: string) => URL,
): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined
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
        ? 'try again later'
        : 'the address may have expired: ask for the label again, which names a new one',
    ],
  })
}

function tooLarge({ host }: URL, maxBytes: number): AppError {
  const limit = maxBytes < 2 ** 20 ? `${maxBytes} bytes` : `${maxBytes / 2 ** 20} MiB`
  return new AppError('contract', `${host} sends more than ${limit}.`)
}

function networkError({ words, cause }: Failure, url: URL): AppError {
  return new AppError('unavailable', `${url.host} can't be read: ${words}.`, {
    cause,
    hints: ['try again later'],
  })
}

function textHeaders(headers: Response['headers']): Record<string, string> {
  const text: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) text[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return text
}
