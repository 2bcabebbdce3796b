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
  there: number | undefined
  here: number
}

/**
 * Compares local and remote counts. Equal counts mean equal returns, since all were copied. Else it compares
 * halves of the time range, and reads single pages again.
 */
export async function compareWithPlatform(
  local: ComparedCopy,
  source: PageSource,
  { pageSize, fromMs, untilMs }: ComparisonRange,
) {
  // The second in which the copy began was not over.
  const toMs = wholeSecond(untilMs) - SECOND_MS
  const comparing = new Comparing(local, source, pageSize)
  await comparing.compareSpan({ fromMs: fromMs ?? 0, toMs })
  const [later, all, laterStill] = [
    await comparing.total({ createdFromMs: toMs + SECOND_MS }),
    await comparing.total({}),
    await comparing.total({ createdFromMs: toMs + SECOND_MS }),
  ]
  const inside = await comparing.total({ createdFromMs: fromMs, createdToMs: toMs })
  const earlier = fromMs === undefined ? 0 : await comparing.total({ createdToMs: fromMs - SECOND_MS })
  const { removed, differences } = comparing
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
      isDivisible: false,
      isComplete: false,
      differences,
    }
  }
  // If date filters hide a return, the rest exceeds the count of later returns.
  const rest = all - inside - earlier
  const isDivisible = later <= rest && rest <= laterStill
  return {
    /** Returns that the platform counts in the range; null if it does not count. */
    inside,
    /** Returns that the platform counts after the range. */
    rest,
    /** Returns that the platform counts before the range. */
    earlier,
    removed,
    /** True if the counts by date add up: date filters miss no return. */
    isDivisible,
    /** True if the local and remote counts agree for every creation time. */
    isComplete: differences.length === 0 && isDivisible,
    differences,
  }
}

class Comparing {
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
    const there = await this.total({ createdFromMs: span.fromMs, createdToMs: span.toMs })
    const here = await this.local.count(span)
    if (there === here) return
    if (there === undefined || this.#requests > MAX_REQUESTS) {
      this.differences.push({ ...span, there, here })
    } else if (there <= this.pageSize || span.toMs - span.fromMs < SECOND_MS) {
      await this.#readAgain(span, there)
    } else {
      const middle = wholeSecond((span.fromMs + span.toMs) / 2)
      await this.compareSpan({ fromMs: span.fromMs, toMs: middle })
      await this.compareSpan({ fromMs: middle + SECOND_MS, toMs: span.toMs })
    }
  }

  async #readAgain(span: Span, there: number) {
    const filter = { createdFromMs: span.fromMs, createdToMs: span.toMs }
    let whole: ReadonlySet<string> | undefined
    for await (const walked of walkByPage({ source: this.source, filter, pageSize: this.pageSize })) {
      this.#requests += 1
      await this.local.take(walked)
      whole = walked.whole
    }
    if (whole !== undefined) this.removed += await this.local.settle(span, whole)
    const here = await this.local.count(span)
    if (whole?.size !== here) this.differences.push({ ...span, there: whole?.size ?? there, here })
  }
}
