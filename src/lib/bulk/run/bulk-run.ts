import { setMaxListeners } from 'node:events'
import { AppError } from '../../errors.ts'
import type { NotApplied } from '../../wire/status-code.ts'
import type { RowStatus } from '../job/ledger.ts'
import { Breaker } from './breaker.ts'
import type { Attempt, BulkRow, Settled } from './bulk-row.ts'
import { Governor } from './governor.ts'
import { Fifo, Lanes, type Work } from './lanes.ts'
import { type BulkProgress, RateMeter, rowsEnded } from './progress.ts'
import { backOffMs, RetryBudget } from './retries.ts'
import { RowSource } from './row-source.ts'
import type { RunRequest, RunResult, RunStop } from './run-request.ts'

/** Rows held at most, of all keys: most wait behind an earlier one of their key. */
const MAX_HELD = 4096
/** Rows whose intents are ahead of their sending, at most; fewer as long as the disk keeps up. */
const MAX_WINDOW = 256
/** Row reports that were not taken yet, at most. */
const MAX_REPORTS = 1024
/** Progress is told this often, and at each change of state. */
const REPORT_MS = 100
const PERCENT_SAMPLE = 100
const DEFAULT_OUTAGE_MS = 5 * 60_000
const DEFAULT_DRAIN_MS = 60_000

type Failure = { code: string; message: string }

/** One run of a job. Driven by events: every answer, commit, batch of rows and timer calls `#pump`. */
export class BulkRun<T> {
  readonly #request: RunRequest<T>
  readonly #source: RowSource<T>
  readonly #lanes = new Lanes<T>()
  /** Rows that may be sent: their intents are synced. */
  readonly #cleared = new Fifo<Work<T>>()
  /** Looks, and rows to be sent again, that wait for their time; then those whose time has come. */
  #later: Work<T>[] = []
  #laterAt = Number.POSITIVE_INFINITY
  readonly #due = new Fifo<Work<T>>()
  readonly #underWay = new Set<Work<T>>()
  readonly #governor: Governor
  readonly #breaker: Breaker
  readonly #budget = new RetryBudget()
  readonly #meter: RateMeter
  readonly #maxAttempts: number
  readonly #stopper = new AbortController()
  readonly #startedAt: number
  #window: number
  #isCommitting = false
  #committing: Work<T>[] = []
  #openReports = 0
  #ended = 0
  #failures = 0
  #total: number
  #wakeAt = Number.POSITIVE_INFINITY
  #stop: RunStop | undefined
  #drainUntil = Number.POSITIVE_INFINITY
  #lastFailure = ''
  #reportedAt = Number.NEGATIVE_INFINITY
  #isPumping = false
  #isOver = false
  #finish: { resolve(): void; reject(error: unknown): void } = { resolve() {}, reject() {} }

  constructor(request: RunRequest<T>) {
    const { options, clock, random } = request
    const concurrency = options.concurrency ?? 8
    this.#request = request
    // Each request and each wait listens to it.
    setMaxListeners(0, this.#stopper.signal)
    this.#source = new RowSource(request.rows)
    this.#governor = new Governor({ concurrency, ratePerSecond: options.ratePerSecond })
    this.#breaker = new Breaker({ concurrency, outageMs: options.outageMs ?? DEFAULT_OUTAGE_MS, random })
    this.#maxAttempts = options.maxAttempts ?? 4
    this.#startedAt = clock.now()
    this.#meter = new RateMeter(this.#startedAt)
    this.#window = 2 * concurrency
    this.#total = options.total
  }

  async run(): Promise<RunResult> {
    const { drain, abort } = this.#request
    const onDrain = () => this.#halt({ reason: 'interrupted' })
    const onAbort = () => this.#abort()
    const ended = new Promise<void>((resolve, reject) => {
      this.#finish = { resolve, reject }
    })
    drain?.addEventListener('abort', onDrain)
    abort?.addEventListener('abort', onAbort)
    if (drain?.aborted) onDrain()
    if (abort?.aborted) onAbort()
    try {
      this.#pump()
      await ended
    } finally {
      this.#isOver = true
      drain?.removeEventListener('abort', onDrain)
      abort?.removeEventListener('abort', onAbort)
      this.#stopper.abort()
      await this.#leave()
    }
    return this.#result()
  }

  /** What was not sent is taken back; what was stays an intent. */
  async #leave(): Promise<void> {
    const { journal } = this.#request
    const parked = [...this.#later, ...this.#due.drain()].filter(({ step }) => step === 'send')
    const unsent = [...this.#committing, ...this.#cleared.drain(), ...parked]
    journal.withdraw(unsent.map(({ ordinal }) => ordinal))
    // A reader in the middle of a batch closes after it; that need not be waited for.
    this.#source.close().catch(noop)
    await journal.sync().catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      this.#stop = { reason: 'error', error }
    })
    this.#report()
  }

