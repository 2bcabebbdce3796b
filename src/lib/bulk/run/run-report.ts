import type { NotApplied } from '../../wire/tracking/status-code.ts'
import type { RowStatus } from '../job/ledger.ts'
import type { BulkRow } from './bulk-row.ts'
import { type BulkProgress, RateMeter, rowsEnded } from './progress.ts'
import type { RunRequest, RunResult, RunStop } from './run-request.ts'

const MAX_REPORTS = 1024
/** Progress is told this often, and at each change of state. */
const REPORT_MS = 100
const PERCENT_SAMPLE = 100
const FIRST_ROWS = 200

export interface EndedRow<T> {
  ordinal: number
  row: BulkRow<T>
  status: RowStatus
  attempts: number
  failure?: { code: string; message: string } | undefined
  notApplied?: NotApplied | undefined
  /** The platform was not asked: such a failure stops no job. */
  isOwnVerdict?: boolean | undefined
}

export interface ReportEvents {
  changed(): void
  crashed(error: unknown): void
  /** State of the loop. */
  state(now: number): Pick<BulkProgress, 'concurrency' | 'state' | 'reason' | 'until'>
  total(): number
}

export class RunReport<T> {
  readonly #request: RunRequest<T>
  readonly #events: ReportEvents
  readonly #startedAt: number
  readonly #meter: RateMeter
  #open = 0
  #ended = 0
  #failures = 0
  #ownFailures = 0
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(request: RunRequest<T>, events: ReportEvents) {
    this.#request = request
    this.#events = events
    this.#startedAt = request.clock.now()
    this.#meter = new RateMeter(this.#startedAt)
  }

  get isTaken(): boolean {
    return this.#open === 0
  }

  get isBehind(): boolean {
    return this.#open >= MAX_REPORTS
  }

  /** Counts rows with an answer that is no error, though it is not proven yet, as rows that have ended. */
  hasTooManyFailures(unproven: number): boolean {
    const { maxFailures } = this.#request.options
    if (maxFailures === undefined) return false
    if (typeof maxFailures === 'number') return this.#failures > maxFailures
    const ended = this.#ended + unproven
    return ended >= PERCENT_SAMPLE && this.#failures * 100 > maxFailures.percent * ended
  }

  /** True once in the life of a job: when it goes on all the same, more rows than that have failed. */
  haveFirstRowsFailed(unproven: number): boolean {
    if (this.#request.options.maxFailures !== undefined || unproven > 0) return false
    const { failed, succeeded, unknown } = this.#request.journal.ledger.counts()
    return (
      failed - this.#ownFailures === FIRST_ROWS &&
      succeeded + unknown === 0 &&
      this.#events.total() > FIRST_ROWS
    )
  }

  record(ended: EndedRow<T>): void {
    const { ordinal, row, status, attempts, notApplied } = ended
    const { journal, onRow, clock } = this.#request
    const error = ended.failure && { code: ended.failure.code, message: ended.failure.message }
    const failure = error && { row: row.row, key: row.key, ...error }
    journal.end(ordinal, { status, attempts, notApplied, failure })
    if (ended.isOwnVerdict) {
      if (status === 'failed') this.#ownFailures += 1
    } else if (status !== 'skipped') {
      this.#ended += 1
      if (status !== 'succeeded') this.#failures += 1
    }
    this.#meter.add(clock.now())
    const more = {
      ...(notApplied && { applied: false as const, reason: notApplied }),
      ...(error && { error }),
    }
    const taken = onRow?.({ row: row.row, key: row.key, status, attempts, ...more })
    if (taken) {
      this.#open += 1
      taken.then(() => {
        this.#open -= 1
        this.#events.changed()
      }, this.#events.crashed)
    }
    if (clock.now() - this.#toldAt >= REPORT_MS) this.tell()
  }

  tell(): void {
    const { onProgress, clock } = this.#request
    if (!onProgress) return
    const now = clock.now()
    this.#toldAt = now
    const { done, total, sent: _, ...counts } = this.#counts()
    const rate = this.#meter.perSecond(now)
    const etaMs = rate > 0 ? ((total - done) / rate) * 1000 : undefined
    onProgress({ done, ...counts, total, rate, etaMs, ...this.#events.state(now) })
  }

  result(stop: RunStop | undefined): RunResult {
    const { done, total, sent, ...counts } = this.#counts()
    const durationMs = this.#request.clock.now() - this.#startedAt
    return { total, ...counts, remaining: Math.max(0, total - done), unsettled: sent, durationMs, stop }
  }

  #counts() {
    const counts = this.#request.journal.ledger.counts()
    return { done: rowsEnded(counts), total: this.#events.total(), ...counts }
  }
}
