import type { PageFilter, PageSource } from './page-source.ts'
import { type WalkedPage, walkByPage, wholeSecond } from './walk.ts'

const SECOND_MS = 1000
/** Most requests of one comparison before it gives up. */
const MAX_REQUESTS = 400

/** Inclusive range in epoch milliseconds, rounded to whole seconds. */
export interface Span {
  fromMs: number
  toMs: number
}

export interface ComparedCopy {
  count(span: Span): Promise<number> | number
  take(page: WalkedPage): Promise<void>
  /** Removes copies in the span whose keys the platform lacks. @returns number of removed returns */
  settle(span: Span, keys: ReadonlySet<string>): Promise<number>
}

interface ComparisonRange {
  pageSize: number
  fromMs: number | undefined
  untilMs: number
}

/** Creation times for which the local and remote counts differ. */
export interface CountMismatch extends Span {
  remoteCount: number | undefined
  localCount: number
}

/**
 * Compares local and remote counts. Equal counts mean equal returns, since all were copied. A time range whose counts
 * differ is halved, down to a page, which is read again.
 */
export async function compareWithPlatform(
  local: ComparedCopy,
  source: PageSource,
  { pageSize, fromMs, untilMs }: ComparisonRange,
) {
  // The last second may have got returns after the copy began.
  const toMs = wholeSecond(untilMs) - SECOND_MS
  const comparison = new Comparison(local, source, pageSize)
  await comparison.compareSpan({ fromMs: fromMs ?? 0, toMs })
  const [later, all, laterStill] = [
    await comparison.total({ createdFromMs: toMs + SECOND_MS }),
    await comparison.total({}),
    await comparison.total({ createdFromMs: toMs + SECOND_MS }),
  ]
  const inside = await comparison.total({ createdFromMs: fromMs, createdToMs: toMs })
  const earlier = fromMs === undefined ? 0 : await comparison.total({ createdToMs: fromMs - SECOND_MS })
  const { removed, differences } = comparison
  if (
    later === undefined ||
    all === undefined ||
    laterStill === undefined ||
    inside === undefined ||
    earlier === undefined
  ) {
    return {
      inside: null,
      rest: null,
      earlier: 0,
      removed,
      doCountsAddUp: false,
      isComplete: false,
      differences,
    }
  }
  // If date filters hide a return, the rest exceeds the count of later returns.
  const rest = all - inside - earlier
  const doCountsAddUp = later <= rest && rest <= laterStill
  return {
    /** Platform's count of returns in the range; null if it does not count. */
    inside,
    /** Platform's count after the range. */
    rest,
    /** Platform's count before the range. */
    earlier,
    removed,
    /** True if the counts by date add up: date filters miss no return. */
    doCountsAddUp,
    /** True if the local and remote counts agree for every creation time. */
    isComplete: differences.length === 0 && doCountsAddUp,
    differences,
  }
}

class Comparison {
  removed = 0
  readonly differences: CountMismatch[] = []
  #requests = 0

  constructor(
    private readonly local: ComparedCopy,
    private readonly source: PageSource,
    private readonly pageSize: number,
  ) {}

  async total(filter: PageFilter) {
    this.#requests += 1
    return (await this.source.page({ ...filter, limit: 1, page: 1 })).totalRecords
  }

  async compareSpan(span: Span) {
    const remoteCount = await this.total({ createdFromMs: span.fromMs, createdToMs: span.toMs })
    const localCount = await this.local.count(span)
    if (remoteCount === localCount) return
    if (remoteCount === undefined || this.#requests > MAX_REQUESTS) {
      this.differences.push({ ...span, remoteCount, localCount })
    } else if (remoteCount <= this.pageSize || span.toMs - span.fromMs < SECOND_MS) {
      await this.#readAgain(span, remoteCount)
    } else {
      const middle = wholeSecond((span.fromMs + span.toMs) / 2)
      await this.compareSpan({ fromMs: span.fromMs, toMs: middle })
      await this.compareSpan({ fromMs: middle + SECOND_MS, toMs: span.toMs })
    }
  }

  async #readAgain(span: Span, countedBefore: number) {
    const filter = { createdFromMs: span.fromMs, createdToMs: span.toMs }
    let whole: ReadonlySet<string> | undefined
    for await (const walked of walkByPage({ source: this.source, filter, pageSize: this.pageSize })) {
      this.#requests += 1
      await this.local.take(walked)
      whole = walked.whole
    }
    if (whole !== undefined) this.removed += await this.local.settle(span, whole)
    const localCount = await this.local.count(span)
    if (whole?.size === localCount) return
    this.differences.push({ ...span, remoteCount: whole?.size ?? countedBefore, localCount })
  }
}
