import { type Copied, type CountMismatch, compareWithPlatform, type Span } from '../../../walk/compare.ts'
import type { PageFilter, PageSource } from '../../../walk/page-source.ts'
import { Unsorted, type WalkedPage, walkByDate, walkByPage } from '../../../walk/walk.ts'
import { keyOf } from '../../../wire/plain.ts'
import type { Return } from '../../../wire/returns.ts'
import { createdAtOf, type SeenReturns } from './seen-returns.ts'
import type { Spool } from './spool.ts'

const SECOND_MS = 1000
/** The largest page of `GET /returns` (spec §4.7). */
const PAGE_SIZE = 500

/** Numbers of the platform that prove a copy complete. */
export interface Proof {
  isComplete: boolean
  /** Returns created before the export began, as the platform counts them; null if it does not count. */
  totalRecords: number | null
  /** Returns among those that were copied. */
  counted: number
  /** Read, and no longer there when it was counted: left out. */
  gone: number
  differences: readonly CountMismatch[]
}

export interface CopyOptions {
  source: PageSource
  spool: Spool
  /** Returns in the spool. */
  seen: SeenReturns
  /** Filter by creation. */
  filter: PageFilter
  /** Default 500. */
  pageSize?: number | undefined
  /** Called with the progress; may throw to end the copy. */
  onProgress?: ((done: number, total: number | undefined) => void) | undefined
}

/** Fills a spool with all that matches, each return once, and has that proven. */
export class ExportCopy implements Copied {
  readonly #options: CopyOptions
  readonly #gone = new Map<string, number>()
  /** Keys of all that is here may be asked for, not only of what a walk by date may meet again. */
  #knowsAll = false

  constructor(options: CopyOptions) {
    this.#options = options
  }

  async run(): Promise<Proof> {
    const { spool } = this.#options
    if (!spool.state.isWalked) {
      try {
        await this.#walk()
      } catch (error) {
        if (!(error instanceof Unsorted)) throw error
        const paged = await this.#copyByPage()
        if (paged.isComplete) return paged
        // Dates prove nothing here; where only counts were wrong, they still tell which part is missing.
        const compared = await this.#compare(paged)
        return compared.isComplete ? paged : compared
      }
    }
    return this.#compare()
  }

  /** All that is to be in the file. */
  async *records(): AsyncGenerator<Return, void, undefined> {
    for await (const record of this.#options.spool.each()) {
      if (this.#gone.size === 0 || !this.#gone.has(keyOf(record))) yield record
    }
  }

  count(span: Span): number {
    let gone = 0
    for (const createdMs of this.#gone.values()) {
      if (createdMs >= span.fromMs && createdMs < span.toMs + SECOND_MS) gone += 1
    }
    return this.#options.seen.count(span) - gone
  }

  async take({ records }: WalkedPage): Promise<void> {
    await this.#learnAll()
    await this.#keep(records, {})
  }

  async settle(span: Span, keys: ReadonlySet<string>): Promise<number> {
    let gone = 0
    for await (const record of this.records()) {
      const [key, createdMs] = [keyOf(record), createdAtOf(record)]
      const isInside = createdMs >= span.fromMs && createdMs < span.toMs + SECOND_MS
      if (!isInside || keys.has(key)) continue
      this.#gone.set(key, createdMs)
      gone += 1
    }
    return gone
  }

  async #walk(): Promise<void> {
    const { source, filter, spool, seen, pageSize = PAGE_SIZE } = this.#options
    let total: number | undefined
    for await (const walked of walkByDate({ source, filter, pageSize }, spool.state.position ?? undefined)) {
      await this.#keep(walked.records, { position: walked.next ?? null })
      total ??= (walked.page.totalRecords ?? Number.NaN) - walked.records.length + spool.records
      seen.forgetPassed(walked.next ?? null)
      this.#progress(total)
    }
    await spool.append([], { ...spool.state, isWalked: true })
  }

  /** Copies page by page if dates divide nothing. A pass during which nothing moved is the proof. */
  async #copyByPage(): Promise<Proof> {
    const { source, filter, spool, pageSize = PAGE_SIZE } = this.#options
    await this.#learnAll()
    let last: WalkedPage['page'] | undefined
    let whole: ReadonlySet<string> | undefined
    for await (const walked of walkByPage({ source, filter, pageSize })) {
      await this.#keep(walked.records, {})
      last = walked.page
      whole = walked.whole
      this.#progress(last.totalRecords)
    }
    if (whole !== undefined) {
      for await (const record of this.records()) {
        if (!whole.has(keyOf(record))) this.#gone.set(keyOf(record), createdAtOf(record))
      }
    }
    const gone = this.#gone.size
    const counted = spool.records - gone
    const totalRecords = last?.totalRecords ?? null
    return { isComplete: whole !== undefined, totalRecords, counted, gone, differences: [] }
  }

  async #compare(paged?: Proof): Promise<Proof> {
    const { source, filter, spool, pageSize = PAGE_SIZE } = this.#options
    const { createdFromMs: fromMs, createdToMs = Number.POSITIVE_INFINITY } = filter
    const untilMs = Math.min(spool.header.untilMs, createdToMs + SECOND_MS)
    // No return was old enough to exist when the export began.
    if (untilMs - 2 * SECOND_MS < (fromMs ?? 0)) return paged ?? this.#copyByPage()
    const compared = await compareWithPlatform(this, source, { pageSize, fromMs, untilMs })
    if (!compared.isDivisible) return paged ?? this.#copyByPage()
    const counted = this.count({ fromMs: fromMs ?? 0, toMs: untilMs - SECOND_MS })
    const { isComplete, inside: totalRecords, differences } = compared
    return { isComplete, totalRecords, counted, gone: this.#gone.size, differences }
  }

  async #keep(records: readonly Return[], progress: { position?: number | null }): Promise<void> {
    const { spool, seen } = this.#options
    const fresh = records.filter((record) => seen.add(record))
    const duplicates = spool.state.duplicates + records.length - fresh.length
    await spool.append(fresh, { ...spool.state, ...progress, duplicates })
  }

  /** A walk by date forgets what it is past. */
  async #learnAll(): Promise<void> {
    if (this.#knowsAll) return
    this.#knowsAll = true
    this.#options.seen.remember(await this.#options.spool.keys())
  }

  #progress(total: number | undefined): void {
    this.#options.onProgress?.(this.#options.spool.records, total)
  }
}
