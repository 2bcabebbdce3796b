import type { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import type { RowStatus } from '../job/ledger.ts'
import { type Breaker, OUTAGE_MS } from './breaker.ts'
import type { Pace } from './pace.ts'
import type { RetryBudget, RowQueue, Work } from './row-queue.ts'
import type { Attempt, RowError, RunStop, Settled } from './run-request.ts'
import type { EndedRow } from './run-tally.ts'

const BACK_OFF_BASE_MS = 250
const BACK_OFF_CAP_MS = 20_000

/** "Full jitter" spreads a crowd better than a fixed delay. */
function backOffMs(failures: number, random: () => number) {
  return random() * Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** (failures - 1))
}

/** Shortest wait that whole seconds can express. */
const SHORT_MS = 1000

/** Records a row's result, and lets the next row of its lane go. */
export type EndRow<T> = (
  work: Work<T>,
  status: RowStatus,
  failure?: RowError,
  more?: Pick<EndedRow<T>, 'notApplied' | 'isDecidedLocally'>,
) => void

interface AnswerOptions<T> {
  queue: RowQueue<T>
  pace: Pace
  breaker: Breaker
  budget: RetryBudget
  maxAttempts: number
  random: () => number
  ended: EndRow<T>
  stop(stop: RunStop): void
  paused(): void
}

export class RowAnswers<T> {
  lastFailure = ''

  constructor(private readonly options: AnswerOptions<T>) {}

  attempted(work: Work<T>, attempt: Attempt, now: number, sentAt: number) {
    const { breaker, ended } = this.options
    switch (attempt.kind) {
      case 'done':
        this.#worked(now, sentAt)
        ended(work, 'succeeded', undefined, attempt)
        break
      case 'skipped':
      case 'failed':
        if (!breaker.isClosed) breaker.throttled(now)
        ended(work, attempt.kind, attempt, { isDecidedLocally: true })
        break
      case 'rejected':
        this.#worked(now, sentAt)
        if (!work.isDoubtful) ended(work, 'failed', attempt)
        else {
          // The service may refuse the repeat because it has applied the first request.
          work.isRefused = true
          this.#lookUp(work, attempt, now)
        }
        break
      case 'again':
        if (attempt.isThrottled) this.#throttled(work, attempt, now, sentAt)
        else {
          this.#failed(work, attempt, now)
          this.#again(work, attempt, now)
        }
        break
      case 'unclear':
        this.#failed(work, attempt, now)
        work.isDoubtful = true
        this.#lookUp(work, attempt, now)
        break
      case 'stop':
        work.step = 'send'
        this.#stop(work, attempt.error, now)
    }
  }

  lookedUp(work: Work<T>, settled: Settled, now: number) {
    const { queue, breaker, random, ended } = this.options
    if (typeof settled === 'object') {
      this.#stop(work, settled.stop, now)
      return
    }
    const failure = work.failure ?? { code: 'INTERRUPTED', message: 'interrupted before the answer came' }
    if (settled !== 'again') breaker.worked()
    if (settled === 'happened') ended(work, 'succeeded')
    else if (settled === 'open') ended(work, 'unknown', failure)
    else if (settled === 'not-happened' && work.isRefused) ended(work, 'failed', failure)
    else if (settled === 'not-happened') {
      work.step = 'send'
      // The service may still be processing the request.
      this.#again(work, failure, now, 'unknown')
    } else {
      this.#failed(work, { code: 'LOOKUP', message: `${failure.message}; then the lookup failed` }, now)
      if (this.#isSpent(work)) ended(work, 'unknown', failure)
      else queue.delay(work, now + backOffMs(work.failedAttempts, random))
    }
  }

  #lookUp(work: Work<T>, failure: RowError, now: number) {
    work.failure = failure
    work.step = 'lookup'
    this.options.queue.delay(work, now)
  }

  #stop(work: Work<T>, error: AppError, now: number): void {
    this.options.queue.delay(work, now)
    this.options.stop({ reason: 'error', error })
  }

  #worked(now: number, sentAt: number): void {
    this.options.breaker.worked()
    this.options.budget.earn()
    this.options.pace.accepted(now, sentAt)
  }

  /** Failures during an outage don't count against the row. */
  #failed(work: Work<T>, { message }: RowError, now: number): void {
    const { breaker, paused } = this.options
    const wasClosed = breaker.isClosed
    if (wasClosed) work.failedAttempts += 1
    this.lastFailure = message
    breaker.failed(now, work.ordinal)
    if (wasClosed && !breaker.isClosed) paused()
  }

  #isSpent(work: Work<T>) {
    const { breaker, maxAttempts } = this.options
    return breaker.isClosed && !breaker.haveSeveralFailed && work.failedAttempts >= maxAttempts
  }

  #throttled(work: Work<T>, attempt: Attempt & { kind: 'again' }, now: number, sentAt: number): void {
    const { queue, pace, breaker, random, stop } = this.options
    const { message, retryAfterMs } = attempt
    this.lastFailure = message
    work.failure = attempt
    work.heldShortlyAt = (retryAfterMs ?? 0) <= SHORT_MS ? now : undefined
    pace.refused(now, sentAt, retryAfterMs)
    breaker.throttled(now)
    if (retryAfterMs !== undefined && retryAfterMs > OUTAGE_MS) {
      const minutes = Math.ceil(retryAfterMs / 60_000)
      stop({
        reason: 'outage',
        message: `the service asks to wait ${counted(minutes, 'minute')}: ${message}`,
      })
    }
    // The row may be repeated soon, since the pace slows down.
    queue.delay(work, now + (retryAfterMs ?? 50 + backOffMs(1, random)))
  }

  #again(work: Work<T>, failure: RowError, now: number, spent: RowStatus = 'failed') {
    const { queue, random, ended } = this.options
    work.failure = failure
    if (this.#isSpent(work)) ended(work, spent, failure)
    else queue.delay(work, work.failedAttempts === 0 ? now : now + backOffMs(work.failedAttempts, random))
  }
}
