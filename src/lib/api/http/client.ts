import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { stringifyJson } from '../../wire/json.ts'
import { requestIdOf } from './error-details.ts'
import {
  type AnswerFailure,
  errorFrom,
  errorInSuccess,
  type FailureContext,
  failureIn,
  ofEffect,
} from './error-map.ts'
import type { ExchangeObserver, Method, SentRequest } from './exchange.ts'
import type { NetworkFailure } from './network-failure.ts'
import { checkedBaseUrl } from './origin-guard.ts'
import type { ProxyEnv } from './proxy.ts'
import { decideRetry, isRead, mayRepeat, type Outcome, parseRetryAfter } from './retry-policy.ts'
import { exchangeOnce, type Line, openLine } from './send-once.ts'
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
  /** Where the proxies and `NODE_EXTRA_CA_CERTS` are read from; leave the proxies out for a server of our own. */
  env: ProxyEnv
  observers?: readonly ExchangeObserver[]
  onRetry?: (info: RetryInfo) => void
  random?: () => number
  /** Rejects when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends all requests, under way or to come, as interrupted. */
  signal?: AbortSignal | undefined
  /** Milliseconds since the epoch. */
  now?: () => number
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface HttpRequest {
  method: Method
  /** Relative to the base URL, from a slash on, its parameters encoded. */
  path: string
  /** `undefined` values are left out. */
  query?: Query | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Changes nothing whatever the method is (a POST that computes), so that it is sent again as a GET would be. */
  isRead?: boolean | undefined
  /** Of the answer's body after decompression, at most; else 64 MiB. */
  maxBytes?: number | undefined
}

/** A write whose effect can be seen. */
export interface Write<T> {
  /** What an answer of 2xx says. @throws AppError `contract` */
  read(answer: HttpResponse): T
  /**
   * What the service shows of a write that may have happened; undefined: it did not happen.
   *
   * @throws AppError `unknown` if that can't be told
   */
  look(error: AppError): Promise<T | undefined>
}

/** A request that shows what the platform does with it. */
export interface ProbeRequest extends HttpRequest {
  /** The `Authorization` header in place of the usual one, made of the token; undefined: none. */
  authorization?: ((token: string) => string | undefined) | undefined
}

/** An answer of 2xx, or of any status to a probe. */
export interface HttpResponse {
  status: number
  /** Lower-case names; several values joined by commas. */
  headers: Readonly<Record<string, string>>
  /** The JSON value, numbers exact; `undefined` for an empty body. */
  body: unknown
  text: string
  requestId: string | undefined
}

/** An attempt that brought no readable answer of 2xx, and what may be done now. */
export interface FailedAttempt {
  /** `unknown` for a write that may have happened. */
  error: AppError
  /** Sending it again may help, and does no harm: it certainly had no effect, or never has one. */
  mayRepeat: boolean
  /** Refused by a rate limit. */
  isThrottled: boolean
  /** What the service asks to wait. */
  retryAfterMs: number | undefined
}

export interface Http {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** @throws AppError for everything that is not a readable answer of 2xx. */
  request(request: HttpRequest): Promise<HttpResponse>
  /** A write, sent again only if it certainly did not happen, or `look` shows that it did not. @throws AppError */
  write<T>(request: HttpRequest, write: Write<T>): Promise<T>
  /**
   * One attempt, for those who decide themselves what to do next; `read` as of a `Write`.
   *
   * @throws AppError `interrupted`, `config`
   */
  attempt<T>(request: HttpRequest, read: (answer: HttpResponse) => T): Promise<T | FailedAttempt>
  /** The answer as it is, whatever its status. Only 429, of reads 503, and network failures are tried again. @throws AppError */
  probe(request: ProbeRequest): Promise<HttpResponse>
  /** Ends what is under way and drops kept-alive connections, so that the process can end. */
  close(): void
}

const MAX_REDIRECTS = 5
const MAX_BYTES = 64 * 2 ** 20

/**
 * The one way to the service. Each attempt is a call of its own instead of got's retries and redirects, so that
 * each is decided by our policy and shown to the observers.
 * @throws AppError `config` for a base URL to which the token must not go, `auth` for a token that can't be sent.
 */
