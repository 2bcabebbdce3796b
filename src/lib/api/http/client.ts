import { setMaxListeners } from 'node:events'
import { type AppError, assertNotInterrupted, isFailure, rethrowBug } from '../../errors.ts'
import { assertLocksOwned } from '../../files/lock.ts'
import { stringifyJson } from '../../wire/json.ts'
import {
  type Connections,
  exchangeOnce,
  follow,
  MAX_REDIRECTS,
  openConnections,
  redirectIn,
} from './connections.ts'
import { type AttemptResult, errorFrom, failureIn, type HttpResponse, readSuccess } from './error-map.ts'
import { checkedBaseUrl } from './origin-guard.ts'
import type { ProxyEnv } from './proxy.ts'
import {
  type ExchangeObserver,
  effectiveMethod,
  type HttpRequest,
  headersOf,
  type ProbeRequest,
  targetUrls,
} from './request.ts'
import {
  excessiveWait,
  type FailedAttempt,
  failedAttempt,
  isRead,
  type Judged,
  withRetries,
} from './retry-policy.ts'
import { openTransport } from './transport.ts'

interface RetryInfo {
  method: string
  path: string
  /** Counts from 1. */
  attempt: number
  delayMs: number
  reason: string
}

export interface HttpOptions {
  baseUrl: string
  /** Checked by `readToken`. */
  token?: string
  /** True if the token may cross a network unencrypted. */
  isTokenPublic?: boolean
  /** Limit of each attempt, to the last byte. */
  timeoutMs: number
  retries: number
  caFile?: string
  userAgent: string
  targetFlags?: string
  /** Variable or flag with the token; undefined for the profile's. */
  tokenSource?: string
  /** Source of proxies and `NODE_EXTRA_CA_CERTS`. */
  env: ProxyEnv
  observers?: readonly ExchangeObserver[]
  onRetry?: (info: RetryInfo) => void
  /** Called before a long answer fills the heap. */
  onLongAnswer?: () => void
  random?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends all requests as interrupted. */
  signal?: AbortSignal
  now?: () => number
}

interface Write<T> {
  /** Reads a 2xx answer. @throws AppError `contract` */
  read(answer: HttpResponse): T
  /** Looks up whether the write happened. @throws AppError `unknown` if that can't be told */
  lookUp?(error: AppError): Promise<T | undefined>
  /** Called before each attempt, counted from 1; a throw prevents it. */
  before?: (attempt: number) => Promise<unknown>
  noRepeat?: AbortSignal
}

export type Http = ReturnType<typeof createHttp>

const MAX_BYTES = 64 * 2 ** 20

