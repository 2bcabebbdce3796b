import { hash } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { MAX_PAGE_SIZE } from '../../../api/paginate.ts'
import { causedBy, errorCode } from '../../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../../files/file-failure.ts'
import { replaceFile } from '../../../files/temporary-file.ts'
import type { PageFilter, PageSource } from '../../../walk/page-source.ts'
import { Unsorted, type WalkedPage, walkByDate, walkByPage } from '../../../walk/walk.ts'
import { stringifyJson } from '../../../wire/json.ts'
import { returnKey } from '../../../wire/plain.ts'
import type { Return } from '../../../wire/returns.ts'
import { parseServiceDate } from '../../../wire/time.ts'

const SECOND_MS = 1000
/** Exceeds the delay with which platforms show changes, and their clock differences. */
const OVERLAP_MS = 5 * 60_000
/** Maximum number of changes in memory. More are read in shorter time ranges. */
const MAX_CHANGES = 5000

const seenSchema = z.object({
  key: z.string(),
  updatedAt: z.string().nullable(),
  /** Digest of the whole record, for changes without a new date. */
  digest: z.string(),
  changedMs: z.number(),
})
type SeenChange = z.infer<typeof seenSchema>

export interface FeedState {
  /** Platform time in epoch milliseconds up to which changes were printed. Null before the first look. */
  markMs: number | null
  seen: readonly SeenChange[]
}

interface FeedOptions {
  source: PageSource
  filter: PageFilter
  state: FeedState
  /** Start of the watch in epoch milliseconds, if no position is saved. Default: now. */
  fromMs?: number
  clock: { now(): number }
  maxChanges?: number
}

export interface Change {
  record: Return
  change: SeenChange
}

/** Yields each state of new and changed returns once. Unsettled changes come again. */
export class ChangeFeed {
  readonly #seen: Map<string, SeenChange>
  #markMs: number | null
  #nextMarkMs = 0
  /** Time of the earliest unsettled change. */
  #heldMs = Number.POSITIVE_INFINITY
  /** True if more is to be read without a pause. */
  isBehind = false

  constructor(private readonly options: FeedOptions) {
    const { state, fromMs } = options
    this.#seen = new Map(state.seen.map((one) => [one.key, one]))
    this.#markMs = state.markMs ?? (fromMs === undefined ? null : fromMs + OVERLAP_MS)
  }

