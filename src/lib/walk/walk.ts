import { returnKey } from '../wire/plain.ts'
import type { Return } from '../wire/returns.ts'
import { parseServiceDate } from '../wire/time.ts'
import type { PageFilter, PageSource, SourcePage } from './page-source.ts'

const SECOND_MS = 1000
/** Maximum number of passes over a result that keeps changing. */
const MAX_PASSES = 4

export function wholeSecond(ms: number) {
  return Math.floor(ms / SECOND_MS) * SECOND_MS
}

export interface Walk {
  source: PageSource
  filter: PageFilter
  pageSize: number
}

/** Epoch milliseconds after which all returns were read. Undefined before the first page. */
type WalkPosition = number | undefined

export interface WalkedPage {
  records: readonly Return[]
  /** Resume point after these records: the last page is read again. */
  next: WalkPosition
  page: SourcePage
}

/** Thrown if the platform does not filter or sort by creation date. */
export class Unsorted extends Error {
  override readonly name = 'Unsorted'
}

/**
 * Yields all matching returns, newest first, each at least once, even if returns change meanwhile. Each
 * request asks for the first page of returns created up to the oldest one seen. Reads one page ahead.
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
    // Platforms may include the last second or not: ask for one second more.
    const second = wholeSecond(oldestMs)
    const isStuck = toMs !== undefined && second + SECOND_MS >= toMs
    const next = isStuck ? second - SECOND_MS : second + SECOND_MS
    const first = firstPage(walk, next)
    pending = isStuck ? first : first.then((below) => checkAbove(walk, { page, toMs }, next, below))
    // A caller that stops early never awaits this request: ignore its failure.
    pending.catch(() => {})
    if (isStuck) {
      // One second has more returns than a page holds.
      const { createdFromMs = 0 } = walk.filter
      const crowdedFromMs = Math.max(createdFromMs, second - 2 * SECOND_MS)
      const crowded = { ...walk.filter, createdFromMs: crowdedFromMs, createdToMs: toMs }
      for await (const { records, page: one } of walkByPage({ ...walk, filter: crowded })) {
        for (const record of records) checkCreated(createdMsOf(record), toMs)
        yield { records, next: toMs, page: one }
      }
    }
    // A resume reads this page again, since `checkAbove` compares each page with the next.
    yield { records: page.records, next: toMs, page }
    toMs = next
  }
}

function firstPage({ source, filter, pageSize }: Walk, toMs: number | undefined) {
  return source.page({ ...filter, createdToMs: toMs, limit: pageSize, page: 1 })
}

/** Counts again if the totals leave room for returns between this page and the next one. @throws Unsorted */
async function checkAbove(
  { source, filter }: Walk,
  { page, toMs }: { page: SourcePage; toMs: number | undefined },
  nextMs: number,
  next: SourcePage,
) {
  const fromMs = nextMs + SECOND_MS
  const above = page.records.map(createdMsOf).filter((ms) => ms !== undefined && ms >= fromMs)
  const { totalRecords = 0, nowMs } = page
  if (nowMs === undefined || totalRecords - above.length <= (next.totalRecords ?? 0)) return next
  const untilMs = Math.min(toMs ?? nowMs, wholeSecond(nowMs) - SECOND_MS)
  if (untilMs < fromMs) return next
  const query = { ...filter, createdFromMs: fromMs, createdToMs: untilMs, limit: 1, page: 1 }
  const { totalRecords: counted = 0 } = await source.page(query)
  if (counted > above.length) throw new Unsorted('more was created than came first')
  return next
}

function createdMsOf({ createdAt }: Return) {
  return parseServiceDate(createdAt)
}

/** @throws Unsorted */
function checkCreated(createdMs: number | undefined, toMs: number | undefined) {
  if (createdMs === undefined) throw new Unsorted('a return without a date of creation')
  if (toMs !== undefined && createdMs >= toMs + SECOND_MS) throw new Unsorted('created later than asked for')
  return createdMs
}

function checkOrder(records: readonly Return[], toMs: number | undefined) {
  let oldest: number | undefined
  for (const record of records) {
    const createdMs = checkCreated(createdMsOf(record), toMs)
    if (oldest !== undefined && createdMs > oldest) throw new Unsorted('not sorted by creation')
    oldest = createdMs
  }
  return oldest
}

interface PageWalk extends WalkedPage {
  /** Keys of all returns. Undefined before the last page, or if a return may have been missed. */
  whole: ReadonlySet<string> | undefined
}

/**
 * Walks page by page until one page holds all returns, or two passes agree with each other and with the
 * platform's count. In one pass a new return may push another one onto a page already read.
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
  /** True if another pass would find nothing new. */
  isOver: boolean
  /** Keys of the pass, if they are as many as the platform counts. */
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
    for (const record of page.records) seen.add(returnKey(record))
    first ??= page.totalRecords
    const isLast = (page.received ?? page.records.length) < pageSize || seen.size === known
    const isFull = isLast && page.totalRecords === first && seen.size === first
    const isWhole = isFull && (number === 1 || isSame(before, seen))
    yield { records: page.records, next: undefined, page, whole: isWhole ? seen : undefined }
    if (isLast) return { isOver: isWhole || first === undefined, full: isFull ? seen : undefined }
  }
}

function isSame(keys: ReadonlySet<string> | undefined, others: ReadonlySet<string>) {
  return keys?.size === others.size && [...others].every((key) => keys.has(key))
}
