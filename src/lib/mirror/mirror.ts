import type { StatsCounter } from '../insight/stats.ts'
import type { MeasuredCount, ScanGaps } from './measures.ts'
import type { Applied, MirroredReturn, MirrorFilter } from './record.ts'
import type { SearchHit, SearchQuery } from './search/search.ts'

/** How many returns there are of what, and how large it is. */
export interface MirrorCounts {
  returns: number
  /** Whose transports were copied. */
  withTransports: number
  withRefunds: number
  /** People who are not to come back. */
  forgotten: number
  /** Creation of the oldest and the newest. */
  oldest: string | undefined
  newest: string | undefined
  bytes: number
}

/** A local copy of returns, in SQLite or PostgreSQL. */
export interface Mirror {
  /** Takes records over in one transaction; of what was not copied with them, an earlier copy stays. */
  apply(batch: Iterable<MirroredReturn>): Promise<Applied>
  /** Those that are there, in the order asked for. */
  byIds(ids: readonly string[]): Promise<MirroredReturn[]>
  /** Those that this is an id, a name, an order, a reference or a code of (`normalIdentifier`); newest first. */
  candidates(text: string): Promise<MirroredReturn[]>
  /** Newest first by creation, then by id; a block at a time in memory. */
  each(filter?: MirrorFilter): AsyncIterable<MirroredReturn>
  /** What fits a text, best first. */
  search(query: SearchQuery): Promise<SearchHit[]>
  /** Counts those that pass. */
  countStats(counter: StatsCounter, filter?: MirrorFilter): Promise<void>
  scanGaps(filter?: MirrorFilter): AsyncIterable<ScanGaps>
  /** Those that may count as stuck at this time (`stuckFrom`), ms since the epoch; newest first. */
  stuck(nowMs: number, filter?: MirrorFilter): AsyncIterable<MirroredReturn>
  /** Those that differ from their refunds (`reconcile`); newest first. */
  differing(filter?: MirrorFilter): AsyncIterable<MirroredReturn>
  /** How many pass, of these statuses if any are given. */
  count(filter?: MirrorFilter, statuses?: readonly string[]): Promise<MeasuredCount>
  counts(): Promise<MirrorCounts>
  close(): Promise<void>
}
