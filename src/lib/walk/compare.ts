import type { PageFilter, PageSource } from './page-source.ts'
import { type WalkedPage, walkByPage } from './walk.ts'

const SECOND_MS = 1000
/** Most requests of one comparison before it gives up. */
const MAX_REQUESTS = 400

/** Ms since the epoch, whole seconds, both included with all of their fractions. */
export interface Span {
  fromMs: number
  toMs: number
}

export interface Copied {
  count(span: Span): Promise<number> | number
  take(page: WalkedPage): Promise<void>
  /** These are all that the platform has of that time: what else is here goes. @returns how many that were */
  settle(span: Span, keys: ReadonlySet<string>): Promise<number>
}

interface ComparisonRange {
  pageSize: number
  fromMs: number | undefined
  untilMs: number
}

/** A time of creation of which not as many are here as there, in the end. */
export interface CountMismatch extends Span {
  there: number | undefined
  here: number
}

interface Comparison {
  /** Returns that the platform counts in the range; null if it does not count. */
  inside: number | null
  /** Returns that the platform counts after the range. */
  rest: number | null
  /** Returns that the platform counts before the range. */
  earlier: number
  removed: number
  /** The parts add up: no return is left out by filters by date. */
  isDivisible: boolean
  /** Proven: as many here as there, of all times of creation, and of none besides. */
  isComplete: boolean
  differences: readonly CountMismatch[]
}

/**
 * Equal numbers mean equal returns, since all that was there has been copied. Where they differ, halves of the time are
 * compared, down to one page.
 */
export async function compareWithPlatform(
  copied: Copied,
  source: PageSource,
  { pageSize, fromMs, untilMs }: ComparisonRange,
): Promise<Comparison> {
  // The second that the copy began in may have gone on.
  const toMs = Math.floor(untilMs / SECOND_MS) * SECOND_MS - SECOND_MS
  const comparing = new Comparing(copied, source, pageSize)
  await comparing.mend({ fromMs: fromMs ?? 0, toMs })
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
  // Returns that no filter by date shows would be missing from every comparison.
  const rest = all - inside - earlier
  const isDivisible = later <= rest && rest <= laterStill
  return {
    inside,
    rest,
    earlier,
    removed,
    isDivisible,
    isComplete: differences.length === 0 && isDivisible,
    differences,
  }
}

class Comparing {
  removed = 0
  readonly differences: CountMismatch[] = []
  #requests = 0

  constructor(
    private readonly copied: Copied,
    private readonly source: PageSource,
    private readonly pageSize: number,
  ) {}

  async total(filter: PageFilter): Promise<number | undefined> {
    this.#requests += 1
    return (await this.source.page({ ...filter, limit: 1, page: 1 })).totalRecords
  }

  async mend(span: Span): Promise<void> {
    const there = await this.total({ createdFromMs: span.fromMs, createdToMs: span.toMs })
    const here = await this.copied.count(span)
    if (there === here) return
    if (there === undefined || this.#requests > MAX_REQUESTS) {
      this.differences.push({ ...span, there, here })
    } else if (there <= this.pageSize || span.toMs - span.fromMs < SECOND_MS) {
      await this.#readAgain(span, there)
    } else {
      const middle = Math.floor((span.fromMs + span.toMs) / 2 / SECOND_MS) * SECOND_MS
      await this.mend({ fromMs: span.fromMs, toMs: middle })
      await this.mend({ fromMs: middle + SECOND_MS, toMs: span.toMs })
    }
  }

  async #readAgain(span: Span, there: number): Promise<void> {
    const filter = { createdFromMs: span.fromMs, createdToMs: span.toMs }
    let whole: ReadonlySet<string> | undefined
    for await (const walked of walkByPage({ source: this.source, filter, pageSize: this.pageSize })) {
      this.#requests += 1
      await this.copied.take(walked)
      whole = walked.whole
    }
    if (whole !== undefined) this.removed += await this.copied.settle(span, whole)
    const here = await this.copied.count(span)
    if (whole?.size !== here) this.differences.push({ ...span, there: whole?.size ?? there, here })
  }
}
