import type { AppError } from '../../errors.ts'
import type { NotApplied } from '../../wire/tracking/status-code.ts'
import type { RowTotals } from '../job/job-folder.ts'
import type { Journal } from '../job/journal.ts'
import type { RowStatus } from '../job/ledger.ts'

/** Rows of the same lane are sent in order, one at a time. */
export interface BulkRow<T> {
  row: number
  key: string
  lane?: string
  value: T
  skip?: RowError
}

export interface RowError {
  code: string
  message: string
}

export type Attempt =
  | { kind: 'done'; notApplied?: NotApplied }
  /** `unclear`: a look must settle whether it happened. */
  | ({ kind: 'skipped' | 'failed' | 'rejected' | 'unclear' } & RowError)
  /** Certain not to have happened; may be sent again. */
  | ({
      kind: 'again'
      /** The service is up and wants less traffic (429). */
      isThrottled: boolean
      retryAfterMs?: number
    } & RowError)
  /** No row can succeed (401, settings). The row did not happen. */
  | { kind: 'stop'; error: AppError }

/** `again`: another look may succeed. `open`: no look will tell. `stop`: every look fails (401, certificate). */
export type Settled = 'happened' | 'not-happened' | 'open' | 'again' | { stop: AppError }

/** Monotonic clock in milliseconds. */
export interface BulkClock {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls back when all answers that are there by now are taken. */
  nextTurn(work: () => void): void
}

export type RunJournal = Pick<Journal, 'ledger' | 'failure' | 'intend' | 'withdraw' | 'end' | 'sync'>

export interface RunOptions {
  concurrency?: number
  /** Exact; includes looks. */
  ratePerSecond?: number
  /** Throttled attempts and those made while the service is out don't count. */
  maxAttempts: number
  /**
   * Failures after which the run stops; a percentage is judged from the hundredth row on. Without it a run stops where
   * none of the job's first 200 rows has succeeded.
   */
  maxFailures?: number | { percent: number }
  total: number
}

export interface RowResult {
  row: number
  key: string
  status: RowStatus
  attempts: number
  /** False if the row succeeded and changed nothing, for the `reason`. */
  applied?: false
  reason?: NotApplied
  error?: RowError
}

export interface BulkProgress {
  done: number
  succeeded: number
  failed: number
  unknown: number
  skipped: number
  total: number
  rate: number
  etaMs: number | undefined
  concurrency: number
  state: 'running' | 'paused' | 'draining'
  reason: string | undefined
  /** End of a pause, by the run's clock. */
  until: number | undefined
}

export interface RunRequest<T> {
  rows: AsyncIterable<readonly BulkRow<T>[]>
  /**
   * `onAnswer` lets another row go before the answer is proven to be this row's. Refusals are proven first: they may
   * end the job.
   */
  send(row: BulkRow<T>, signal: AbortSignal, onAnswer: () => void): Promise<Attempt>
  settle(row: BulkRow<T>, signal: AbortSignal): Promise<Settled>
  journal: RunJournal
  options: RunOptions
  clock: BulkClock
  random: () => number
  drain?: AbortSignal
  abort?: AbortSignal
  onProgress?: (progress: BulkProgress) => void
  /** A promise holds the run back when many are open. */
  onRow?: (result: RowResult) => void | Promise<void>
}

/** All such jobs can be resumed. */
export type RunStop =
  | { reason: 'interrupted' | 'failures' }
  | { reason: 'all-failed' }
  /** The service is out, or asks to wait longer than the run may. */
  | { reason: 'outage'; message: string }
  | { reason: 'error'; error: AppError }

export interface RunResult extends RowTotals {
  durationMs: number
  stop?: RunStop
}