  #result(): RunResult {
    const { sent, ...counts } = this.#request.journal.ledger.counts()
    const ended = rowsEnded({ sent, ...counts })
    const durationMs = this.#request.clock.now() - this.#startedAt
    const remaining = Math.max(0, this.#total - ended)
    return { total: this.#total, ...counts, remaining, unsettled: sent, durationMs, stop: this.#stop }
  }

  // Ends -----------------------------------------------------------------------------------------------------------

  #halt(stop: RunStop): void {
    if (this.#stop || this.#isOver) return
    this.#stop = stop
    this.#drainUntil = this.#request.clock.now() + (this.#request.options.drainMs ?? DEFAULT_DRAIN_MS)
    this.#report()
    this.#pump()
  }

  #abort(): void {
    this.#stop ??= { reason: 'interrupted' }
    this.#isOver = true
    this.#finish.resolve()
  }

  /** What must not happen has: nothing more is sent, and the error goes to the caller. */
  #crash(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#finish.reject(error)
  }

  #journalFailed(error: unknown): void {
    if (error instanceof AppError) this.#halt({ reason: 'error', error })
    else this.#crash(error)
  }

  // The loop -------------------------------------------------------------------------------------------------------

  #pump(): void {
    if (this.#isOver || this.#isPumping) return
    this.#isPumping = true
    const now = this.#request.clock.now()
    if (this.#request.journal.failure) this.#journalFailed(this.#request.journal.failure)
    if (this.#breaker.isOver(now)) this.#outage()
    if (!this.#stop) {
      this.#read()
      this.#commit()
      this.#start(now)
    }
    this.#isPumping = false
    if (this.#underWay.size === 0 && this.#openReports === 0 && (this.#stop || this.#isDone())) {
      this.#isOver = true
      this.#finish.resolve()
    } else if (this.#stop) this.#awaitDrained(now)
  }

  #isDone(): boolean {
    return this.#source.isOver && this.#lanes.held === 0
  }

  #outage(): void {
    const seconds = Math.round((this.#request.options.outageMs ?? DEFAULT_OUTAGE_MS) / 1000)
    this.#halt({ reason: 'outage', message: `nothing has worked for ${seconds} s: ${this.#lastFailure}` })
  }

  #awaitDrained(now: number): void {
    if (now >= this.#drainUntil) this.#abort()
    else this.#wake(this.#drainUntil, now)
  }

  #read(): void {
    const { journal } = this.#request
    while (this.#lanes.held < MAX_HELD) {
      const next = this.#source.next()
      if (!next) {
        if (this.#source.isOver) this.#total = this.#source.count
        else
          this.#source.fetch(
            () => this.#pump(),
            (error) => this.#crash(error),
          )
        return
      }
      const { ordinal, row } = next
      if (journal.ledger.hasEnded(ordinal)) continue
      if (row.skip) {
        this.#record({ ordinal, row, status: 'skipped', attempts: 0, failure: row.skip })
        continue
      }
      const step = journal.ledger.state(ordinal) === 'sent' ? 'look' : 'send'
      this.#lanes.add({ ordinal, row, step, attempts: 0, strikes: 0, notBefore: 0 })
    }
  }

  /** Syncs the intents of the next rows while the ones before are under way. */
  #commit(): void {
    if (this.#isCommitting) return
    const batch: Work<T>[] = []
    while (this.#lanes.ready > 0 && this.#cleared.size + batch.length < this.#window) {
      const work = this.#lanes.take()
      if (!work) break
      // Its intent is in the journal already.
      if (work.step === 'look') this.#due.push(work)
      else batch.push(work)
    }
    if (batch.length === 0) return
    this.#isCommitting = true
    this.#committing = batch
    this.#request.journal.intend(batch.map(({ ordinal }) => ordinal)).then(
      () => {
        this.#isCommitting = false
        if (this.#isOver) return
        // Nothing was left to send meanwhile: the disk is the slower one, so more go into one sync.
        if (this.#cleared.size === 0 && batch.length === this.#window) {
          this.#window = Math.min(MAX_WINDOW, this.#window * 2)
        }
        this.#committing = []
        for (const work of batch) this.#cleared.push(work)
        this.#pump()
      },
      (error: unknown) => {
        this.#isCommitting = false
        this.#journalFailed(error)
      },
    )
  }

  #start(now: number): void {
    if (now >= this.#laterAt) this.#collectDue(now)
    while (this.#underWay.size < this.#governor.concurrency && this.#openReports < MAX_REPORTS) {
      if (!this.#breaker.allows(now, this.#underWay.size)) {
        if (this.#underWay.size === 0) this.#wake(this.#breaker.until, now)
        return
      }
      const readyAt = this.#governor.readyAt()
      if (readyAt > now) {
        if (this.#due.size + this.#cleared.size > 0) this.#wake(readyAt, now)
        break
      }
      const work = this.#next()
      if (!work) break
      this.#begin(work, now)
    }
    if (this.#later.length > 0) this.#wake(this.#laterAt, now)
  }

  /** Retries come first: they are the older rows. Without budget they wait until nothing else is left to do. */
  #next(): Work<T> | undefined {
    const first = this.#due.peek()
    if (first && (first.strikes === 0 || first.step === 'look' || this.#budget.take()))
      return this.#due.shift()
    const fresh = this.#cleared.shift()
    if (fresh) return fresh
    return this.#underWay.size === 0 && !this.#isCommitting ? this.#due.shift() : undefined
  }

  #collectDue(now: number): void {
    const still: Work<T>[] = []
    this.#laterAt = Number.POSITIVE_INFINITY
    for (const work of this.#later) {
      if (work.notBefore <= now) this.#due.push(work)
      else {
        still.push(work)
        this.#laterAt = Math.min(this.#laterAt, work.notBefore)
      }
    }
    this.#later = still
  }

  #wake(at: number, now: number): void {
    if (at >= this.#wakeAt && this.#wakeAt > now) return
    this.#wakeAt = at
    this.#request.clock.sleep(Math.max(0, at - now), this.#stopper.signal).then(() => {
      if (this.#wakeAt === at) this.#wakeAt = Number.POSITIVE_INFINITY
      this.#pump()
    }, noop)
  }

  // One row --------------------------------------------------------------------------------------------------------

  #begin(work: Work<T>, now: number): void {
    this.#underWay.add(work)
    this.#governor.sent(now, this.#underWay.size)
    this.#breaker.sent()
    const { send, settle } = this.#request
    const crashed = (error: unknown) => this.#crash(error)
    if (work.step === 'send') {
      work.attempts += 1
      send(work.row, this.#stopper.signal).then((attempt) => this.#answered(work, attempt, now), crashed)
    } else {
      settle(work.row, this.#stopper.signal).then((settled) => this.#looked(work, settled), crashed)
    }
  }

  #answered(work: Work<T>, attempt: Attempt, sentAt: number): void {
    if (this.#isOver) return
    this.#underWay.delete(work)
    const now = this.#request.clock.now()
    switch (attempt.kind) {
      case 'done':
        this.#worked(now, sentAt)
        this.#end(work, 'succeeded', undefined, attempt.notApplied)
        break
      case 'rejected':
        this.#worked(now, sentAt)
        this.#end(work, 'failed', attempt)
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
        work.failure = attempt
        work.step = 'look'
        this.#delay(work, now)
        break
      case 'stop':
        work.step = 'send'
        this.#delay(work, now)
        this.#halt({ reason: 'error', error: attempt.error })
    }
    this.#pump()
  }

  #looked(work: Work<T>, settled: Settled): void {
    if (this.#isOver) return
    this.#underWay.delete(work)
    const now = this.#request.clock.now()
    const failure = work.failure ?? { code: 'INTERRUPTED', message: 'interrupted before the answer came' }
    if (settled !== 'again') this.#breaker.worked()
    if (settled === 'happened') this.#end(work, 'succeeded')
    else if (settled === 'open') this.#end(work, 'unknown', failure)
    else if (settled === 'not-happened') {
      work.step = 'send'
      this.#again(work, failure, now)
    } else {
      this.#failed(work, { code: 'LOOK', message: `${failure.message}; then the look failed` }, now)
      if (this.#isSpent(work)) this.#end(work, 'unknown', failure)
      else this.#delay(work, now + backOffMs(work.strikes, this.#request.random))
    }
    this.#pump()
  }

  #worked(now: number, sentAt: number): void {
    this.#breaker.worked()
    this.#budget.earn()
    this.#governor.accepted(now, sentAt)
  }

  /** A failure of the service; while it is out, the row is not to blame. */
  #failed(work: Work<T>, failure: Failure, now: number): void {
    if (this.#breaker.isClosed) work.strikes += 1
    this.#lastFailure = failure.message
    const wasClosed = this.#breaker.isClosed
    this.#breaker.failed(now, work.ordinal)
    if (wasClosed && !this.#breaker.isClosed) this.#report()
  }

  #isSpent(work: Work<T>): boolean {
    return this.#breaker.isClosed && !this.#breaker.isInDoubt && work.strikes >= this.#maxAttempts
  }

  #throttled(work: Work<T>, attempt: Attempt & { kind: 'again' }, now: number, sentAt: number): void {
    this.#lastFailure = attempt.message
    work.failure = attempt
    this.#governor.refused(now, sentAt, attempt.retryAfterMs)
    this.#breaker.throttled(now)
    const outageMs = this.#request.options.outageMs ?? DEFAULT_OUTAGE_MS
    if ((attempt.retryAfterMs ?? 0) > outageMs) {
      const minutes = Math.ceil((attempt.retryAfterMs ?? 0) / 60_000)
      this.#halt({
        reason: 'outage',
        message: `the service asks to wait ${minutes} minutes: ${attempt.message}`,
      })
    }
    // Without a stated time: soon, since it is the pace that mends it, but not in the same moment.
    this.#delay(work, now + (attempt.retryAfterMs ?? 50 + backOffMs(1, this.#request.random)))
  }

  #again(work: Work<T>, failure: Failure, now: number): void {
    work.failure = failure
    if (this.#isSpent(work)) this.#end(work, 'failed', failure)
    else this.#delay(work, work.strikes === 0 ? now : now + backOffMs(work.strikes, this.#request.random))
  }

  #delay(work: Work<T>, until: number): void {
    work.notBefore = until
    this.#later.push(work)
    this.#laterAt = Math.min(this.#laterAt, until)
  }

  #end(work: Work<T>, status: RowStatus, failure?: Failure, notApplied?: NotApplied): void {
    const { ordinal, row, attempts } = work
    this.#record({ ordinal, row, status, attempts, failure, notApplied })
    this.#lanes.release(work)
    if (status === 'failed' || status === 'unknown') this.#failures += 1
    this.#ended += 1
    if (this.#hasTooManyFailures()) this.#halt({ reason: 'failures' })
  }

  #hasTooManyFailures(): boolean {
    const { maxFailures } = this.#request.options
    if (maxFailures === undefined) return false
    if (typeof maxFailures === 'number') return this.#failures > maxFailures
    return this.#ended >= PERCENT_SAMPLE && this.#failures * 100 > maxFailures.percent * this.#ended
  }

  #record(ended: Ended<T>): void {
    const { ordinal, row, status, attempts, notApplied } = ended
    const { journal, onRow, clock } = this.#request
    const error = ended.failure && { code: ended.failure.code, message: ended.failure.message }
    const failure = error && { row: row.row, key: row.key, ...error }
    journal.end(ordinal, { status, attempts, notApplied, failure })
    this.#meter.add(clock.now())
    const more = {
      ...(notApplied && { applied: false as const, reason: notApplied }),
      ...(error && { error }),
    }
    const taken = onRow?.({ row: row.row, key: row.key, status, attempts, ...more })
    if (taken) {
      this.#openReports += 1
      taken.then(
        () => {
          this.#openReports -= 1
          this.#pump()
        },
        (thrown: unknown) => this.#crash(thrown),
      )
    }
    if (clock.now() - this.#reportedAt >= REPORT_MS) this.#report()
  }

  #report(): void {
    const { onProgress, clock } = this.#request
    if (!onProgress) return
    this.#reportedAt = clock.now()
    onProgress(this.#progress())
  }

  #progress(): BulkProgress {
    const now = this.#request.clock.now()
    const { sent, ...counts } = this.#request.journal.ledger.counts()
    const done = rowsEnded({ sent, ...counts })
    const rate = this.#meter.perSecond(now)
    const until = this.#breaker.isClosed ? this.#governor.pausedUntil : this.#breaker.until
    const isPaused = !this.#breaker.isClosed || until > now
    return {
      done,
      ...counts,
      total: this.#total,
      rate,
      etaMs: rate > 0 ? ((this.#total - done) / rate) * 1000 : undefined,
      concurrency: this.#governor.concurrency,
      state: this.#stop ? 'draining' : isPaused ? 'paused' : 'running',
      reason: isPaused ? this.#lastFailure : undefined,
      until: isPaused ? until : undefined,
    }
  }
}

interface Ended<T> {
  ordinal: number
  row: BulkRow<T>
  status: RowStatus
  attempts: number
  failure?: Failure | undefined
  notApplied?: NotApplied | undefined
}

function noop(): void {}
