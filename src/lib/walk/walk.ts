import { keyOf } from '../wire/plain.ts'
import type { Return } from '../wire/returns.ts'
import { parseServiceDate } from '../wire/time.ts'
import type { PageFilter, PageSource, SourcePage } from './page-source.ts'

const SECOND_MS = 1000
/** How often pages are gone through again before a result that keeps changing is taken as it is. */
const MAX_PASSES = 4

export interface Walk {
  source: PageSource
  filter: PageFilter
  pageSize: number
}

/** Up to where a walk has come: what was created later is done. Undefined at its beginning. */
type WalkPosition = number | undefined

export interface WalkedPage {
  records: readonly Return[]
  /** Resume point after these records: the last page is read again. */
  next: WalkPosition
  page: SourcePage
}

/** The platform does not filter or sort by creation, so that its result can't be cut by dates. */
export class Unsorted extends Error {
  override readonly name = 'Unsorted'
}

/**
 * Walks through all returns that match, newest first, each at least once, whatever happens meanwhile: it always asks for
 * the first page of what was created up to the oldest one seen. The next page is fetched while one is worked on.
 *
 * @throws Unsorted
 */
export async function* walkByDate(walk: Walk, from: WalkPosition): AsyncGenerator<WalkedPage> {
  let toMs = from ?? walk.filter.createdToMs
  let pending: Promise<SourcePage> | undefined = firstPage(walk, toMs)
  while (pending) {
    const page: SourcePage = await pending
    const oldestMs = checkOrder(page.records, toMs)
    const isLast = page.records.length === 0 || page.records.length === page.totalRecords
    if (isLast || oldestMs === undefined) {
      yield { records: page.records, next: toMs, page }
      return
    }
    // Whether a platform counts the last second in, and fractions of it, is its own affair: one more is asked for.
    const second = Math.floor(oldestMs / SECOND_MS) * SECOND_MS
    const isStuck = toMs !== undefined && second + SECOND_MS >= toMs
    const next = isStuck ? second - SECOND_MS : second + SECOND_MS
    if (!isStuck)
      pending = firstPage(walk, next).then((below) => checkAbove(walk, { page, toMs }, next, below))
    else pending = firstPage(walk, next)
    // The caller may stop before it is awaited; its failure is then nobody's business.
    pending.catch(() => {})
    if (isStuck) {
      // More in a second than a page holds.
      const { createdFromMs = 0 } = walk.filter
      const crowdedFromMs = Math.max(createdFromMs, second - 2 * SECOND_MS)
      const crowded = { ...walk.filter, createdFromMs: crowdedFromMs, createdToMs: toMs }
      for await (const { records, page: one } of walkByPage({ ...walk, filter: crowded })) {
        for (const record of records) checkCreated(createdMsOf(record), toMs)
        yield { records, next: toMs, page: one }
      }
    }
    // Resume point of the walk. It differs from the next request, which would not show whether this page left out any.
    yield { records: page.records, next: toMs, page }
    toMs = next
  }
}

function firstPage({ source, filter, pageSize }: Walk, toMs: number | undefined): Promise<SourcePage> {
  return source.page({ ...filter, createdToMs: toMs, limit: pageSize, page: 1 })
}

/**
 * Asks for more where the counts leave room for returns that were created between this page and the next one.
 *
 * @throws Unsorted
 */
async function checkAbove(
  { source, filter }: Walk,
  { page, toMs }: { page: SourcePage; toMs: number | undefined },
  nextMs: number,
  next: SourcePage,
): Promise<SourcePage> {
  const fromMs = nextMs + SECOND_MS
  const above = page.records.map(createdMsOf).filter((ms) => ms !== undefined && ms >= fromMs)
  const { totalRecords = 0, nowMs } = page
  if (nowMs === undefined || totalRecords - above.length <= (next.totalRecords ?? 0)) return next
  const untilMs = Math.min(toMs ?? nowMs, Math.floor(nowMs / SECOND_MS) * SECOND_MS - SECOND_MS)
  if (untilMs < fromMs) return next
  const query = { ...filter, createdFromMs: fromMs, createdToMs: untilMs, limit: 1, page: 1 }
  const { totalRecords: counted = 0 } = await source.page(query)
  if (counted > above.length) throw new Unsorted('more was created than came first')
  return next
}

function createdMsOf({ createdAt }: Return): number | undefined {
  return typeof createdAt === 'string' ? parseServiceDate(createdAt) : undefined
}

/** @throws Unsorted */
function checkCreated(createdMs: number | undefined, toMs: number | undefined): number {
  if (createdMs === undefined) throw new Unsorted('a return without a date of creation')
  if (toMs !== undefined && createdMs >= toMs + SECOND_MS) throw new Unsorted('created later than asked for')
  return createdMs
}

function checkOrder(records: readonly Return[], toMs: number | undefined): number | undefined {
  let oldest: number | undefined
  for (const record of records) {
    const createdMs = checkCreated(createdMsOf(record), toMs)
    if (oldest !== undefined && createdMs > oldest) throw new Unsorted('not sorted by creation')
    oldest = createdMs
  }
  return oldest
}

interface PageWalk extends WalkedPage {
  /** After the last page, where nothing can have been missed: the keys of all. */
  whole: ReadonlySet<string> | undefined
}

/**
 * Walks page by page until one page held all, or two passes met the same, as many as the platform counts. In one pass a
 * new return may push another out of sight.
 */
export async function* walkByPage(walk: Walk): AsyncGenerator<PageWalk> {
  let before: ReadonlySet<string> | undefined
  for (let number = 1; number <= MAX_PASSES; number += 1) {
    const { isOver, full }: Pass = yield* passByPage(walk, before)
    if (isOver) return
    before = full
  }
}

interface Pass {
  /** Another pass would tell no more. */
  isOver: boolean
  /** Keys that were met, if they are as many as the platform counts. */
  full: ReadonlySet<string> | undefined
}

async function* passByPage(
  { source, filter, pageSize }: Walk,
  before: ReadonlySet<string> | undefined,
): AsyncGenerator<PageWalk, Pass, undefined> {
  const seen = new Set<string>()
  let first: number | undefined
  for (let number = 1; ; number += 1) {
    const page = await source.page({ ...filter, limit: pageSize, page: number })
    const known = seen.size
    for (const record of page.records) seen.add(keyOf(record))
    first ??= page.totalRecords
    const isLast = (page.received ?? page.records.length) < pageSize || seen.size === known
    const isFull = isLast && page.totalRecords === first && seen.size === first
    const isWhole = isFull && (number === 1 || isSame(before, seen))
    yield { records: page.records, next: undefined, page, whole: isWhole ? seen : undefined }
    if (isLast) return { isOver: isWhole || first === undefined, full: isFull ? seen : undefined }
  }
}

function isSame(keys: ReadonlySet<string> | undefined, others: ReadonlySet<string>): boolean {
  return keys?.size === others.size && [...others].every((key) => keys.has(key))
}
