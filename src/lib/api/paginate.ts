import { counted } from '../wire/counted.ts'
import { returnKey } from '../wire/plain.ts'
import { joinParts } from '../wire/raw.ts'

interface Page<T> {
  records: readonly T[]
  totalRecords?: number
  totalPages?: number
}

export interface ResultChange {
  duplicates: number
  firstTotal: number | undefined
  lastTotal: number | undefined
  emitted: number
}

interface PaginateOptions {
  pageSize: number
  maxRecords?: number
  onResultChanged?: (info: ResultChange) => void
}

/** Spec §4.7. */
export const MAX_PAGE_SIZE = 500
const REMEMBERED_IDS = 20_000
/** Bounds of the walk through a result whose totals and pages never agree. */
const MAX_STEPS_BACK = 50
const MAX_PAGES_WITHOUT_NEW = 50

/** Returns the size of equal pages, as few as possible: 1200 → 400. */
export function pageSizeFor(limit: number): number {
  return Math.max(1, Math.ceil(limit / Math.max(1, Math.ceil(limit / MAX_PAGE_SIZE))))
}

/**
 * Yields each record once while the result changes. New records push known ones onto the next page, where they are
 * dropped by id. Removed records pull unseen ones back, so that reading goes back as many pages. Memory stays constant.
 */
export async function* paginateReturns<T extends object>(
  fetchPage: (page: number, limit: number) => Promise<Page<T>>,
  { pageSize, maxRecords = Number.POSITIVE_INFINITY, onResultChanged }: PaginateOptions,
): AsyncGenerator<T, void, undefined> {
  const seen = new RecentIds()
  const pages = pageOrder(pageSize)
  let emitted = 0
  let pending: Promise<Page<T>> | undefined = maxRecords > 0 ? fetchPage(1, pageSize) : undefined
  while (pending) {
    const page = await pending
    const fresh = page.records
      .filter((record) => seen.isNew(returnKey(record)))
      .slice(0, maxRecords - emitted)
    const next = emitted + fresh.length < maxRecords ? pages.after(page, fresh.length) : undefined
    pending = next === undefined ? undefined : fetchPage(next, pageSize)
    // A consumer that stops early ignores this failure.
    pending?.catch(() => {})
    emitted += fresh.length
    yield* fresh
  }
  const isWhole = emitted < maxRecords
  const { first: firstTotal, last: lastTotal } = pages.totals
  const differs = isWhole && lastTotal !== undefined && lastTotal !== emitted
  if (seen.duplicates > 0 || pages.isShifting() || differs) {
    onResultChanged?.({ duplicates: seen.duplicates, firstTotal, lastTotal, emitted })
  }
}

export function resultChangeText({ duplicates, firstTotal, lastTotal, emitted }: ResultChange): string {
  const facts = [
    `${counted(emitted, 'return was', 'returns were')} read`,
    lastTotal === undefined ? '' : `the service counts ${lastTotal}`,
    firstTotal === lastTotal ? '' : `at first it counted ${firstTotal}`,
    duplicates === 0 ? '' : `${duplicates} came twice and ${duplicates === 1 ? 'was' : 'were'} dropped`,
  ]
  return `The returns changed while they were read: ${joinParts(facts)}.`
}

function pageOrder(pageSize: number) {
  const totals = { first: undefined as number | undefined, last: undefined as number | undefined }
  let isShifting = false
  let [page, received, stepsBack, pagesWithoutNew] = [1, 0, 0, 0]
  let [furthest, arrived, repeated] = [0, 0, 0]
  let firstCount: number | undefined

  const isLast = (count: number, totalRecords = 0, totalPages = Number.NaN) => {
    // Services may cap the page size, and count the pages by what was asked.
    const isCapped = count === firstCount && received < totalRecords
    if (count < pageSize) return !(page < totalPages || isCapped)
    // A page after the last might be answered with 404.
    return page >= totalPages && received >= totalRecords
  }

  /** True if more pages repeat known records than new arrivals explain. */
  const isStuck = (count: number, freshCount: number) => {
    repeated += count - freshCount
    pagesWithoutNew = freshCount === 0 ? pagesWithoutNew + 1 : 0
    return pagesWithoutNew > (repeated <= arrived ? MAX_PAGES_WITHOUT_NEW : 0)
  }

  return {
    totals,
    isShifting: () => isShifting,
    after<T>({ records, totalRecords, totalPages }: Page<T>, freshCount: number) {
      const total = totalRecords ?? totals.last
      const growth = (total ?? 0) - (totals.last ?? total ?? 0)
      totals.first ??= total
      totals.last = total
      if (growth !== 0) isShifting = true
      if (growth > 0) arrived += growth
      const isReread = page <= furthest
      furthest = Math.max(furthest, page)
      if (growth < 0 && page > 1 && stepsBack < MAX_STEPS_BACK) {
        stepsBack += 1
        page = Math.max(1, page - Math.ceil(-growth / pageSize))
        received = (page - 1) * pageSize
        return page
      }
      received += records.length
      firstCount ??= records.length
      if (records.length === 0 || (!isReread && isStuck(records.length, freshCount))) return undefined
      if (isLast(records.length, totalRecords, totalPages)) return undefined
      page += 1
      return page
    },
  }
}

/** Remembers only the latest ids, since records move by few pages. */
class RecentIds {
  duplicates = 0
  #former: ReadonlySet<string> = new Set()
  #ids = new Set<string>()

  isNew(key: string) {
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
