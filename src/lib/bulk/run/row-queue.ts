import type { BulkRow, RowError, RunJournal } from './run-request.ts'

const MAX_HELD = 4096
const MAX_WINDOW = 256

const MAX_TOKENS = 50
const TOKENS_PER_SUCCESS = 0.25

/**
 * Token bucket of the job's retries: a service in trouble gets a quarter more traffic at most. A row that waits for
 * its retry does not fail.
 */
export class RetryBudget {
  #tokens = MAX_TOKENS

  earn() {
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + TOKENS_PER_SUCCESS)
  }

  take() {
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}

export interface Work<T> {
  readonly ordinal: number
  readonly row: BulkRow<T>
  /** `lookup`: ask the service whether an earlier request took effect. */
  step: 'lookup' | 'send'
  attempts: number
  /** True once an answer was unclear. */
  isDoubtful: boolean
  /** True if refused after an unclear answer: the lookup decides. */
  isRefused?: boolean
  /** Excludes attempts during an outage. */
  failedAttempts: number
  notBefore: number
  /** Time of the last refusal (429), if the wait is a second at most. */
  heldShortlyAt?: number
  failure?: RowError
  next?: Work<T>
}

interface QueueOptions<T> {
  rows: AsyncIterable<readonly BulkRow<T>[]>
  journal: RunJournal
  budget: RetryBudget
  concurrency: number
  changed(): void
  skipped(ordinal: number, row: BulkRow<T>): void
  unreadable(error: unknown): void
  unwritable(error: unknown): void
}

/** Rows that are read, cleared by a synced intent, or waiting for their time. */
export class RowQueue<T> {
  readonly #batches: AsyncIterator<readonly BulkRow<T>[]>
  #batch: readonly BulkRow<T>[] = []
  #at = 0
  #isFetching = false
  #isOver = false
  #count = 0
  readonly #lastOfLane = new Map<string, Work<T>>()
  #held = 0
  readonly #fresh: Work<T>[] = []
  /** Rows whose predecessor has ended. They precede fresh ones, or long lanes would fall behind. */
  readonly #followers: Work<T>[] = []
  #committing: Work<T>[] = []
  readonly #cleared: Work<T>[] = []
  #later: Work<T>[] = []
  readonly #due: Work<T>[] = []
  #window: number
  laterAt = Number.POSITIVE_INFINITY

  constructor(private readonly options: QueueOptions<T>) {
    this.#batches = options.rows[Symbol.asyncIterator]()
    this.#window = 2 * options.concurrency
  }

  /** Returns undefined until all rows are read. */
  get total(): number | undefined {
    return this.#isOver ? this.#count : undefined
  }

  get isDone() {
    return this.#isOver && this.#held === 0
  }

  get isReady() {
    return this.#due.length + this.#cleared.length > 0
  }

  fill(now: number) {
    this.#read()
    if (this.#committing.length === 0) this.#commit()
    if (now < this.laterAt) return
    this.#due.push(...this.#later.filter(({ notBefore }) => notBefore <= now))
    this.#later = this.#later.filter(({ notBefore }) => notBefore > now)
    this.laterAt = Math.min(...this.#later.map(({ notBefore }) => notBefore))
  }

  /**
   * Retries come before fresh rows; without budget they wait until nothing else is left. At the end of the job, waits
   * of a second end when another row was accepted (`acceptedAt`): the service rounds waits up.
   */
  next(isIdle: boolean, acceptedAt: number): Work<T> | undefined {
    const [first] = this.#due
    if (first && (first.failedAttempts === 0 || first.step === 'lookup' || this.options.budget.take()))
      return this.#due.shift()
    const fresh = this.#cleared.shift()
    if (fresh) return fresh
    if (this.#committing.length > 0) return undefined
    if (this.#isOver && this.#fresh.length + this.#followers.length + this.#due.length === 0) {
      const index = this.#later.findIndex(
        ({ step, heldShortlyAt = Number.POSITIVE_INFINITY, failedAttempts }) =>
          failedAttempts === 0 && step === 'send' && heldShortlyAt < acceptedAt,
      )
      if (index >= 0) return this.#later.splice(index, 1)[0]
    }
    return isIdle ? this.#due.shift() : undefined
  }

  delay(work: Work<T>, until: number) {
    work.notBefore = until
    this.#later.push(work)
    this.laterAt = Math.min(this.laterAt, until)
  }

  release({ next, row }: Work<T>) {
    this.#held -= 1
    if (next) this.#followers.push(next)
    else this.#lastOfLane.delete(row.lane ?? row.key)
  }

  withdraw(): void {
    const parked = [...this.#later, ...this.#due].filter(({ step }) => step === 'send')
    const unsent = [...this.#committing, ...this.#cleared, ...parked]
    this.options.journal.withdraw(unsent.map(({ ordinal }) => ordinal))
    // A reader in the middle of a batch closes after it.
    if (!this.#isOver) this.#batches.return?.().catch(() => {})
  }

  #read() {
    const { journal, skipped } = this.options
    const { ledger } = journal
    while (this.#held < MAX_HELD) {
      const row = this.#batch[this.#at]
      if (!row) {
        this.#fetch()
        return
      }
      const ordinal = this.#count
      this.#at += 1
      this.#count += 1
      if (ledger.hasEnded(ordinal)) continue
      if (row.skip) skipped(ordinal, row)
      else {
        const isDoubtful = ledger.state(ordinal) === 'sent'
        const step = isDoubtful ? 'lookup' : 'send'
        this.#add({ ordinal, row, step, isDoubtful, attempts: 0, failedAttempts: 0, notBefore: 0 })
      }
    }
  }

  #fetch() {
    if (this.#isFetching || this.#isOver) return
    this.#isFetching = true
    this.#batches.next().then(({ done, value }) => {
      this.#isFetching = false
      this.#isOver = done === true
      this.#batch = done ? [] : value
      this.#at = 0
      this.options.changed()
    }, this.options.unreadable)
  }

  #add(work: Work<T>) {
    const lane = work.row.lane ?? work.row.key
    const last = this.#lastOfLane.get(lane)
    if (last) last.next = work
    else this.#fresh.push(work)
    this.#lastOfLane.set(lane, work)
    this.#held += 1
  }

  #commit() {
    const { journal, changed, unwritable } = this.options
    const batch: Work<T>[] = []
    while (this.#cleared.length + batch.length < this.#window) {
      const work = this.#followers.shift() ?? this.#fresh.shift()
      if (!work) break
      // Rows to look up have an intent in the journal already.
      if (work.step === 'lookup') this.#due.push(work)
      else batch.push(work)
    }
    if (batch.length === 0) return
    this.#committing = batch
    journal.intend(batch.map(({ ordinal }) => ordinal)).then(() => {
      // The disk is slower than the network: more rows go into one sync.
      if (this.#cleared.length === 0 && batch.length === this.#window) {
        this.#window = Math.min(MAX_WINDOW, this.#window * 2)
      }
      this.#committing = []
      this.#cleared.push(...batch)
      changed()
    }, unwritable)
  }
}