export function createHttp(options: HttpOptions): Http {
  const { token, timeoutMs, retries, onRetry } = options
  const { random = Math.random, now = Date.now, sleep = pause } = options
  const base = checkedBaseUrl(options.baseUrl, token !== undefined && !options.isTokenPublic)
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new AppError('auth', 'The token is empty or contains characters that no token has', {
      hints: ['Check that it was copied whole and alone', 'Sign in again with: rma auth login'],
    })
  }
  // One signal for all that ends requests: the caller's, and `close`.
  const ending = new AbortController()
  const { signal } = ending
  // Every request under way listens; Node.js takes more than ten for a leak.
  setMaxListeners(0, signal)
  if (options.signal?.aborted) ending.abort()
  options.signal?.addEventListener('abort', () => ending.abort(), { once: true })
  let opened: Promise<Line> | undefined
  let line: Line | undefined

  const open = async (): Promise<Line> => {
    const { env, caFile } = options
    // Loading got takes longer than a request to loopback; many invocations never make one.
    const loading = import('got')
    const transport = await openTransport({ target: base, env, caFile, timeoutMs })
    line = openLine(await loading, transport, { timeoutMs, signal })
    return line
  }

  const attemptOnce = async (request: HttpRequest, url: URL, attempt: number): Promise<Result> => {
    opened ??= open()
    const used = await opened
    const { method, isRead: isReading } = request
    const context = { method, isReading, hasToken: token !== undefined, attempts: attempt, timeoutMs }
    let target = url
    for (let hop = 0; ; hop += 1) {
      const sent = { ...buildRequest(request, target, attempt, options, now()), hidesQuery: hop > 0 }
      for (const observer of options.observers ?? []) observer.started?.(sent)
      const { outcome, exchange } = await exchangeOnce(used, sent, request.maxBytes ?? MAX_BYTES, now)
      for (const observer of options.observers ?? []) observer.finished?.(exchange)
      const next = hop < MAX_REDIRECTS ? redirectTarget(outcome, request.method, target) : undefined
      if (!next) return { outcome, context: { ...context, url: target, via: used.transport.via } }
      target = next
    }
  }

  let last: { path: string; url: URL } | undefined
  /** The same object for the same path, time after time: what is made of it further on need not be made again. */
  const urlOf = (asked: HttpRequest): URL => {
    if (asked.query !== undefined) return targetUrl(base, asked)
    if (last?.path !== asked.path) last = { path: asked.path, url: targetUrl(base, asked) }
    return last.url
  }

  /** As many attempts as the policy allows, until `judge` has a value of one. */
  const persist = async <T>(
    asked: HttpRequest,
    judge: (result: Result) => Judged<T> | Promise<Judged<T>>,
  ): Promise<T> => {
    const url = urlOf(asked)
    for (let attempt = 1; ; attempt += 1) {
      throwIfAborted(signal)
      const result = await attemptOnce(asked, url, attempt)
      throwIfAborted(signal)
      const judged = await judge(result)
      if ('value' in judged) return judged.value
      const { method } = asked
      const decision = decideRetry({
        method: effectOf(asked),
        attempt,
        retries,
        outcome: asOutcome(result.outcome),
        isUndone: judged.isUndone,
        now: now(),
        random,
      })
      if (!decision.retry) return judged.giveUp(decision.reason)
      onRetry?.({ method, path: url.pathname, attempt, delayMs: decision.delayMs, reason: decision.reason })
      await sleep(decision.delayMs, signal).catch(() => throwIfAborted(signal))
    }
  }

  const request = (asked: HttpRequest): Promise<HttpResponse> =>
    persist<HttpResponse>(asked, (result) =>
      isSuccess(result.outcome)
        ? { value: successOf(result) }
        : { giveUp: (reason) => successOf(result, reason) },
    )

  const probe = (asked: ProbeRequest): Promise<HttpResponse> =>
    persist<HttpResponse>(asked, (result) => {
      const { outcome } = result
      if (outcome.kind === 'network') return { giveUp: (reason) => successOf(result, reason) }
      if (outcome.status !== 429 && outcome.status !== 503) return { value: responseOf(outcome) }
      return { giveUp: () => responseOf(outcome) }
    })

  const write = <T>(asked: HttpRequest, { read, look }: Write<T>): Promise<T> =>
    persist<T>(asked, async (result) => {
      try {
        return { value: readSurely(result, read) }
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.kind !== 'unknown') return { giveUp: (reason) => read(successOf(result, reason)) }
        const seen = await look(error)
        if (seen !== undefined) return { value: seen }
        return { isUndone: true, giveUp: () => Promise.reject(failureIn(error)) }
      }
    })

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
    line?.transport.close()
  }
  return { baseUrl: base.href.replace(/\/$/, ''), request, write, attempt, probe, close }
}

