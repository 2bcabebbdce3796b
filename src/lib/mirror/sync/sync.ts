import { compareWithPlatform } from '../../walk/compare.ts'
import type { PageFilter, SourcePage } from '../../walk/page-source.ts'
import { Unsorted, type Walk, type WalkedPage, walkByDate, walkByPage, wholeSecond } from '../../walk/walk.ts'
import { plainDate } from '../../wire/plain.ts'
import { countReturns } from '../stats/facts.ts'
import { clearMirror } from '../store/apply.ts'
import { removeBefore } from '../store/forget.ts'
import type { MirrorStore } from '../store/open.ts'
import type { Applied } from '../store/read.ts'
import { INITIAL_STATE, readPolicy, readState, type SyncState, writeState } from '../store/state.ts'
import { copyDetails, type MirrorSource } from './details.ts'
import {
  countHeld,
  mirroredCopy,
  removeUnlisted,
  takePage,
  UpdatesIgnoredError,
  walkChanges,
} from './steps.ts'

const DAY_MS = 86_400_000
/** Below the service's limit of 500 (spec §4.7): two pages are in memory at once. */
const PAGE_SIZE = 200
/** Exceeds a platform's delay in showing a change and the differences of its clocks. */
const OVERLAP_MS = 5 * 60_000

export interface SyncSummary extends Applied {
  kind: 'full' | 'changes'
  /** Returns that the platform no longer has, or that are older than what is kept. */
  removed: number
  detailed: number
  held: number
  platformTotal: number | null
  notKept: SyncState['notKept']
  isComplete: boolean
}

export type SyncProgress =
  | { phase: 'returns' | 'details'; done: number; total: number | undefined }
  | { phase: 'comparing' }
  /** `unread`: number of returns whose transports or refunds the platform did not give. */
  | { phase: 'done'; summary: SyncSummary; unread: number }

interface SyncOptions {
  mirror: MirrorStore
  source: MirrorSource
  /** Clock of this machine, in epoch milliseconds. */
  clock: { now(): number }
  isFull?: boolean
  skipsComparison?: boolean
  skipsDetails?: boolean
  /** True to throw `OtherDataError` for another sandbox's data instead of replacing the copy. */
  keepsOtherData?: boolean
  pageSize?: number
}

/** Thrown if the answers come from another sandbox, or from one that was reset. */
export class OtherDataError extends Error {
  override readonly name = 'OtherDataError'

  constructor(readonly sandboxId: string | undefined) {
    super('the answers are about other data')
  }
}

/**
 * Copies all returns, or those changed since the last sync. Saves its progress with each page. Callers have
 * to hold `MirrorStore.exclusively`.
 * @throws OtherDataError with `keepsOtherData`, and errors of requests and of the database
 */
export async function* syncMirror(options: SyncOptions): AsyncGenerator<SyncProgress> {
  const session = new SyncSession(options, await readState(options.mirror.db))
  try {
    yield* session.run()
  } catch (error) {
    const isOther = error instanceof OtherDataError
    if (!isOther || (options.keepsOtherData && error.sandboxId !== undefined)) throw error
    await clearMirror(options.mirror.db)
    yield* new SyncSession(options, INITIAL_STATE).run()
  }
}

class SyncSession {
  readonly #pageSize: number
  readonly #counts = { added: 0, changed: 0, same: 0, refused: 0, removed: 0 }
  #keepDays: number | null = null
  #forgottenBeforeMs = 0
  #keepFromMs: number | undefined
  /** Number of returns, if a walk page by page proved that it missed none. */
  #provenTotal: number | undefined
  /** Returns that the platform counts, by the last page read. */
  #total: number | undefined
  #kind: SyncSummary['kind'] = 'changes'

  constructor(
    private readonly options: SyncOptions,
    private state: SyncState,
  ) {
    this.#pageSize = options.pageSize ?? PAGE_SIZE
  }

