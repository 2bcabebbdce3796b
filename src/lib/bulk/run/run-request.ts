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
  /** Reason not to send the row. */
  skip?: RowError
}

export interface RowError {
  code: string
  message: string
}

export type Attempt =
  | { kind: 'done'; notApplied?: NotApplied }
  /** `unclear`: a lookup must settle whether the request took effect. */
  | ({ kind: 'skipped' | 'failed' | 'rejected' | 'unclear' } & RowError)
  /** The request certainly had no effect and may be sent again. */
  | ({
      kind: 'again'
      /** The service is up and wants less traffic (429). */
      isThrottled: boolean
      retryAfterMs?: number
    } & RowError)
  /** No row can succeed (401, wrong settings). The request had no effect. */
  | { kind: 'stop'; error: AppError }

/** Result of a lookup. `again`: the next lookup may succeed. `open`: no lookup will tell. `stop`: all fail (401, certificate). */
export type Settled = 'happened' | 'not-happened' | 'open' | 'again' | { stop: AppError }

/** Monotonic clock in milliseconds. */
export interface BulkClock {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls back when all answers received so far are handled. */
  nextTurn(work: () => void): void
}

export type RunJournal = Pick<Journal, 'ledger' | 'failure' | 'intend' | 'withdraw' | 'end' | 'sync'>

export interface RunOptions {
  concurrency?: number
  /** Exact limit; lookups count. */
  ratePerSecond?: number
  /** Throttled attempts and those made while the service is out don't count. */
  maxAttempts: number
  /**
   * Failures after which the run stops; a percentage is judged from the hundredth row on. By default a run stops if
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
   * `onAnswer` lets another row go before the answer is verified to be this row's. Refusals are verified first: they
   * may end the job.
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
  /** The run waits when many promises are pending. */
  onRow?: (result: RowResult) => void | Promise<void>
}

/** Why a run ended early; its job can be resumed. */
export type RunStop =
  | { reason: 'interrupted' | 'failures' }
  | { reason: 'all-failed' }
  /** The service is out, or asks to wait longer than `OUTAGE_MS`. */
  | { reason: 'outage'; message: string }
  | { reason: 'error'; error: AppError }

export interface RunResult extends RowTotals {
  durationMs: number
  stop?: RunStop
}
