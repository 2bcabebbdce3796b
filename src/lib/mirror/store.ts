import type { StatsCounter } from '../insight/stats.ts'
import { applyBatch } from './apply.ts'
import { BatchWriter } from './batch-writer.ts'
import { countAll } from './counts.ts'
import { partTables } from './items.ts'
import { lateIndexTexts } from './late-indexes.ts'
import {
  countMeasured,
  type MeasuredCount,
  readDiffering,
  readScanGaps,
  readStuck,
  type ScanGaps,
} from './measures.ts'
import type { Mirror, MirrorCounts } from './mirror.ts'
import { type CopyChoices, readPolicy } from './policy.ts'
import { prepareBatch } from './prepare.ts'
import { readByIds, readCandidates, readEach } from './read.ts'
import type { Applied, MirroredReturn, MirrorFilter } from './record.ts'
import { removeReturns } from './remove.ts'
import { clearIndex } from './search/maintain.ts'
import { type SearchHit, type SearchQuery, searchReturns } from './search/search.ts'
import { readValue, type SyncState, writeState, writeValue } from './state.ts'
import { countStats } from './stats-lines.ts'
import type { MirrorDb } from './tables.ts'

/** Whose transports and refunds are to be copied. */
export interface DetailsWanted {
  transports: boolean
  refunds: boolean
  /** Ms since the epoch; undefined: all. */
  changedFromMs: number | undefined
}

/** Whose returns a mirror holds. */
export interface MirrorOrigin {
  /** Base URL, or which sandbox. */
  platform: string
  /** Codes, sorted; none: all that the token is for. */
  shops: readonly string[]
  /** Of a token that names no shop (`merchantOf`). */
  owner?: string | undefined
}

/** What the two databases do in their own ways. */
export interface Premises {
  /** All that is kept on the disk. */
  sizeBytes(): Promise<number>
  /**
   * Runs `action` while nothing else of this or another process does so.
   *
   * @throws AppError `usage` when its turn does not come in time
   */
  exclusively<T>(wait: Turn, action: () => Promise<T>): Promise<T>
  /** Runs what removes rows, and leaves nothing of them in the database's own files. */
  erase(removeRows: () => Promise<void>): Promise<void>
  /**
   * Runs statements that sort all there is, while this thread goes on. A process may end meanwhile: of a statement that
   * did not come to its end nothing is left.
   */
  runLong(statements: readonly string[]): Promise<void>
  /** A connection on which long writing goes on while this thread does something else. */
  openWriter(): Promise<{ db: MirrorDb; close(): Promise<void> }>
}

export interface Turn {
  waitMs: number
  signal?: AbortSignal | undefined
}

/** The one mirror there is, on either database. */
export class MirrorStore implements Mirror {
  constructor(
    readonly db: MirrorDb,
    private readonly premises: Premises,
  ) {}

  apply(batch: Iterable<MirroredReturn>): Promise<Applied> {
    return this.#write(batch, async () => {})
  }

  /** With how far a sync has come: both are kept, or neither. */
  applyWithState(batch: Iterable<MirroredReturn>, state: SyncState): Promise<Applied> {
    return this.#write(batch, (db) => writeState(db, state))
  }

