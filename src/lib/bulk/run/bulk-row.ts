import type { AppError } from '../../errors.ts'
import type { NotApplied } from '../../wire/tracking/status-code.ts'

/** One row of a job. Rows of the same lane are sent in order, one at a time. */
export interface BulkRow<T> {
  /** Number for people, as in the input. */
  row: number
  /** Name in reports, and the lane unless that is given. */
  key: string
  lane?: string | undefined
  value: T
  /** Why it is not to be sent at all. */
  skip?: { code: string; message: string } | undefined
}

/** How one attempt at one row ended. */
export type Attempt =
  | { kind: 'done'; notApplied?: NotApplied | undefined }
  /** Decided without the platform; such a failure stops no job. */
  | { kind: 'skipped' | 'failed'; code: string; message: string }
  /** Refused for good: another attempt would be refused too. */
  | { kind: 'rejected'; code: string; message: string }
  /** It certainly did not happen, and may be sent again. */
  | {
      kind: 'again'
      code: string
      message: string
      /** The service is up and wants less traffic (429). */
      isThrottled: boolean
      retryAfterMs?: number | undefined
    }
  /** It may have happened: a look must settle it. */
  | { kind: 'unclear'; code: string; message: string }
  /** No row can succeed (401, settings): ends the job. The row did not happen. */
  | { kind: 'stop'; error: AppError }

/** Result of a look. `again`: another may succeed. `open`: no look will tell. `stop`: every look fails (401, certificate). */
export type Settled = 'happened' | 'not-happened' | 'open' | 'again' | { stop: AppError }

/** Milliseconds, of any beginning; `sleep` returns early, without an error, once the signal is aborted. */
export interface BulkClock {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls back when all that has come by now is taken. */
  nextTurn(work: () => void): void
}
