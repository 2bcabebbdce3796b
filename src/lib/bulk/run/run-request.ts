import type { AppError } from '../../errors.ts'
import type { NotApplied } from '../../wire/tracking/status-code.ts'
import type { RowTotals } from '../job/job-file.ts'
import type { RowOutcome } from '../job/journal.ts'
import type { Ledger, RowStatus } from '../job/ledger.ts'
import type { Attempt, BulkClock, BulkRow, Settled } from './bulk-row.ts'
import type { BulkProgress } from './progress.ts'

/** The part of a journal that a run needs. */
export interface RunJournal {
  readonly ledger: Ledger
  /** Why it can't be written any more. */
  readonly failure: AppError | undefined
  intend(ordinals: readonly number[]): Promise<void>
  withdraw(ordinals: readonly number[]): void
  end(ordinal: number, outcome: RowOutcome): void
  sync(): Promise<void>
}

export interface RunOptions {
  /** At once, at most; default 8. */
  concurrency?: number | undefined
  /** Requests a second, looks included, at most and exactly. */
  ratePerSecond?: number | undefined
  /** Attempts for each row; throttled ones don't count, nor those made while the service is out. Default 4. */
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
  /** False if it succeeded and changed nothing, for the `reason`; not there otherwise. */
  applied?: false | undefined
  reason?: NotApplied | undefined
  error?: { code: string; message: string } | undefined
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
