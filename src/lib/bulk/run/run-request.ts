import type { AppError } from '../../errors.ts'
import type { NotApplied } from '../../wire/tracking/status-code.ts'
import type { RowTotals } from '../job/job-file.ts'
import type { Journal } from '../job/journal.ts'
import type { RowStatus } from '../job/ledger.ts'

/** One row of a job. Rows of the same lane are sent in order, one at a time. */
export interface BulkRow<T> {
  /** Number for people, as in the input. */
  row: number
  /** Name in messages; the lane unless that is given. */
  key: string
  lane?: string | undefined
  value: T
  /** Reason for not sending the row at all. */
  skip?: RowError | undefined
}

export interface RowError {
  code: string
  message: string
}

/** Result of one attempt at one row. */
export type Attempt =
  | { kind: 'done'; notApplied?: NotApplied | undefined }
  /** Decided without the platform; such a failure stops no job. */
  | ({ kind: 'skipped' | 'failed' } & RowError)
  /** Refused for good: another attempt would be refused too. */
  | ({ kind: 'rejected' } & RowError)
  /** It certainly did not happen, and may be sent again. */
  | ({
      kind: 'again'
      /** The service is up and wants less traffic (429). */
      isThrottled: boolean
      retryAfterMs?: number | undefined
    } & RowError)
  /** It may have happened: a look must settle it. */
  | ({ kind: 'unclear' } & RowError)
  /** No row can succeed (401, settings): ends the job. The row did not happen. */
  | { kind: 'stop'; error: AppError }

/** Result of a look. `again`: another may succeed. `open`: no look will tell. `stop`: every look fails (401, certificate). */
export type Settled = 'happened' | 'not-happened' | 'open' | 'again' | { stop: AppError }

/** Milliseconds, of any beginning. */
export interface BulkClock {
  now(): number
  /** Returns early, without an error, once the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls back when all answers that are there by now are taken. */
  nextTurn(work: () => void): void
}

/** Part of a journal that a run needs. */
export type RunJournal = Pick<Journal, 'ledger' | 'failure' | 'intend' | 'withdraw' | 'end' | 'sync'>

export interface RunOptions {
  /** Most requests at once; default 8. */
  concurrency?: number | undefined
  /** Most requests a second, looks included; exact. */
  ratePerSecond?: number | undefined
  /** Attempts for each row, without throttled ones and those made while the service is out. Default 4. */
  maxAttempts?: number | undefined
  /**
   * The run stops when more of its rows fail; a percentage is judged from the hundredth row on. Without it a run stops
   * where all of the job's first 200 rows have failed.
   */
  maxFailures?: number | { percent: number } | undefined
  total: number
  /** Time without any success after which the run stops; default five minutes. */
  outageMs?: number | undefined
  /** Longest wait for the answers under way, once the run drains; default one minute. */
  drainMs?: number | undefined
}

export interface RowReport {
  row: number
  key: string
  status: RowStatus
  attempts: number
  /** False if the row succeeded and changed nothing, for the `reason`; absent otherwise. */
  applied?: false | undefined
  reason?: NotApplied | undefined
  error?: RowError | undefined
}

export interface BulkProgress {
  done: number
  succeeded: number
  failed: number
  unknown: number
  skipped: number
  total: number
  /** Rows a second, lately. */
  rate: number
  etaMs: number | undefined
  /** Requests that may be under way at once at present. */
  concurrency: number
  state: 'running' | 'paused' | 'draining'
  reason: string | undefined
  /** End of a pause, by the run's clock. */
  until: number | undefined
}

export interface RunRequest<T> {
  /** All rows of the job in order, those that have ended before included. */
  rows: AsyncIterable<readonly BulkRow<T>[]>
  /** `onAnswer` lets another row go before the answer is proven to be this row's. Refusals are proven first: they may end the job. */
  send(row: BulkRow<T>, signal: AbortSignal, onAnswer: () => void): Promise<Attempt>
  settle(row: BulkRow<T>, signal: AbortSignal): Promise<Settled>
  journal: RunJournal
  options: RunOptions
  clock: BulkClock
  /** Returns a number from 0 to below 1. */
  random: () => number
  /** No more rows are begun; those under way are waited for. */
  drain?: AbortSignal | undefined
  /** Ends at once; rows under way stay intents in the journal. */
  abort?: AbortSignal | undefined
  onProgress?: ((progress: BulkProgress) => void) | undefined
  /** A promise holds the run back when many are open. */
  onRow?: ((report: RowReport) => void | Promise<void>) | undefined
}

/** Why a run ended before its rows did. All can be resumed. */
export type RunStop =
  | { reason: 'interrupted' }
  | { reason: 'failures' }
  /** No row of the job has succeeded: the file, or its destination, may be the wrong one. */
  | { reason: 'all-failed' }
  /** The service is out, or asks to wait longer than the run may. */
  | { reason: 'outage'; message: string }
  /** No row can succeed, or the journal can't be written. */
  | { reason: 'error'; error: AppError }

/** Counts of the whole job, by each row's latest outcome. */
export interface RunResult extends RowTotals {
  durationMs: number
  stop?: RunStop | undefined
}
