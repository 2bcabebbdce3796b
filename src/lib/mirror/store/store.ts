import type { StatsCounter } from '../../insight/stats.ts'
import { clearIndex, type EnteredWords } from '../search/maintain.ts'
import { type SearchHit, type SearchQuery, searchReturns } from '../search/search.ts'
import {
  countReturns,
  countStats,
  type ReturnCount,
  readDiffering,
  readScanGaps,
  readStuck,
  type ScanGaps,
} from '../stats/facts.ts'
import { applyBatch } from './apply.ts'
import { dialectOf, lateIndexStatements } from './dialect.ts'
import { type CopyChoices, readPolicy } from './policy.ts'
import { prepareBatch } from './prepare.ts'
import { readByIds, readCandidates, readEach } from './read.ts'
import type { Applied, MirroredReturn, MirrorFilter } from './record.ts'
import { removeReturns } from './remove.ts'
import { readValue, type SyncState, writeState, writeValue } from './state.ts'
import type { MirrorDb } from './tables.ts'

/** Numbers and size of what a mirror holds. */
interface MirrorCounts {
  returns: number
  /** Returns whose transports were copied. */
  withTransports: number
  withRefunds: number
  /** People who are not to come back. */
  forgotten: number
  /** Creation of the oldest and the newest return. */
  oldest: string | undefined
  newest: string | undefined
  bytes: number
}

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
  /** Digest of a token that names no shop (`merchantOf`). */
  owner?: string | undefined
}

/** Operations that differ between a file and a server. */
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
}

export interface Turn {
  waitMs: number
  signal?: AbortSignal | undefined
}

/** A local copy of returns, in SQLite or PostgreSQL. */
export class MirrorStore {
  constructor(
    readonly db: MirrorDb,
    private readonly premises: Premises,
  ) {}

  /**
   * Takes records over in one transaction, together with how far a sync has come. Transports and refunds that were
   * copied earlier stay where a record comes without them.
   *
   * @param known words that the index holds for certain
   */
  async apply(batch: Iterable<MirroredReturn>, state?: SyncState, known?: EnteredWords): Promise<Applied> {
    const prepared = await prepareBatch(this.db, batch, await readPolicy(this.db))
    return this.db.transaction().execute(async (db) => {
      const applied = await applyBatch(db, prepared, known)
      if (state !== undefined) await writeState(db, state)
      return applied
    })
  }

  /** At the end of a first copy; `Premises.runLong`. */
  createLateIndexes(): Promise<void> {
    return this.premises.runLong(lateIndexStatements(this.db))
  }

  /** For syncs, and what must not come between. */
  exclusively<T>(wait: Turn, action: () => Promise<T>): Promise<T> {
    return this.premises.exclusively(wait, action)
  }

  /** Returns undefined before the first copy. */
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

  /** Returns that are there, in the order asked for. */
  byIds(ids: readonly string[]): Promise<MirroredReturn[]> {
    return readByIds(this.db, ids)
  }

  /** Returns that a text identifies: id, name, order, reference or code (`normalIdentifier`); newest first. */
  candidates(text: string): Promise<MirroredReturn[]> {
    return readCandidates(this.db, text)
  }

  /** Newest first by creation, then by id; a block at a time in memory. */
  each(filter: MirrorFilter = {}): AsyncIterable<MirroredReturn> {
    return readEach(this.db, filter)
  }

  /** Best first. */
  search(query: SearchQuery): Promise<SearchHit[]> {
    return searchReturns(this.db, query)
  }

  countStats(counter: StatsCounter, filter: MirrorFilter = {}): Promise<void> {
    return countStats(this.db, filter, counter)
  }

  scanGaps(filter: MirrorFilter = {}): AsyncIterable<ScanGaps> {
    return readScanGaps(this.db, filter)
  }

  /** Returns that may count as stuck at this time (`stuckFrom`), in epoch milliseconds; newest first. */
  stuck(nowMs: number, filter: MirrorFilter = {}): AsyncIterable<MirroredReturn> {
    return readStuck(this.db, nowMs, filter)
  }

  /** Returns that differ from their refunds (`reconcile`); newest first. */
  differing(filter: MirrorFilter = {}): AsyncIterable<MirroredReturn> {
    return readDiffering(this.db, filter)
  }

  count(filter: MirrorFilter = {}, statuses?: readonly string[]): Promise<ReturnCount> {
    return countReturns(this.db, filter, statuses)
  }

  async counts(): Promise<MirrorCounts> {
    const counted = await this.db
      .selectFrom('returns')
      .select(({ fn }) => [
        fn.countAll().as('returns'),
        fn.count('transports_version').as('transports'),
        fn.count('refunds_version').as('refunds'),
        fn.min('created_at').as('oldest'),
        fn.max('created_at').as('newest'),
      ])
      .executeTakeFirstOrThrow()
    const { forgotten } = await this.db
      .selectFrom('forgotten')
      .select(({ fn }) => fn.countAll().as('forgotten'))
      .where('kind', '=', 'person')
      .executeTakeFirstOrThrow()
    return {
      returns: Number(counted.returns),
      withTransports: Number(counted.transports),
      withRefunds: Number(counted.refunds),
      forgotten: Number(forgotten),
      oldest: counted.oldest ?? undefined,
      newest: counted.newest ?? undefined,
      bytes: await this.premises.sizeBytes(),
    }
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.db.transaction().execute((db) => removeReturns(db, ids))
  }

  /** Removes returns created before. @returns their number */
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
      for (const table of ['returns', ...dialectOf(db).parts, 'sync_state'] as const)
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
