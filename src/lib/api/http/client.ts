import { setMaxListeners } from 'node:events'
import { AppError } from '../../errors.ts'
import { assertLocksOwned } from '../../files/lock.ts'
import { effectOf, type HttpRequest, type ProbeRequest, requestBuilder, targetUrl } from './build-request.ts'
import { failureIn, type HttpResponse } from './error-map.ts'
import type { ExchangeObserver } from './exchange.ts'
import { type Line, openLine } from './line.ts'
import { checkedBaseUrl } from './origin-guard.ts'
import { asOutcome, type JudgedAttempt, persist, throwIfAborted } from './persist.ts'
import type { ProxyEnv } from './proxy.ts'
import { type AttemptOutcome, type AttemptResult, isSuccess, readSurely, successOf } from './read-success.ts'
import { follow, MAX_REDIRECTS, redirectIn } from './redirects.ts'
import { isRead, mayRepeat, parseRetryAfter } from './retry-policy.ts'
import { exchangeOnce } from './send-once.ts'
import { openTransport } from './transport.ts'

export interface RetryInfo {
  method: string
  /** Path without the query. */
  path: string
  /** The attempt that failed, from 1. */
  attempt: number
  delayMs: number
  /** `HTTP 503`, `ECONNRESET`. */
  reason: string
}

export interface HttpOptions {
  baseUrl: string
  token?: string | undefined
  /** The token may be read on the way: a sandbox's own. */
  isTokenPublic?: boolean | undefined
  /** For each attempt, from connecting to the last byte of the answer. */
  timeoutMs: number
  /** How many more attempts than the first. */
  retries: number
  /** PEM file of further trust anchors. */
  caFile?: string | undefined
  userAgent: string
  /** Flags of the call, repeated in the commands that errors name: ` --profile live`. */
  placeFlags?: string | undefined
  /** Source of proxies and `NODE_EXTRA_CA_CERTS`; without proxies for a server of our own. */
  env: ProxyEnv
  observers?: readonly ExchangeObserver[]
  onRetry?: (info: RetryInfo) => void
  /** Called when an answer has become long, before the heap grows. */
  onLongAnswer?: (() => void) | undefined
  random?: () => number
  /** Rejects when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends all requests, under way or to come, as interrupted. */
  signal?: AbortSignal | undefined
  /** Milliseconds since the epoch. */
  now?: () => number
}

interface Write<T> {
  /** Reads an answer of 2xx. @throws AppError `contract` */
  read(answer: HttpResponse): T
  /** Looks whether the write happened; undefined if it did not. @throws AppError `unknown` if that can't be told */
  look(error: AppError): Promise<T | undefined>
  /** Called before each attempt; a throw prevents it. */
  before?: (() => Promise<void>) | undefined
  /** Ends repeats, and lets the attempt under way end. */
  noRepeat?: AbortSignal | undefined
}

/** An attempt that brought no readable answer of 2xx, and what may be done now. */
export interface FailedAttempt {
  /** `unknown` for a write that may have happened. */
  error: AppError
  /** Sending it again may help, and does no harm: it certainly had no effect, or never has one. */
  mayRepeat: boolean
  isThrottled: boolean
  retryAfterMs: number | undefined
}

export interface Http {
  /** Has no slash at its end. */
  readonly baseUrl: string
  readonly placeFlags: string
  /** @throws AppError for everything that is not a readable answer of 2xx. */
  request(request: HttpRequest): Promise<HttpResponse>
  /** A write, sent again only if it certainly did not happen, or `look` shows that it did not. @throws AppError */
  write<T>(request: HttpRequest, write: Write<T>): Promise<T>
  /** One attempt; `read` as of a `Write`. @throws AppError `interrupted`, `config` */
  attempt<T>(request: HttpRequest, read: (answer: HttpResponse) => T): Promise<T | FailedAttempt>
  /** The answer as it is, whatever its status. Only 429, of reads 503, and network failures are tried again. @throws AppError */
  probe(request: ProbeRequest): Promise<HttpResponse>
  /** Ends what is under way and drops kept-alive connections, so that the process can end. */
  close(): void
}

const MAX_BYTES = 64 * 2 ** 20

/**
 * Attempts and redirects are ours, not got's: each is decided by our policy and shown to the observers.
 * @throws AppError `config` for a base URL to which the token must not go, `auth` for a token that can't be sent
 */
