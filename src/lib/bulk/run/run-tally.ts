import type { NotApplied } from '../../wire/tracking/status-code.ts'
import type { RowCounts, RowStatus } from '../job/ledger.ts'
import type { BulkProgress, BulkRow, RowError, RunRequest, RunResult, RunStop } from './run-request.ts'

/** Row results that wait to be printed before the run is held back. */
const MAX_UNPRINTED = 1024
const PROGRESS_MS = 100
const PERCENT_SAMPLE = 100
const FIRST_ROWS = 200
const RATE_MS = 10_000

export interface EndedRow<T> {
  ordinal: number
  row: BulkRow<T>
  status: RowStatus
  attempts: number
  failure?: RowError
  notApplied?: NotApplied
  isDecidedLocally?: boolean
  isDoubtful?: boolean
}

interface TallyEvents {
  changed(): void
  crashed(error: unknown): void
  state(now: number): Pick<BulkProgress, 'concurrency' | 'state' | 'reason' | 'until'>
  total(): number
}

export function rowsEnded(counts: RowCounts): number {
  return counts.succeeded + counts.failed + counts.unknown + counts.skipped
}

export class RunTally<T> {
  readonly #startedAt: number
  /** Counts at two moments: the older is 10 to 20 s ago. */
  #marks: readonly [older: { at: number; ended: number }, newer: { at: number; ended: number }]
  #ended = 0
  #unprinted = 0
  #answered = 0
  #failures = 0
  #localFailures = 0
  #emittedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly request: RunRequest<T>,
    private readonly events: TallyEvents,
  ) {
    this.#startedAt = request.clock.now()
    const start = { at: this.#startedAt, ended: 0 }
    this.#marks = [start, start]
  }

  get hasPrintedAll() {
    return this.#unprinted === 0
  }

  get hasTooManyUnprinted() {
    return this.#unprinted >= MAX_UNPRINTED
  }

  /** @param unverified rows with a good answer not verified yet, which count as answered */
  hasTooManyFailures(unverified: number) {
    const { maxFailures } = this.request.options
    if (maxFailures === undefined) return false
    if (typeof maxFailures === 'number') return this.#failures > maxFailures
    const answered = this.#answered + unverified
    return answered >= PERCENT_SAMPLE && this.#failures * 100 > maxFailures.percent * answered
  }

  /** True at the 200th failure if no row has succeeded, so at most once in a job. */
  haveFirstRowsFailed() {
    if (this.request.options.maxFailures !== undefined) return false
    const { failed, succeeded, unknown } = this.request.journal.ledger.counts()
    const bad = failed + unknown - this.#localFailures
    return bad === FIRST_ROWS && succeeded === 0 && this.events.total() > FIRST_ROWS
  }

  record({ ordinal, row: { row, key }, status, attempts, notApplied, ...ended }: EndedRow<T>) {
    const { journal, onRow, clock } = this.request
    const error = ended.failure && { code: ended.failure.code, message: ended.failure.message }
    const failure = error && { row, key, ...error }
    journal.end(ordinal, { status, attempts, notApplied, isDoubtful: ended.isDoubtful, failure })
    if (ended.isDecidedLocally) {
      if (status === 'failed') this.#localFailures += 1
    } else if (status !== 'skipped') {
      this.#answered += 1
      if (status !== 'succeeded') this.#failures += 1
    }
    this.#ended += 1
    const more = {
      ...(notApplied && { applied: false as const, reason: notApplied }),
      ...(error && { error }),
    }
    const taken = onRow?.({ row, key, status, attempts, ...more })
    if (taken) {
      this.#unprinted += 1
      taken.then(() => {
        this.#unprinted -= 1
        this.events.changed()
      }, this.events.crashed)
    }
    if (clock.now() - this.#emittedAt >= PROGRESS_MS) this.emitProgress()
  }

  emitProgress() {
    const { onProgress, clock } = this.request
    if (!onProgress) return
    const now = clock.now()
    this.#emittedAt = now
    const { done, total, sent: _, ...counts } = this.#counts()
    const rate = this.#ratePerSecond(now)
    const etaMs = rate > 0 ? ((total - done) / rate) * 1000 : undefined
    onProgress({ done, ...counts, total, rate, etaMs, ...this.events.state(now) })
  }

  #ratePerSecond(now: number) {
    const [, newer] = this.#marks
    if (now - newer.at >= RATE_MS) this.#marks = [newer, { at: now, ended: this.#ended }]
    const [{ at, ended }] = this.#marks
    return now > at ? ((this.#ended - ended) * 1000) / (now - at) : 0
  }

  result(stop: RunStop | undefined): RunResult {
    const { done, total, sent, ...counts } = this.#counts()
    const durationMs = Math.round(this.request.clock.now() - this.#startedAt)
    return { total, ...counts, remaining: Math.max(0, total - done), unsettled: sent, durationMs, stop }
  }

  #counts() {
    const counts = this.request.journal.ledger.counts()
    return { done: rowsEnded(counts), total: this.events.total(), ...counts }
  }
}