/** @throws AppError `config` for a token that would cross a network unencrypted */
export function createHttp(options: HttpOptions) {
  const { token, retries, onRetry, random, sleep } = options
  const { now = Date.now, targetFlags = '' } = options
  const base = checkedBaseUrl(options.baseUrl, token !== undefined && !options.isTokenPublic)
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, ...(options.signal ? [options.signal] : [])])
  // Node.js warns of a leak from eleven listeners on.
  setMaxListeners(0, signal)
  const { attemptOnce, disconnect } = openAttempts(options, base, signal)
  const urlOf = targetUrls(base)
  const throttle = { until: 0 }

  const attemptWithRetries = <T>(
    request: ProbeRequest,
    judge: (result: AttemptResult) => Judged<T> | Promise<Judged<T>>,
    { before, noRepeat }: Pick<Write<T>, 'before' | 'noRepeat'> = {},
  ): Promise<T> => {
    const url = urlOf(request)
    const info = { method: request.method, path: url.pathname }
    const method = effectiveMethod(request)
    return withRetries(
      {
        ...{ retries, signal, noRepeat, now, random, sleep },
        method,
        // A write must follow its lookup without a wait.
        throttle: isRead(method) ? throttle : undefined,
        onRetry: (retry) => onRetry?.({ ...info, ...retry }),
      },
      async (attempt) => {
        await before?.(attempt)
        return judge(await attemptOnce(request, url, attempt))
      },
    )
  }

  /** Repeats a write only if it certainly did not happen. @throws AppError */
  const write = async <T>(request: HttpRequest, { read, lookUp, ...attempts }: Write<T>): Promise<T> => {
    /** Failures after which a lookup found no effect. */
    const doubts: AppError[] = []
    try {
      return await attemptWithRetries<T>(
        request,
        async (result) => {
          try {
            return { value: readSuccess(result, read) }
          } catch (error) {
            rethrowBug(error)
            const { outcome } = result
            if (error.kind !== 'unknown' || lookUp === undefined)
              return { outcome, giveUp: () => Promise.reject(error) }
            const seen = await lookUp(error)
            if (seen !== undefined) return { value: seen }
            doubts.push(error)
            return { outcome, isUndone: true, giveUp: () => Promise.reject(failureIn(error)) }
          }
        },
        attempts,
      )
    } catch (error) {
      const doubt = doubts.at(-1)
      const isOther = isFailure(error) && error.kind !== 'unknown' && doubt && error !== failureIn(doubt)
      // A later attempt may fail because an earlier one took effect after its lookup.
      const seen = isOther ? await lookUp?.(doubt) : undefined
      if (seen === undefined) throw error
      return seen
    }
  }

  /** @throws AppError for all but a readable 2xx answer */
  const send = (request: HttpRequest): Promise<HttpResponse> => write(request, { read: (answer) => answer })

  /** Returns the answer of any status. Repeats after 429, 503 for reads, and network failures. @throws AppError */
  const probe = (request: ProbeRequest): Promise<HttpResponse> =>
    attemptWithRetries<HttpResponse>(request, ({ outcome, context }) => {
      if (outcome.kind === 'network')
        return { outcome, giveUp: () => Promise.reject(errorFrom(outcome, context)) }
      const isPassing = outcome.status === 429 || outcome.status === 503
      return isPassing ? { outcome, giveUp: () => outcome } : { value: outcome }
    })

  /** @throws AppError `interrupted`, `config` */
  const attempt = async <T>(
    request: HttpRequest,
    read: (answer: HttpResponse) => T,
  ): Promise<T | FailedAttempt> => {
    const result = await attemptOnce(request, urlOf(request), 1)
    try {
      return readSuccess(result, read)
    } catch (error) {
      rethrowBug(error)
      return failedAttempt(error, effectiveMethod(request), result.outcome, now())
    }
  }

  /** Ends requests and drops connections, so that the process can end. */
  const close = () => {
    ending.abort()
    disconnect()
  }
  return { baseUrl: base.href.replace(/\/$/, ''), targetFlags, request: send, write, attempt, probe, close }
}

function openAttempts(options: HttpOptions, base: URL, signal: AbortSignal) {
  const {
    token,
    env,
    caFile,
    timeoutMs,
    onLongAnswer,
    observers,
    now = Date.now,
    targetFlags = '',
    tokenSource,
  } = options
  const headersFor = headersOf(options)
  let opened: Promise<Connections> | undefined
  const attemptOnce = async (request: ProbeRequest, url: URL, attempt: number): Promise<AttemptResult> => {
    opened ??= openConnections(openTransport({ target: base, env, caFile, timeoutMs }), { timeoutMs, signal })
    const connections = await opened
    const { method, isRead: isReading, maxBytes = MAX_BYTES, ownerOf, onAnswer } = request
    const receiving = { maxBytes, onLongAnswer, ownerOf, onAnswer }
    const send = (target: URL, hop: number): Promise<AttemptResult['outcome']> => {
      const body = request.body === undefined ? undefined : stringifyJson(request.body)
      const headers = headersFor(request)
      const sent = { method, url: target, headers, body, attempt, startedAt: now(), hidesQuery: hop > 0 }
      return exchangeOnce(sent, { observers, now }, () => connections.receive(sent, receiving))
    }
    if (!(isRead(method) || isReading)) assertLocksOwned()
    // Redirects of writes are not followed.
    const { answer: outcome, target } = await follow(url, send, (outcome, from, hop) =>
      isRead(method) && hop < MAX_REDIRECTS ? redirectTarget(outcome, from) : undefined,
    )
    assertNotInterrupted(signal)
    const { via } = connections.transport
    const isRefused = outcome.kind === 'response' && outcome.status >= 400
    const gaveUp = isRefused ? excessiveWait(outcome.headers['retry-after'], now()) : undefined
    const hasToken = token !== undefined
    const info = {
      method,
      isReading,
      hasToken,
      tokenSource,
      targetFlags,
      timeoutMs,
      url: target,
      via,
      gaveUp,
    }
    return { outcome, context: { ...info, attempts: attempt } }
  }
  const disconnect = () => void opened?.then((connections) => connections.transport.close()).catch(() => {})
  return { attemptOnce, disconnect }
}

/** Follows redirects to the same origin only: others could leak the token. */
function redirectTarget(outcome: AttemptResult['outcome'], from: URL) {
  if (outcome.kind !== 'response') return undefined
  const target = redirectIn(outcome, from)?.to
  return target?.origin === from.origin && !target.username && !target.password ? target : undefined
}
