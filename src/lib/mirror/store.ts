import { applyBatch } from './apply.ts'
import { countAll } from './counts.ts'
import type { Mirror, MirrorCounts } from './mirror.ts'
import { readByIds, readCandidates, readEach } from './read.ts'
import type { Applied, MirroredReturn, MirrorFilter } from './record.ts'
import type { MirrorDb } from './tables.ts'

/** The one mirror there is, on either database. */
export class MirrorStore implements Mirror {
  constructor(
    readonly db: MirrorDb,
    /** Of all that the database keeps on the disk. */
    private readonly sizeBytes: () => Promise<number>,
  ) {}

  apply(batch: readonly MirroredReturn[]): Promise<Applied> {
    return this.db.transaction().execute((db) => applyBatch(db, batch))
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

  async counts(): Promise<MirrorCounts> {
    return { ...(await countAll(this.db)), bytes: await this.sizeBytes() }
  }

  close(): Promise<void> {
    return this.db.destroy()
  }
}