  get state(): FeedState {
    return { markMs: this.#markMs, seen: [...this.#seen.values()] }
  }

  async poll(): Promise<Change[]> {
    const isFirst = this.#markMs === null
    const markMs = this.#markMs ?? (await this.#platformTime())
    const found = await this.#changesSince(Math.floor((markMs - OVERLAP_MS) / SECOND_MS) * SECOND_MS)
    this.#heldMs = Number.POSITIVE_INFINITY
    if (!isFirst) return found
    for (const { change } of found) this.settle(change)
    return []
  }

  settle(change: SeenChange) {
    this.#seen.set(change.key, change)
  }

  hold({ changedMs }: SeenChange) {
    this.#heldMs = Math.min(this.#heldMs, changedMs)
    this.isBehind = false
  }

  /** Call it after settling or holding a whole poll. */
  moveMark() {
    // The next poll begins OVERLAP_MS before the mark, so it reads held changes again.
    const markMs = Math.min(this.#nextMarkMs, this.#heldMs + OVERLAP_MS)
    this.#markMs = markMs
    for (const [key, { changedMs }] of this.#seen) {
      if (changedMs < markMs - OVERLAP_MS - 2 * SECOND_MS) this.#seen.delete(key)
    }
  }

  async #platformTime() {
    const { source, filter, clock } = this.options
    return (await source.page({ ...filter, limit: 1, page: 1 })).nowMs ?? clock.now()
  }

  async #changesSince(fromMs: number) {
    // Earlier changes, read again for a held one, are mostly settled.
    const newFromMs = Math.max(fromMs, this.#nextMarkMs)
    for (let toMs: number | undefined; ; ) {
      const { changes, nowMs } = await this.#collect(fromMs, newFromMs, toMs)
      if (changes !== undefined) {
        this.isBehind = toMs !== undefined
        this.#nextMarkMs = toMs ?? nowMs
        return changes.sort((one, other) => one.change.changedMs - other.change.changedMs)
      }
      const middle = (newFromMs + (toMs ?? nowMs)) / 2
      toMs = Math.max(Math.floor(middle / SECOND_MS) * SECOND_MS, newFromMs + 2 * OVERLAP_MS)
    }
  }

  async #collect(fromMs: number, newFromMs: number, toMs: number | undefined) {
    const { source, filter, clock, maxChanges = MAX_CHANGES } = this.options
    const changes = new Map<string, Change>()
    const isInRange = ({ changedMs }: SeenChange) => changedMs <= (toMs ?? Number.POSITIVE_INFINITY)
    const settled = [...this.#seen.values()].filter(isInRange).length
    let nowMs: number | undefined
    const take = ({ records, page }: WalkedPage) => {
      nowMs ??= page.nowMs ?? clock.now()
      // If the platform ignores the filter, shorter time ranges bring no fewer changes.
      let isDivisible = (toMs ?? nowMs) - newFromMs > 2 * OVERLAP_MS
      for (const record of records) {
        const change = changeOf(record, nowMs)
        if (change.changedMs < fromMs - SECOND_MS) isDivisible = false
        else if (this.#isNews(change)) changes.set(change.key, { record, change })
        // Renews the time of an undated change, else `moveMark` drops it and it is reported again.
        else this.settle(change)
      }
      return isDivisible && (page.totalRecords ?? 0) - settled > maxChanges
    }
    const walk = {
      source,
      filter: { ...filter, updatedFromMs: fromMs, updatedToMs: toMs ?? filter.updatedToMs },
      pageSize: MAX_PAGE_SIZE,
    }
    try {
      for await (const walked of walkByDate(walk, undefined)) {
        if (take(walked)) return { nowMs: nowMs ?? clock.now() }
      }
    } catch (error) {
      if (!(error instanceof Unsorted)) throw error
      for await (const walked of walkByPage(walk)) take(walked)
    }
    return { changes: [...changes.values()], nowMs: nowMs ?? clock.now() }
  }

  #isNews({ key, updatedAt, digest }: SeenChange) {
    const seen = this.#seen.get(key)
    return seen === undefined || seen.updatedAt !== updatedAt || seen.digest !== digest
  }
}

function changeOf(record: Return, nowMs: number) {
  const { updatedAt, activeTransportation } = record
  const updatedMs = parseServiceDate(updatedAt)
  // Signed addresses of a label differ in each answer.
  const hasLabel = Boolean(activeTransportation?.carrierLabel)
  const steady = { ...record, activeTransportation: { ...activeTransportation, carrierLabel: hasLabel } }
  const digest = hash('sha256', stringifyJson(steady)).slice(0, 32)
  return { key: returnKey(record), updatedAt: updatedAt ?? null, digest, changedMs: updatedMs ?? nowMs }
}

const headSchema = z.object({ rmaWatch: z.literal(1), markMs: z.number().nullable() })

/** Progress of a watch: its position, then the changes reported since, one a line. */
export class MarkFile {
  constructor(readonly path: string) {}

  async read(): Promise<FeedState | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return undefined
    // Text after the last line feed was cut off by a kill.
    const [first = '', ...others] = text.split('\n').slice(0, -1)
    try {
      const { markMs } = headSchema.parse(JSON.parse(first))
      return { markMs, seen: others.map((line) => seenSchema.parse(JSON.parse(line))) }
    } catch (cause) {
      throw causedBy(
        cause,
        'config',
        'The saved position of the watch can not be read.',
        `remove it to watch from now on: ${this.path}`,
      )
    }
  }

  async write({ markMs, seen }: FeedState) {
    const lines = [{ rmaWatch: 1, markMs }, ...seen].map((one) => `${JSON.stringify(one)}\n`)
    await this.#save(() => replaceFile(this.path, lines.join('')))
  }

  async add(change: SeenChange) {
    await this.#save(() => appendFile(this.path, `${JSON.stringify(change)}\n`, { flush: true }))
  }

  async #save(action: () => Promise<void>) {
    try {
      await action()
    } catch (error) {
      throw fileFailure(error, "The position of the watch can't be saved", this.path, DATA_FOLDER)
    }
  }
}
