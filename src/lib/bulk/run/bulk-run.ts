import { setMaxListeners } from 'node:events'
import { AppError, rethrowBug } from '../../errors.ts'
import { Breaker, OUTAGE_MS } from './breaker.ts'
import { Pace } from './pace.ts'
import { type EndRow, RowAnswers } from './row-answers.ts'
import { RetryBudget, RowQueue, type Work } from './row-queue.ts'
import type { BulkProgress, RunRequest, RunResult, RunStop } from './run-request.ts'
import { RunTally } from './run-tally.ts'

const DEFAULT_CONCURRENCY = 8
const DRAIN_MS = 60_000
/** Shorter waits are not shown as a pause. */
const SHORT_WAIT_MS = 500

/**
 * Sends each row of a job once, as far as can be told. Rows of one lane go one at a time, in order. After an unclear
 * answer nothing is sent for its lane until a lookup has settled it. A failed or unknown row does not hold back its
 * lane, since each row has a date of its own. Expected stops are in the result; rejects only with what `rows`, `send`
 * or `settle` throw.
 */
export function runBulk<T>(request: RunRequest<T>): Promise<RunResult> {
  return new BulkRun(request).run()
}

class BulkRun<T> {
  readonly #queue: RowQueue<T>
  readonly #pace: Pace
  readonly #breaker: Breaker
  readonly #answers: RowAnswers<T>
  readonly #tally: RunTally<T>
  readonly #stopper = new AbortController()
  #underWay = 0
  /** Rows whose answers are not verified yet. */
  #unverified = 0
  #wakeAt = Number.POSITIVE_INFINITY
  #stop: RunStop | undefined
  #drainUntil = Number.POSITIVE_INFINITY
  #isPumping = false
  #isPumpDue = false
  #isOver = false
  #finish: { resolve(): void; reject(error: unknown): void } = { resolve() {}, reject() {} }