  async #write(batch: Iterable<MirroredReturn>, also: (db: MirrorDb) => Promise<void>): Promise<Applied> {
    const prepared = await prepareBatch(this.db, batch, await readPolicy(this.db))
    return this.db.transaction().execute(async (db) => {
      const applied = await applyBatch(db, prepared)
      await also(db)
      return applied
    })
  }

  /** For many batches, one after another. */
  async openWriter(): Promise<BatchWriter> {
    return new BatchWriter(await this.premises.openWriter(), await readPolicy(this.db))
  }

  /** At the end of a first copy; `Premises.runLong`. */
  createLateIndexes(): Promise<void> {
    return this.premises.runLong(lateIndexTexts(this.db))
  }

  /** For syncs, and what must not come between. */
  exclusively<T>(wait: Turn, action: () => Promise<T>): Promise<T> {
    return this.premises.exclusively(wait, action)
  }

  /** Undefined before anything was copied. */
  async origin(): Promise<MirrorOrigin | undefined> {
    return (await readValue(this.db, 'meta', 'origin')) as MirrorOrigin | undefined
  }

  /** Whether somebody agreed to copy into it. */
  async isAgreed(): Promise<boolean> {
    return (await this.origin()) !== undefined
  }

  agree(origin: MirrorOrigin): Promise<void> {
    return writeValue(this.db, 'meta', 'origin', origin)
  }

  choose(choices: CopyChoices): Promise<void> {
    return writeValue(this.db, 'meta', 'choices', choices)
  }

  /** Runs what removes rows, and leaves nothing of them in the database's own files. */
  erase(removeRows: () => Promise<void>): Promise<void> {
    return this.premises.erase(removeRows)
  }

  saveState(state: SyncState): Promise<void> {
    return writeState(this.db, state)
  }

  byIds(ids: readonly string[]): Promise<MirroredReturn[]> {
    return readByIds(this.db, ids)
  }

  candidates(text: string): Promise<MirroredReturn[]> {
    return readCandidates(this.db, text)
  }

  each(filter: MirrorFilter = {}): AsyncIterable<MirroredReturn> {
    return readEach(this.db, filter)
  }

  search(query: SearchQuery): Promise<SearchHit[]> {
    return searchReturns(this.db, query)
  }

  countStats(counter: StatsCounter, filter: MirrorFilter = {}): Promise<void> {
    return countStats(this.db, filter, counter)
  }

  scanGaps(filter: MirrorFilter = {}): AsyncIterable<ScanGaps> {
    return readScanGaps(this.db, filter)
  }

  stuck(nowMs: number, filter: MirrorFilter = {}): AsyncIterable<MirroredReturn> {
    return readStuck(this.db, nowMs, filter)
  }

  differing(filter: MirrorFilter = {}): AsyncIterable<MirroredReturn> {
    return readDiffering(this.db, filter)
  }

  count(filter: MirrorFilter = {}, statuses?: readonly string[]): Promise<MeasuredCount> {
    return countMeasured(this.db, filter, statuses)
  }

  async counts(): Promise<MirrorCounts> {
    return { ...(await countAll(this.db)), bytes: await this.premises.sizeBytes() }
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.db.transaction().execute((db) => removeReturns(db, ids))
  }

  /** What was created before; the number of it. */
  async removeBefore(createdMs: number | undefined): Promise<number> {
    if (createdMs === undefined) return 0
    const old = await this.db
      .selectFrom('returns')
      .select('id')
      .where('created_at', '<', new Date(createdMs).toISOString())
      .execute()
    await this.remove(old.map(({ id }) => id))
    return old.length
  }

  /** Removes all that was copied, and how far that came; what was chosen and who is forgotten stay. */
  clear(): Promise<void> {
    return this.db.transaction().execute(async (db) => {
      for (const table of ['returns', ...partTables(db), 'stats_traits', 'sync_state'] as const)
        await db.deleteFrom(table).execute()
      await clearIndex(db)
    })
  }

  /** Ids, those that changed last first. */
  async detailsDue(wanted: DetailsWanted, limit: number, skip: number): Promise<string[]> {
    const rows = await this.#due(wanted)
      .select('id')
      .orderBy('updated_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(skip)
      .execute()
    return rows.map(({ id }) => id)
  }

  async countDetailsDue(wanted: DetailsWanted): Promise<number> {
    const { due } = await this.#due(wanted)
      .select(({ fn }) => fn.countAll().as('due'))
      .executeTakeFirstOrThrow()
    return Number(due)
  }

  #due({ transports, refunds, changedFromMs }: DetailsWanted) {
    let query = this.db
      .selectFrom('returns')
      .where((is) =>
        is.or(
          [
            ...(transports ? (['transports_version'] as const) : []),
            ...(refunds ? (['refunds_version'] as const) : []),
          ].map((version) => is.or([is(version, 'is', null), is(version, '<', is.ref('version'))])),
        ),
      )
    if (changedFromMs !== undefined) {
      query = query.where('updated_at', '>=', new Date(changedFromMs).toISOString())
    }
    return query
  }

  close(): Promise<void> {
    return this.db.destroy()
  }
}
