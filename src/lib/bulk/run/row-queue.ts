import type { BulkRow } from './bulk-row.ts'
import { Fifo, Lanes, type Work } from './lanes.ts'
import type { RetryBudget } from './retries.ts'
import { RowSource } from './row-source.ts'
import type { RunJournal } from './run-request.ts'

/** Rows held at most, of all keys: most wait behind an earlier one of their key. */
const MAX_HELD = 4096
/** Rows whose intents are ahead of their sending, at most; fewer as long as the disk keeps up. */
const MAX_WINDOW = 256

export interface QueueEvents<T> {
  changed(): void
  skipped(ordinal: number, row: BulkRow<T>): void
  unreadable(error: unknown): void
  unwritable(error: unknown): void
}

/** Rows on their way to being sent: read, cleared by a synced intent, or waiting for their time. */
export class RowQueue<T> {
  readonly #source: RowSource<T>
  readonly #journal: RunJournal
  readonly #budget: RetryBudget
  readonly #events: QueueEvents<T>
  readonly #lanes = new Lanes<T>()
  readonly #cleared = new Fifo<Work<T>>()
  /** Looks, and rows to be sent again, that wait for their time; then those whose time has come. */
  #later: Work<T>[] = []
  readonly #due = new Fifo<Work<T>>()
  #window: number
  #committing: Work<T>[] = []
  laterAt = Number.POSITIVE_INFINITY

  constructor(options: {
    rows: AsyncIterable<readonly BulkRow<T>[]>
    journal: RunJournal
    budget: RetryBudget
    concurrency: number
    events: QueueEvents<T>
  }) {
    this.#source = new RowSource(options.rows)
    this.#journal = options.journal
    this.#budget = options.budget
    this.#events = options.events
    this.#window = 2 * options.concurrency
  }

  /** Rows in the input; undefined until all are read. */
  get total(): number | undefined {
    return this.#source.isOver ? this.#source.count : undefined
  }

  get isDone(): boolean {
    return this.#source.isOver && this.#lanes.held === 0
  }

  get isReady(): boolean {
    return this.#due.size + this.#cleared.size > 0
  }

  fill(now: number): void {
    this.#read()
    if (this.#committing.length === 0) this.#commit()
    if (now >= this.laterAt) this.#collectDue(now)
  }

  /**
   * The next to go. Retries come first: they are the older rows. Without budget they wait until nothing else is left. At
   * the end of the job, a second that one row is to wait is over once others were served (`servedAt`): it is rounded up.
   */
  next(isIdle: boolean, servedAt: number): Work<T> | undefined {
    const first = this.#due.peek()
    if (first && (first.strikes === 0 || first.step === 'look' || this.#budget.take()))
      return this.#due.shift()
    const fresh = this.#cleared.shift()
    if (fresh) return fresh
    if (this.#committing.length > 0) return undefined
    if (this.#source.isOver && this.#lanes.ready === 0 && this.#due.size === 0) {
      const index = this.#later.findIndex(
        ({ step, heldShortlyAt = Number.POSITIVE_INFINITY, strikes }) =>
          strikes === 0 && step === 'send' && heldShortlyAt < servedAt,
      )
      if (index >= 0) return this.#later.splice(index, 1)[0]
    }
    return isIdle ? this.#due.shift() : undefined
  }

  delay(work: Work<T>, until: number): void {
    work.notBefore = until
    this.#later.push(work)
    this.laterAt = Math.min(this.laterAt, until)
  }

  /** The row has ended. */
  release(work: Work<T>): void {
    this.#lanes.release(work)
  }

  withdraw(): void {
    const parked = [...this.#later, ...this.#due.drain()].filter(({ step }) => step === 'send')
    const unsent = [...this.#committing, ...this.#cleared.drain(), ...parked]
    this.#journal.withdraw(unsent.map(({ ordinal }) => ordinal))
    // A reader in the middle of a batch closes after it; that need not be waited for.
    this.#source.close().catch(() => {})
  }

  #read(): void {
    const { ledger } = this.#journal
    while (this.#lanes.held < MAX_HELD) {
      const next = this.#source.next()
      if (!next) {
        this.#source.fetch(this.#events.changed, this.#events.unreadable)
        return
      }
      const { ordinal, row } = next
      if (ledger.hasEnded(ordinal)) continue
      if (row.skip) {
        this.#events.skipped(ordinal, row)
        continue
      }
      const step = ledger.state(ordinal) === 'sent' ? 'look' : 'send'
      this.#lanes.add({ ordinal, row, step, attempts: 0, strikes: 0, notBefore: 0 })
    }
  }

  #commit(): void {
    const batch: Work<T>[] = []
    while (this.#lanes.ready > 0 && this.#cleared.size + batch.length < this.#window) {
      const work = this.#lanes.take()
      if (!work) break
      // Its intent is in the journal already.
      if (work.step === 'look') this.#due.push(work)
      else batch.push(work)
    }
    if (batch.length === 0) return
    this.#committing = batch
    this.#journal.intend(batch.map(({ ordinal }) => ordinal)).then(() => {
      // An empty queue means that the disk is slower than the network: more rows go into one sync.
      if (this.#cleared.size === 0 && batch.length === this.#window) {
        this.#window = Math.min(MAX_WINDOW, this.#window * 2)
      }
      this.#committing = []
      for (const work of batch) this.#cleared.push(work)
      this.#events.changed()
    }, this.#events.unwritable)
  }

  #collectDue(now: number): void {
    const still: Work<T>[] = []
    this.laterAt = Number.POSITIVE_INFINITY
    for (const work of this.#later) {
      if (work.notBefore <= now) this.#due.push(work)
      else {
        still.push(work)
        this.laterAt = Math.min(this.laterAt, work.notBefore)
      }
    }
    this.#later = still
  }
}
