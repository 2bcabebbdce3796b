import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { NetworkFailure } from './network-failure.ts'
import { decideRetry, type Outcome } from './retry-policy.ts'

export type JudgedAttempt<T> =
  | { value: T }
  | {
      /** A look has shown that it had no effect. */
      isUndone?: boolean
      /** `reason` is why it is not, if it might have been. */
      giveUp(reason: string | undefined): T | Promise<T>
    }

interface Persistence {
  /** That has the effects which the request has. */
  method: string
  /** How many more attempts than the first. */
  retries: number
  signal: AbortSignal
  /** Ends repeats, and lets the attempt under way end. */
  noRepeat?: AbortSignal | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  random?: (() => number) | undefined
  /** Rejects when the signal aborts. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  onRetry?: ((retry: { attempt: number; delayMs: number; reason: string }) => void) | undefined
}

type Answered = { kind: 'response'; status: number; headers: Readonly<Record<string, string>> }

/** Attempts until `judge` returns a value or the policy allows no more. @throws AppError `interrupted` */
export async function persist<R extends { outcome: Answered | NetworkFailure }, T>(
  { method, retries, signal, noRepeat, now, random = Math.random, sleep = pause, onRetry }: Persistence,
  attemptOnce: (attempt: number) => Promise<R>,
  judge: (result: R) => JudgedAttempt<T> | Promise<JudgedAttempt<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    throwIfAborted(signal)
    const result = await attemptOnce(attempt)
    throwIfAborted(signal)
    const judged = await judge(result)
    if ('value' in judged) return judged.value
    const { isUndone } = judged
    const outcome = asOutcome(result.outcome)
    const decision = decideRetry({ method, attempt, retries, outcome, isUndone, now: now(), random })
    if (!decision.retry || noRepeat?.aborted) return judged.giveUp(decision.reason)
    const { delayMs, reason } = decision
    onRetry?.({ attempt, delayMs, reason })
    const stop = noRepeat ? AbortSignal.any([signal, noRepeat]) : signal
    await sleep(delayMs, stop).catch(() => throwIfAborted(signal))
    if (noRepeat?.aborted) return judged.giveUp(undefined)
  }
}

export function asOutcome(outcome: Answered | NetworkFailure): Outcome {
  if (outcome.kind === 'network') return outcome
  const { kind, status, headers } = outcome
  return { kind, status, retryAfter: headers['retry-after'] }
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('interrupted', 'Interrupted.')
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}
