import { MAX_PAGE_SIZE } from '../../../api/paginate.ts'
import {
  type ComparedCopy,
  type CountMismatch,
  compareWithPlatform,
  type Span,
} from '../../../walk/compare.ts'
import type { PageFilter, PageSource } from '../../../walk/page-source.ts'
import { Unsorted, type WalkedPage, walkByDate, walkByPage } from '../../../walk/walk.ts'
import { returnKey } from '../../../wire/plain.ts'
import type { Return } from '../../../wire/returns.ts'
import type { Spool } from './spool.ts'

const SECOND_MS = 1000

export interface Proof {
  isComplete: boolean
  /** Returns created before the export began, as the platform counts them; null if it does not count. */
  totalRecords: number | null
  counted: number
  /** Returns that were left out because they were deleted after being read. */
  gone: number
  differences: readonly CountMismatch[]
}

interface CopyOptions {
  source: PageSource
  spool: Spool
  filter: PageFilter
  pageSize?: number
  /** Called with the progress; may throw to end the copy. */
  onProgress?: (done: number, total: number | undefined) => void
}

export class ExportCopy implements ComparedCopy {
  readonly #gone = new Set<string>()

  constructor(private readonly options: CopyOptions) {}

  async run(): Promise<Proof> {
    const { spool } = this.options
    if (!spool.state.isWalked) {
      try {
        await this.#walk()
      } catch (error) {
        if (!(error instanceof Unsorted)) throw error
        const paged = await this.#copyByPage()
        if (paged.isComplete) return paged
        // Dates can't prove the copy complete, but may show which part is missing.
        const compared = await this.#compare(paged)
        return compared.isComplete ? paged : compared
      }
    }
    return this.#compare()
  }

  async *records(): AsyncGenerator<Return> {
    for await (const record of this.options.spool.each()) {
      if (!this.#gone.has(returnKey(record))) yield record
    }
  }

  count(span: Span): number {
    let count = 0
    for (const _ of this.#inside(span)) count += 1
    return count
  }

  async take({ records }: WalkedPage) {
    await this.options.spool.append(records, {})
  }

  async settle(span: Span, keys: ReadonlySet<string>): Promise<number> {
    const gone = [...this.#inside(span)].filter((key) => !keys.has(key))
    for (const key of gone) this.#gone.add(key)
    return gone.length
  }

  *#inside({ fromMs, toMs }: Span): Generator<string> {
    for (const [key, ms] of this.options.spool.created) {
      if (ms >= fromMs && ms < toMs + SECOND_MS && !this.#gone.has(key)) yield key
    }
  }

  async #walk() {
    const { source, filter, spool, pageSize = MAX_PAGE_SIZE } = this.options
    let total: number | undefined
    for await (const walked of walkByDate({ source, filter, pageSize }, spool.state.position ?? undefined)) {
      await spool.append(walked.records, { position: walked.next ?? null })
      total ??= (walked.page.totalRecords ?? Number.NaN) - walked.records.length + spool.created.size
      this.#progress(total)
    }
    await spool.append([], { isWalked: true })
  }

  /** Copies page by page if dates can't divide the result. A pass without changes is the proof. */
  async #copyByPage(): Promise<Proof> {
    const { source, filter, spool, pageSize = MAX_PAGE_SIZE } = this.options
    let last: WalkedPage['page'] | undefined
    let whole: ReadonlySet<string> | undefined
    for await (const walked of walkByPage({ source, filter, pageSize })) {
      await spool.append(walked.records, {})
      last = walked.page
      whole = walked.whole
      this.#progress(last.totalRecords)
    }
    for (const key of spool.created.keys()) if (whole && !whole.has(key)) this.#gone.add(key)
    const gone = this.#gone.size
    const counted = spool.created.size - gone
    const totalRecords = last?.totalRecords ?? null
    return { isComplete: whole !== undefined, totalRecords, counted, gone, differences: [] }
  }

  async #compare(paged?: Proof) {
    const { source, filter, spool, pageSize = MAX_PAGE_SIZE } = this.options
    const { createdFromMs: fromMs, createdToMs = Number.POSITIVE_INFINITY } = filter
    const untilMs = Math.min(spool.header.untilMs, createdToMs + SECOND_MS)
    // The compared range would be empty.
    if (untilMs - 2 * SECOND_MS < (fromMs ?? 0)) return paged ?? this.#copyByPage()
    const compared = await compareWithPlatform(this, source, { pageSize, fromMs, untilMs })
    if (!compared.doCountsAddUp) return paged ?? this.#copyByPage()
    const counted = this.count({ fromMs: fromMs ?? 0, toMs: untilMs - SECOND_MS })
    const { isComplete, inside, differences } = compared
    // The first count may include returns that were deleted since.
    const totalRecords = isComplete ? counted : inside
    return { isComplete, totalRecords, counted, gone: this.#gone.size, differences }
  }

  #progress(total: number | undefined) {
    this.options.onProgress?.(this.options.spool.created.size, total)
  }
}