  async *run(): AsyncGenerator<SyncProgress> {
    const { mirror, source, clock, isFull, skipsComparison, skipsDetails } = this.options
    const { choices, createdFrom } = await readPolicy(mirror.db)
    this.#keepDays = choices.keepDays
    this.#forgottenBeforeMs = createdFrom === undefined ? 0 : Date.parse(createdFrom)
    const { markMs, full, ignoresUpdates } = this.state
    if (isFull || markMs === null || full !== null || ignoresUpdates) yield* this.#copyAll()
    else yield* this.#copyChanges(markMs)
    if (!skipsComparison) {
      yield { phase: 'comparing' }
      yield* this.#compare()
    }
    if (this.#keepFromMs !== undefined)
      this.#counts.removed += await removeBefore(mirror.db, this.#keepFromMs)
    const syncedMs = clock.now()
    this.state = { ...this.state, syncedMs }
    if (!skipsComparison) this.state.comparedMs = syncedMs
    await writeState(mirror.db, this.state)
    let [detailed, unread] = [0, 0]
    if (!skipsDetails) {
      for await (const step of copyDetails(mirror.db, source, choices, this.state.markMs ?? 0)) {
        unread = step.unread
        detailed = step.done - unread
        yield { phase: 'details', ...step }
      }
    }
    const held = await countReturns(mirror.db, {})
    const { isComplete, platformTotal, notKept } = this.state
    yield {
      phase: 'done',
      unread,
      summary: { kind: this.#kind, ...this.#counts, detailed, held, platformTotal, notKept, isComplete },
    }
  }

  async *#compare(): AsyncGenerator<SyncProgress> {
    const { mirror, source, clock } = this.options
    if (!this.state.ignoresDates) {
      const [pageSize, keepFromMs] = [this.#pageSize, this.#keepFromMs]
      const range = { pageSize, fromMs: keepFromMs, untilMs: this.state.markMs ?? clock.now() }
      const compared = await compareWithPlatform(mirroredCopy(mirror.db), source, range)
      this.#counts.removed += compared.removed
      const { inside, rest, earlier: returns, isComplete, doCountsAddUp } = compared
      const platformTotal = inside === null || rest === null ? null : inside + rest
      const notKept = returns > 0 ? { returns, createdBefore: new Date(keepFromMs ?? 0).toISOString() } : null
      this.state = { ...this.state, platformTotal, notKept, isComplete }
      if (doCountsAddUp) return
      yield* this.#copyByPage()
    } else if (this.#provenTotal === undefined) {
      const { totalRecords } = await source.page({ limit: 1, page: 1 })
      if (totalRecords === (await countHeld(mirror.db, undefined))) this.#provenTotal = totalRecords
      else yield* this.#copyByPage()
    }
    this.state = {
      ...this.state,
      platformTotal: this.#provenTotal ?? this.#total ?? null,
      isComplete: this.#provenTotal !== undefined,
    }
  }

  /** Copies all returns by creation date, then those changed meanwhile. */
  async *#copyAll(): AsyncGenerator<SyncProgress> {
    this.#kind = 'full'
    const { mirror, source, clock } = this.options
    const now = await source.page({ limit: 1, page: 1 })
    this.#checkSource(now)
    const startedMs = now.nowMs ?? clock.now()
    const isResumed = this.state.full !== null
    let isLaterPage = false
    const full = this.state.full ?? { position: null, startedMs, done: 0, total: null }
    try {
      for await (const walked of walkByDate(this.#walk(this.#keptFilter()), full.position ?? undefined)) {
        full.total ??= walked.page.totalRecords ?? null
        // A resumed copy reads the last page again.
        if (!isResumed || isLaterPage) full.done += walked.records.length
        isLaterPage = true
        full.position = walked.next ?? null
        await this.#take(walked, { full: { ...full } })
        yield { phase: 'returns', done: full.done, total: full.total ?? undefined }
      }
    } catch (error) {
      if (!(error instanceof Unsorted)) throw error
      this.state = { ...this.state, ignoresDates: true }
      yield* this.#copyByPage()
    }
    this.state = { ...this.state, full: null, markMs: full.startedMs, fullMs: clock.now() }
    await writeState(mirror.db, this.state)
    if (isResumed || !this.state.ignoresUpdates) yield* this.#copyChanges(full.startedMs)
  }

  /** Copies returns changed since `sinceMs`, or created since if the platform ignores that filter. */
  async *#copyChanges(sinceMs: number): AsyncGenerator<SyncProgress> {
    const fromMs = wholeSecond(sinceMs - OVERLAP_MS)
    const filter = this.state.ignoresUpdates
      ? { createdFromMs: Math.max(fromMs, this.#keepFromMs ?? 0) }
      : { ...this.#keptFilter(), updatedFromMs: fromMs }
    let markMs: number | undefined
    let isMissing = false
    let done = 0
    try {
      for await (const walked of walkChanges(this.#walk(filter))) {
        // The walk may miss changes made after its first answer.
        markMs ??= walked.page.nowMs ?? this.options.clock.now()
        await this.#take(walked, {})
        isMissing = walked.isShort
        done += walked.records.length
        yield { phase: 'returns', done, total: undefined }
      }
    } catch (error) {
      if (!(error instanceof UpdatesIgnoredError)) throw error
      this.state = { ...this.state, ignoresUpdates: true }
      if (this.#kind === 'changes') yield* this.#copyAll()
      else yield* this.#copyChanges(sinceMs)
      return
    }
    if (markMs !== undefined && !isMissing) this.state = { ...this.state, markMs }
  }

  async *#copyByPage(): AsyncGenerator<SyncProgress> {
    let done = 0
    for await (const walked of walkByPage(this.#walk({}))) {
      await this.#take(walked, {})
      done += walked.records.length
      this.#total = walked.page.totalRecords
      yield { phase: 'returns', done, total: this.#total }
      if (walked.whole === undefined) continue
      this.#provenTotal = walked.whole.size
      this.#counts.removed += await removeUnlisted(this.options.mirror.db, walked.whole, undefined)
    }
  }

  #walk(filter: PageFilter): Walk {
    return { source: this.options.source, filter, pageSize: this.#pageSize }
  }

  #keptFilter(): PageFilter {
    return { createdFromMs: this.#keepFromMs }
  }

  /** Checks the sandbox id of an answer and notes the platform's time. */
  #checkSource({ sandboxId = undefined, nowMs }: SourcePage) {
    const { sandboxId: known, markMs, full } = this.state
    const isNew = markMs === null && full === null
    if (!isNew && (sandboxId ?? null) !== known) throw new OtherDataError(sandboxId)
    const clockAheadMs = nowMs === undefined ? null : nowMs - this.options.clock.now()
    this.state = { ...this.state, sandboxId: sandboxId ?? null, clockAheadMs }
    // Whole UTC days: two syncs on one day keep the same returns.
    const today = Math.floor((nowMs ?? this.options.clock.now()) / DAY_MS)
    const keptSinceMs = this.#keepDays === null ? 0 : (today - this.#keepDays) * DAY_MS
    const keepFromMs = Math.max(keptSinceMs, this.#forgottenBeforeMs)
    if (keepFromMs > 0) this.#keepFromMs ??= wholeSecond(keepFromMs)
  }

  async #take(walked: WalkedPage, progress: Partial<SyncState>) {
    this.#checkSource(walked.page)
    this.state = { ...this.state, ...progress }
    const createdFrom = this.#keepFromMs === undefined ? '' : new Date(this.#keepFromMs).toISOString()
    const records = walked.records.filter(({ createdAt }) => (plainDate(createdAt) ?? '~') >= createdFrom)
    const { mirror, clock } = this.options
    const applied = await takePage(mirror.db, { ...walked, records }, clock.now(), this.state)
    for (const key of ['added', 'changed', 'same', 'refused'] as const) this.#counts[key] += applied[key]
  }
}