  constructor(private readonly request: RunRequest<T>) {
    const { rows, journal, options, random } = request
    const { concurrency = DEFAULT_CONCURRENCY, ratePerSecond } = options
    const changed = () => this.#pump()
    const crashed = (error: unknown) => this.#crash(error)
    const budget = new RetryBudget()
    setMaxListeners(0, this.#stopper.signal)
    this.#pace = new Pace(concurrency, ratePerSecond)
    this.#breaker = new Breaker({ concurrency, random })
    this.#queue = new RowQueue({
      rows,
      journal,
      budget,
      concurrency,
      changed,
      skipped: (ordinal, row) =>
        this.#tally.record({ ordinal, row, status: 'skipped', attempts: 0, failure: row.skip }),
      unreadable: crashed,
      unwritable: (error) => this.#journalFailed(error),
    })
    this.#tally = new RunTally(request, {
      changed,
      crashed,
      state: (now) => this.#state(now),
      total: () => this.#queue.total ?? options.total,
    })
    this.#answers = new RowAnswers({
      queue: this.#queue,
      pace: this.#pace,
      breaker: this.#breaker,
      budget,
      maxAttempts: options.maxAttempts,
      random,
      ended: this.#end,
      stop: (stop) => this.#halt(stop),
      paused: () => this.#tally.emitProgress(),
    })
  }

  async run(): Promise<RunResult> {
    const { drain, abort } = this.request
    const onDrain = () => this.#halt({ reason: 'interrupted' })
    const onAbort = () => this.#abort()
    const ended = new Promise<void>((resolve, reject) => {
      this.#finish = { resolve, reject }
    })
    drain?.addEventListener('abort', onDrain, { signal: this.#stopper.signal })
    abort?.addEventListener('abort', onAbort, { signal: this.#stopper.signal })
    if (drain?.aborted) onDrain()
    if (abort?.aborted) onAbort()
    try {
      this.#pump()
      await ended
    } finally {
      this.#isOver = true
      this.#stopper.abort()
      await this.#cleanUp()
    }
    return this.#tally.result(this.#stop)
  }

  async #cleanUp() {
    this.#queue.withdraw()
    await this.request.journal.sync().catch((error: unknown) => {
      rethrowBug(error)
      this.#stop = { reason: 'error', error }
    })
    this.#tally.emitProgress()
  }

  #halt(stop: RunStop) {
    if (this.#stop || this.#isOver) return
    this.#stop = stop
    this.#drainUntil = this.request.clock.now() + DRAIN_MS
    this.#tally.emitProgress()
    this.#pump()
  }

  #abort() {
    this.#stop ??= { reason: 'interrupted' }
    this.#isOver = true
    this.#finish.resolve()
  }

  #crash(error: unknown) {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish.reject(error)
  }

  #journalFailed(error: unknown) {
    if (error instanceof AppError) this.#halt({ reason: 'error', error })
    else this.#crash(error)
  }

  #pump() {
    if (this.#isOver || this.#isPumping) return
    this.#isPumping = true
    const now = this.request.clock.now()
    if (this.request.journal.failure) this.#journalFailed(this.request.journal.failure)
    if (this.#breaker.isOutage(now)) this.#outage()
    if (!this.#stop) {
      this.#queue.fill(now)
      this.#start(now)
    }
    this.#isPumping = false
    if (
      this.#underWay + this.#unverified === 0 &&
      this.#tally.hasPrintedAll &&
      (this.#stop || this.#queue.isDone)
    ) {
      this.#isOver = true
      this.#finish.resolve()
    } else if (this.#stop && now >= this.#drainUntil) this.#abort()
    else if (this.#stop) this.#wake(this.#drainUntil, now)
  }

  #outage() {
    const message = `nothing has worked for ${OUTAGE_MS / 1000} s: ${this.#answers.lastFailure}`
    this.#halt({ reason: 'outage', message })
  }

  #start(now: number) {
    while (this.#underWay < this.#pace.concurrency && !this.#tally.hasTooManyUnprinted) {
      if (!this.#breaker.allows(now, this.#underWay)) {
        if (this.#underWay === 0) this.#wake(this.#breaker.until, now)
        return
      }
      const readyAt = this.#pace.readyAt()
      if (readyAt > now) {
        if (this.#queue.isReady) this.#wake(readyAt, now)
        break
      }
      const work = this.#queue.next(this.#underWay === 0, this.#pace.acceptedAt)
      if (!work) break
      this.#begin(work, now)
    }
    this.#wake(this.#queue.laterAt, now)
  }

  #wake(at: number, now: number) {
    if (at === Number.POSITIVE_INFINITY || (at >= this.#wakeAt && this.#wakeAt > now)) return
    this.#wakeAt = at
    this.request.clock.sleep(Math.max(0, at - now), this.#stopper.signal).then(() => {
      if (this.#wakeAt === at) this.#wakeAt = Number.POSITIVE_INFINITY
      this.#pump()
    }, noop)
  }

  #begin(work: Work<T>, sentAt: number) {
    this.#underWay += 1
    this.#pace.sent(sentAt, this.#underWay)
    this.#breaker.sent()
    const { send, settle } = this.request
    const { signal } = this.#stopper
    const crashed = (error: unknown) => this.#crash(error)
    if (work.step === 'send') {
      work.attempts += 1
      let answeredAt: number | undefined
      const onAnswer = () => {
        answeredAt = this.request.clock.now()
        this.#unverified += 1
        this.#answered(noop)
      }
      send(work.row, signal, onAnswer).then((attempt) => {
        this.#answered((now) => {
          if (answeredAt === undefined) return this.#answers.attempted(work, attempt, now, sentAt)
          this.#unverified -= 1
          this.#underWay += 1
          // Latency excludes the wait for the verification.
          this.#answers.attempted(work, attempt, now, sentAt + now - answeredAt)
        })
      }, crashed)
    } else {
      settle(work.row, signal).then(
        (settled) => this.#answered((now) => this.#answers.lookedUp(work, settled, now)),
        crashed,
      )
    }
  }

  #answered(take: (now: number) => void) {
    if (this.#isOver) return
    this.#underWay -= 1
    take(this.request.clock.now())
    if (this.#isPumpDue) return
    this.#isPumpDue = true
    this.request.clock.nextTurn(() => {
      this.#isPumpDue = false
      this.#pump()
    })
  }

  readonly #end: EndRow<T> = (work, status, failure, more) => {
    const { ordinal, row, attempts, isDoubtful } = work
    this.#tally.record({ ordinal, row, status, attempts, isDoubtful, failure, ...more })
    this.#queue.release(work)
    if (this.#tally.hasTooManyFailures(this.#unverified)) this.#halt({ reason: 'failures' })
    else if (status !== 'skipped' && this.#tally.haveFirstRowsFailed()) this.#halt({ reason: 'all-failed' })
  }

  #state(now: number): Pick<BulkProgress, 'concurrency' | 'state' | 'reason' | 'until'> {
    const until = this.#breaker.isClosed ? this.#pace.pausedUntil : this.#breaker.until
    const isPaused = !this.#breaker.isClosed || until > now + SHORT_WAIT_MS
    return {
      concurrency: this.#pace.concurrency,
      state: this.#stop ? 'draining' : isPaused ? 'paused' : 'running',
      reason: isPaused ? this.#answers.lastFailure : undefined,
      until: isPaused ? until : undefined,
    }
  }
}

function noop() {}
