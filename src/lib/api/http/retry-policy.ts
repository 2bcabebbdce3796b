import { setTimeout as delay } from 'node:timers/promises'
import { type AppError, assertNotInterrupted } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { isCertainlyUndone, isCertificateCode, isRefusal, type NetworkFailure } from './network-failure.ts'

export type Outcome =
  | { kind: 'response'; status: number; headers: Readonly<Record<string, string>> }
  | Omit<NetworkFailure, 'cause'>

interface RetryQuestion {
  method: string
  attempt: number
  retries: number
  outcome: Outcome
  isUndone?: boolean
  now: number
  random: () => number
}

const BACK_OFF_BASE_MS = 500
const BACK_OFF_CAP_MS = 20_000
/** Longest wait without asking a person. */
const MAX_RETRY_AFTER_MS = 5 * 60_000
/** Spreads clients whose `Retry-After` ends in the same second. */
const RETRY_AFTER_SPREAD_MS = 250

/** Codes of permanent failures: TLS, a proxy that refuses. */
const FINAL_CODE = /^(ERR_TLS_|ERR_SSL_|EPROTO|PROXY_4)/
/** Codes of unreadable answers: not HTTP, badly compressed, too large. */
const UNREADABLE_CODE = /^(HPE_|Z_DATA_|Z_NEED_|Z_STREAM_|ERR__|ZSTD_|ERR_ANSWER_)/

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/**
 * Repeats reads after network failures, 408, 429, 5xx; writes only if certainly without effect. Returns undefined for no
 * retry.
 */
export function decideRetry(question: RetryQuestion) {
  const { method, attempt, retries, outcome, isUndone, now, random } = question
  if (attempt > retries || !(isUndone || mayRepeat(method, outcome))) return undefined
  const reason = outcome.kind === 'response' ? `HTTP ${outcome.status}` : outcome.words
  const retryAfterMs =
    outcome.kind === 'response' ? parseRetryAfter(outcome.headers['retry-after'], now) : undefined
  if (retryAfterMs === undefined) return { delayMs: backOff(attempt, random), reason }
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return undefined
  return { delayMs: retryAfterMs + random() * RETRY_AFTER_SPREAD_MS, reason }
}

function mayRepeat(method: string, outcome: Outcome) {
  return isTransient(outcome) && (isRead(method) || isUndone(outcome))
}

export function mayHaveHappened(outcome: Outcome) {
  return !isUndone(outcome) && !(outcome.kind === 'response' && isRefusal(outcome.status))
}

export function isUnreadable(code: string) {
  return UNREADABLE_CODE.test(code)
}

export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), 10_000_000) * 1000
  // Date.parse takes almost anything ("-5" is a year).
  const date = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

export function excessiveWait(header: string | undefined, now: number): string | undefined {
  const retryAfterMs = parseRetryAfter(header, now) ?? 0
  if (retryAfterMs <= MAX_RETRY_AFTER_MS) return undefined
  return `the service asks to wait ${counted(Math.ceil(retryAfterMs / 60_000), 'minute')}`
}

/** "Full jitter" spreads a crowd better than a fixed delay. */
function backOff(attempt: number, random: () => number) {
  return random() * Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** (attempt - 1))
}

function isTransient(outcome: Outcome) {
  if (outcome.kind === 'network') {
    const { code } = outcome
    return !(FINAL_CODE.test(code) || isCertificateCode(code) || isUnreadable(code))
  }
  const { status } = outcome
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505)
}

function isUndone(outcome: Outcome) {
  if (outcome.kind === 'network') return outcome.phase === 'before-send'
  return isCertainlyUndone({ status: outcome.status, code: '', message: '', syscalls: [], isTls: false })
}

export type Judged<T> =
  | { value: T }
  | {
      outcome: Outcome
      isUndone?: boolean
      giveUp(): T | Promise<T>
    }

interface RetryOptions {
  method: string
  retries: number
  signal: AbortSignal
  noRepeat?: AbortSignal
  /** Shared by a client's reads: a wait for one holds all back, or new ones would take its turn. */
  throttle?: { until: number }
  now: () => number
  random?: () => number
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  onRetry?: (retry: { attempt: number; delayMs: number; reason: string }) => void
}

/** @throws AppError `interrupted`, and what `giveUp` throws */
export async function withRetries<T>(
  {
    method,
    retries,
    signal,
    noRepeat,
    throttle = { until: 0 },
    now,
    random = Math.random,
    sleep = (ms, signal) => delay(ms, undefined, { signal }),
    onRetry,
  }: RetryOptions,
  attemptOnce: (attempt: number) => Promise<Judged<T>>,
): Promise<T> {
  const stop = noRepeat ? AbortSignal.any([signal, noRepeat]) : signal
  const wait = (ms: number) => sleep(ms, stop).catch(() => assertNotInterrupted(signal))
  if (throttle.until > now()) await wait(throttle.until - now())
  for (let attempt = 1; ; attempt += 1) {
    assertNotInterrupted(signal)
    const judged = await attemptOnce(attempt)
    if ('value' in judged) return judged.value
    const { outcome, isUndone, giveUp } = judged
    const decision = decideRetry({ method, attempt, retries, outcome, isUndone, now: now(), random })
    if (!decision || noRepeat?.aborted) return giveUp()
    if (outcome.kind === 'response' && outcome.status === 429)
      throttle.until = Math.max(throttle.until, now() + decision.delayMs)
    const delayMs = Math.max(decision.delayMs, throttle.until - now())
    onRetry?.({ attempt, ...decision, delayMs })
    await wait(delayMs)
    if (noRepeat?.aborted) return giveUp()
  }
}

/** Attempt without a readable 2xx answer. */
export type FailedAttempt = ReturnType<typeof failedAttempt>

/** @param error `unknown` for a write that may have happened */
export function failedAttempt(error: AppError, method: string, outcome: Outcome, now: number) {
  const isAnswer = outcome.kind === 'response'
  return {
    error,
    mayRepeat: mayRepeat(method, outcome),
    isThrottled: isAnswer && outcome.status === 429,
    retryAfterMs: isAnswer ? parseRetryAfter(outcome.headers['retry-after'], now) : undefined,
  }
}