export function createHttp(options: HttpOptions): Http {
  const { token, timeoutMs, retries, onRetry, onLongAnswer, observers, random, sleep } = options
  const { now = Date.now, placeFlags = '' } = options
  const base = checkedBaseUrl(options.baseUrl, token !== undefined && !options.isTokenPublic)
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new AppError('auth', 'The token is empty or contains characters that no token has', {
      hints: ['check that it was copied whole and alone', `sign in again with: rma auth login${placeFlags}`],
    })
  }
  // One signal for all that ends requests: the caller's, and `close`.
  const ending = new AbortController()
  const { signal } = ending
  // Every request under way listens; Node.js takes more than ten for a leak.
  setMaxListeners(0, signal)
  if (options.signal?.aborted) ending.abort()
  options.signal?.addEventListener('abort', () => ending.abort(), { once: true })
  const { env, caFile } = options
  let opened: Promise<Line> | undefined

  const build = requestBuilder(options)
  const attemptOnce = async (request: HttpRequest, url: URL, attempt: number): Promise<AttemptResult> => {
    opened ??= openLine(openTransport({ target: base, env, caFile, timeoutMs }), { timeoutMs, signal })
    const line = await opened
    const { method, isRead: isReading, maxBytes = MAX_BYTES, named, onAnswer } = request
    const receiving = { maxBytes, onLongAnswer, named, onAnswer }
    const send = (target: URL, hop: number): Promise<AttemptOutcome> => {
      const sent = build(request, target, { attempt, startedAt: now(), hidesQuery: hop > 0 })
      return exchangeOnce(sent, { observers, now }, line.receive, receiving)
    }
    if (!(isRead(method) || isReading)) assertLocksOwned()
    // No write is sent on.
    const { answer, target } = isRead(method)
      ? await follow(url, send, (outcome, from, hop) =>
          hop < MAX_REDIRECTS ? redirectTarget(outcome, from) : undefined,
        )
      : { answer: await send(url, 0), target: url }
    const { via } = line.transport
    const hasToken = token !== undefined
    const context = {
      method,
      isReading,
      hasToken,
      placeFlags,
      attempts: attempt,
      timeoutMs,
      url: target,
      via,
    }
    return { outcome: answer, context }
  }

  let last: { path: string; url: URL } | undefined
  /** The same object for the same path, time after time: what is made of it further on need not be made again. */
  const urlOf = (asked: HttpRequest): URL => {
    if (asked.query !== undefined) return targetUrl(base, asked)
    if (last?.path !== asked.path) last = { path: asked.path, url: targetUrl(base, asked) }
    return last.url
  }

  const persistWith = <T>(
    asked: HttpRequest,
    judge: (result: AttemptResult) => JudgedAttempt<T> | Promise<JudgedAttempt<T>>,
    { before, noRepeat }: Pick<Write<T>, 'before' | 'noRepeat'> = {},
  ): Promise<T> => {
    const url = urlOf(asked)
    const told = onRetry && { method: asked.method, path: url.pathname }
    return persist(
      {
        retries,
        signal,
        noRepeat,
        now,
        random,
        sleep,
        method: effectOf(asked),
        onRetry: told && ((retry) => onRetry({ ...told, ...retry })),
      },
      async (attempt) => {
        await before?.()
        return attemptOnce(asked, url, attempt)
      },
      judge,
    )
  }

  const request = (asked: HttpRequest): Promise<HttpResponse> =>
    persistWith<HttpResponse>(asked, (result) =>
      isSuccess(result.outcome)
        ? { value: successOf(result) }
        : { giveUp: (reason) => successOf(result, reason) },
    )

  const probe = (asked: ProbeRequest): Promise<HttpResponse> =>
    persistWith<HttpResponse>(asked, (result) => {
      const { outcome } = result
      if (outcome.kind === 'network') return { giveUp: (reason) => successOf(result, reason) }
      if (outcome.status !== 429 && outcome.status !== 503) return { value: outcome }
      return { giveUp: () => outcome }
    })

  const write = <T>(asked: HttpRequest, { read, look, ...attempts }: Write<T>): Promise<T> => {
    const judge = async (result: AttemptResult): Promise<JudgedAttempt<T>> => {
      try {
        return { value: readSurely(result, read) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.kind !== 'unknown') return { giveUp: (reason) => read(successOf(result, reason)) }
        const seen = await look(error)
        if (seen !== undefined) return { value: seen }
        return {
          isUndone: true,
          giveUp: (reason) => Promise.reject(failureOf(result, reason) ?? failureIn(error)),
        }
      }
    }
    return persistWith(asked, judge, attempts)
  }

  const attempt = async <T>(
    asked: HttpRequest,
    read: (answer: HttpResponse) => T,
  ): Promise<T | FailedAttempt> => {
    const result = await attemptOnce(asked, urlOf(asked), 1)
    throwIfAborted(signal)
    const { outcome } = result
    try {
      return readSurely(result, read)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const isAnswer = outcome.kind === 'response'
      return {
        error,
        mayRepeat: mayRepeat(effectOf(asked), asOutcome(outcome)),
        isThrottled: isAnswer && outcome.status === 429,
        retryAfterMs: isAnswer ? parseRetryAfter(outcome.headers['retry-after'], now()) : undefined,
      }
    }
  }

  const close = () => {
    ending.abort()
    opened?.then((line) => line.transport.close()).catch(() => {})
  }
  return { baseUrl: base.href.replace(/\/$/, ''), placeFlags, request, write, attempt, probe, close }
}

function failureOf(result: AttemptResult, gaveUp: string | undefined): AppError | undefined {
  try {
    successOf(result, gaveUp)
  } catch (error) {
    if (error instanceof AppError) return failureIn(error)
    throw error
  }
  return undefined
}

/** Redirects are followed where nothing can leak or happen twice: reads, to the same origin. */
function redirectTarget(outcome: AttemptOutcome, from: URL): URL | undefined {
  if (outcome.kind !== 'response') return undefined
  const target = redirectIn(outcome, from)?.to
  return target?.origin === from.origin && !target.username && !target.password ? target : undefined
}