interface Result {
  outcome: AnswerFailure | NetworkFailure
  context: FailureContext
}

/** What is to be made of an attempt: its value, or what follows when it is not made again. */
type Judged<T> =
  | { value: T }
  | {
      /** A look has shown that it had no effect. */
      isUndone?: boolean
      /** `reason` is why it is not, if it might have been. */
      giveUp(reason: string | undefined): T | Promise<T>
    }

/** @throws AppError for everything that is not a readable answer of 2xx */
function successOf({ outcome, context }: Result, gaveUp?: string): HttpResponse {
  if (!isSuccess(outcome)) throw errorFrom(outcome, { ...context, gaveUp })
  const error = errorInSuccess(outcome, context)
  if (error) throw error
  return responseOf(outcome)
}

/** What `read` makes of the answer to a write. @throws AppError `unknown` if it is of another shape */
function readSurely<T>(result: Result, read: (answer: HttpResponse) => T): T {
  const answer = successOf(result)
  try {
    return read(answer)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'contract') throw error
    throw ofEffect(error, result.context)
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('interrupted', 'Interrupted')
}

/** Joined as text: a path such as `//elsewhere` must not turn into another host. */
function targetUrl(base: URL, { path, query = {} }: HttpRequest): URL {
  const url = new URL(base)
  const [pathname = '', search = ''] = path.split('?', 2)
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${pathname.replace(/^\/+/, '')}`
  url.search = search
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.append(name, String(value))
  }
  return url
}

function buildRequest(
  request: ProbeRequest,
  url: URL,
  attempt: number,
  { token, userAgent }: HttpOptions,
  startedAt: number,
): SentRequest {
  const body = request.body === undefined ? undefined : stringifyJson(request.body)
  const bearer = token === undefined ? undefined : `Bearer ${token}`
  const authorization = request.authorization ? request.authorization(token ?? '') : bearer
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': userAgent,
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return { method: request.method, url, headers, body, attempt, startedAt }
}

/** The method whose effects the request has. */
function effectOf({ method, isRead: isReading }: HttpRequest): string {
  return isReading ? 'GET' : method
}

/** Redirects are followed where nothing can leak or happen twice: reads, to the same origin. */
function redirectTarget(outcome: AnswerFailure | NetworkFailure, method: string, from: URL): URL | undefined {
  if (outcome.kind !== 'response' || !isRead(method)) return undefined
  const { location } = outcome.headers
  if (![301, 302, 303, 307, 308].includes(outcome.status) || location === undefined) return undefined
  if (!URL.canParse(location, from.href)) return undefined
  const target = new URL(location, from)
  return target.origin === from.origin && !target.username && !target.password ? target : undefined
}

function asOutcome(outcome: AnswerFailure | NetworkFailure): Outcome {
  if (outcome.kind === 'network') return outcome
  const { status, headers } = outcome
  return { kind: 'response', status, retryAfter: headers['retry-after'] }
}

function isSuccess(outcome: AnswerFailure | NetworkFailure): outcome is AnswerFailure {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300
}

function responseOf({ status, headers, body, text }: AnswerFailure): HttpResponse {
  return { status, headers, body, text, requestId: requestIdOf(headers, body) }
}
