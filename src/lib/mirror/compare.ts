import { countHeld, removeOthers, type Span } from './held.ts'
import type { MirrorSource, PageFilter } from './source.ts'
import type { MirrorStore } from './store.ts'
import { walkByPage } from './walk.ts'

const SECOND_MS = 1000
/** What one comparison may ask at most, before it gives up saying that all is there. */
const MAX_REQUESTS = 400

export interface ComparisonRange {
  pageSize: number
  /** Ms since the epoch; what was created before is not kept. */
  keepFromMs: number | undefined
  /** What was created before was copied. */
  untilMs: number
}

export interface Comparison {
  /** Of what is kept; null where the platform does not count. */
  platformTotal: number | null
  removed: number
  /** The parts add up: no return is left out by filters by date. */
  isDivisible: boolean
  /** Proven: as many here as there, of all times of creation, and of none besides. */
  isComplete: boolean
}

/**
 * Counts what the platform has against what is here. All that was there has been copied, so that equal numbers mean
 * equal returns. Where they differ, halves of the time are compared, down to what one page shows; what is not there
 * any more is removed here.
 */
export async function compareWithPlatform(
  mirror: MirrorStore,
  source: MirrorSource,
  { pageSize, keepFromMs, untilMs }: ComparisonRange,
): Promise<Comparison> {
  // The second that the copy began in may have gone on.
  const toMs = Math.floor(untilMs / SECOND_MS) * SECOND_MS - SECOND_MS
  const comparing = new Comparing(mirror, source, pageSize)
  const span = { fromMs: keepFromMs ?? 0, toMs }
  const isEqual = await comparing.mend(span)
  const [later, all, laterStill] = [
    await comparing.total({ createdFromMs: toMs + SECOND_MS }),
    await comparing.total({}),
    await comparing.total({ createdFromMs: toMs + SECOND_MS }),
  ]
  const inside = await comparing.total({ createdFromMs: keepFromMs, createdToMs: toMs })
  const earlier =
    keepFromMs === undefined ? 0 : await comparing.total({ createdToMs: keepFromMs - SECOND_MS })
  const { removed } = comparing
  if ([later, all, laterStill, inside, earlier].includes(undefined)) {
    return { platformTotal: null, removed, isDivisible: false, isComplete: false }
  }
  const count = (total: number | undefined) => total ?? 0
  // What no filter by date shows would be missing from every one of them.
  const rest = count(all) - count(inside) - count(earlier)
  const isDivisible = count(later) <= rest && rest <= count(laterStill)
  return { platformTotal: count(inside) + rest, removed, isDivisible, isComplete: isEqual && isDivisible }
}

class Comparing {
  removed = 0
  #requests = 0

  constructor(
    private readonly mirror: MirrorStore,
    private readonly source: MirrorSource,
    private readonly pageSize: number,
  ) {}

  async total(filter: PageFilter): Promise<number | undefined> {
    this.#requests += 1
    return (await this.source.page({ ...filter, limit: 1, page: 1 })).totalRecords
  }

  /** Whether as many are here as there, in the end. */
  async mend(span: Span): Promise<boolean> {
    const there = await this.total({ createdFromMs: span.fromMs, createdToMs: span.toMs })
    if (there === undefined || this.#requests > MAX_REQUESTS) return false
    if (there === (await countHeld(this.mirror.db, span))) return true
    if (there <= this.pageSize || span.toMs - span.fromMs < SECOND_MS) return this.#readAgain(span)
    const middle = Math.floor((span.fromMs + span.toMs) / 2 / SECOND_MS) * SECOND_MS
    const older = await this.mend({ fromMs: span.fromMs, toMs: middle })
    const newer = await this.mend({ fromMs: middle + SECOND_MS, toMs: span.toMs })
    return older && newer
  }

  async #readAgain(span: Span): Promise<boolean> {
    const filter = { createdFromMs: span.fromMs, createdToMs: span.toMs }
    let whole: ReadonlySet<string> | undefined
    for await (const walked of walkByPage({ source: this.source, filter, pageSize: this.pageSize })) {
      this.#requests += 1
      const syncedAt = new Date(walked.page.nowMs ?? Date.now()).toISOString()
      await this.mirror.apply(walked.records.map((record) => ({ record, syncedAt })))
      whole = walked.whole
    }
    if (whole === undefined) return false
    this.removed += await removeOthers(this.mirror.db, whole, span)
    return whole.size === (await countHeld(this.mirror.db, span))
  }
}
