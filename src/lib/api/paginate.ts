import { keyOf } from '../wire/plain.ts'

interface Page<T> {
  records: readonly T[]
  totalRecords?: number | undefined
  totalPages?: number | undefined
}

export interface MovedInfo {
  duplicates: number
  firstTotal: number | undefined
  lastTotal: number | undefined
  emitted: number
}

interface PaginateOptions {
  pageSize: number
  maxRecords?: number | undefined
  onMoved?: ((info: MovedInfo) => void) | undefined
}

/** Spec §4.7. */
export const MAX_PAGE_SIZE = 500
const REMEMBERED_IDS = 20_000
/** Bounds for results that contradict themselves for ever. */
const MAX_STEPS_BACK = 50
const MAX_BARREN_PAGES = 50

/** Returns equal page sizes, as few pages as possible: 1200 → 400. */
export function pageSizeFor(limit: number): number {
  return Math.max(1, Math.ceil(limit / Math.max(1, Math.ceil(limit / MAX_PAGE_SIZE))))
}

/**
 * Yields each record once while the result changes. New records push known ones onto the next page: dropped by id. A
 * smaller total pulls unseen ones back: reading goes back as many pages. Memory stays constant.
 */
export async function* paginateReturns<T extends object>(
  fetchPage: (page: number, limit: number) => Promise<Page<T>>,
  { pageSize, maxRecords = Number.POSITIVE_INFINITY, onMoved }: PaginateOptions,
): AsyncGenerator<T, void, undefined> {
  const seen = new RecentIds()
  const pages = new PageOrder(pageSize)
  let emitted = 0
  let pending: Promise<Page<T>> | undefined = maxRecords > 0 ? fetchPage(1, pageSize) : undefined
  while (pending) {
    const page = await pending
    const fresh = page.records.filter((record) => seen.isNew(keyOf(record))).slice(0, maxRecords - emitted)
    const next = emitted + fresh.length < maxRecords ? pages.after(page, fresh.length) : undefined
    pending = next === undefined ? undefined : fetchPage(next, pageSize)
    // A consumer that stops early ignores this failure.
    pending?.catch(() => {})
    emitted += fresh.length
    yield* fresh
  }
  const isWhole = emitted < maxRecords
  const { firstTotal, lastTotal } = pages
  const differs = isWhole && lastTotal !== undefined && lastTotal !== emitted
  if (seen.duplicates > 0 || pages.isShifting || differs) {
    onMoved?.({ duplicates: seen.duplicates, firstTotal, lastTotal, emitted })
  }
}

/** Decides which page comes next. */
class PageOrder {
  firstTotal: number | undefined
  lastTotal: number | undefined
  isShifting = false
  readonly #pageSize: number
  #page = 1
  #received = 0
  #stepsBack = 0
  #barrenPages = 0
  #furthest = 0
  #arrived = 0
  #repeated = 0

  constructor(pageSize: number) {
    this.#pageSize = pageSize
  }

  after<T>({ records, totalRecords, totalPages }: Page<T>, freshCount: number): number | undefined {
    const growth = (totalRecords ?? 0) - (this.lastTotal ?? totalRecords ?? 0)
    this.firstTotal ??= totalRecords
    this.lastTotal = totalRecords ?? this.lastTotal
    if (growth !== 0) this.isShifting = true
    if (growth > 0) this.#arrived += growth
    const isReread = this.#page <= this.#furthest
    this.#furthest = Math.max(this.#furthest, this.#page)
    if (growth < 0 && this.#page > 1 && this.#stepsBack < MAX_STEPS_BACK) {
      this.#stepsBack += 1
      this.#page = Math.max(1, this.#page - Math.ceil(-growth / this.#pageSize))
      this.#received = (this.#page - 1) * this.#pageSize
      return this.#page
    }
    this.#received += records.length
    if (records.length === 0 || (!isReread && this.#isStuck(records.length, freshCount))) return undefined
    if (this.#isLast(records.length, totalRecords, totalPages)) return undefined
    this.#page += 1
    return this.#page
  }

  #isLast(count: number, totalRecords: number | undefined, totalPages: number | undefined): boolean {
    // Services may cap the page size.
    if (count < this.#pageSize) return totalPages === undefined || this.#page >= totalPages
    // One page more might be answered with 404.
    return totalPages !== undefined && this.#page >= totalPages && this.#received >= (totalRecords ?? 0)
  }

  /** True if a page brings less news than arrivals explain. */
  #isStuck(count: number, freshCount: number): boolean {
    this.#repeated += count - freshCount
    this.#barrenPages = freshCount === 0 ? this.#barrenPages + 1 : 0
    return this.#barrenPages > (this.#repeated <= this.#arrived ? MAX_BARREN_PAGES : 0)
  }
}

/** Remembers the latest ids: shifts are local. */
class RecentIds {
  duplicates = 0
  #former: ReadonlySet<string> = new Set()
  #ids = new Set<string>()

  isNew(key: string): boolean {
    if (this.#ids.has(key) || this.#former.has(key)) {
      this.duplicates += 1
      return false
    }
    if (this.#ids.size === REMEMBERED_IDS) {
      this.#former = this.#ids
      this.#ids = new Set()
    }
    this.#ids.add(key)
    return true
  }
}
