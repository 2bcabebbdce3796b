import pMap from 'p-map'
import type { PageSource } from '../../walk/page-source.ts'
import { isPathSafe } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { applyReturns } from '../store/apply.ts'
import { type MirroredReturn, readByIds } from '../store/read.ts'
import type { CopyChoices } from '../store/state.ts'
import { countRows, type MirrorDb } from '../store/tables.ts'

export interface MirrorSource extends PageSource {
  transportations(id: string): Promise<readonly Transportation[]>
  refunds(id: string): Promise<readonly Refund[]>
}

const DAY_MS = 86_400_000
/** Few, because the service sets no pace (spec §8). */
const CONCURRENCY = 6
const BATCH_SIZE = 120

/** Copies transports and refunds of returns changed since the last copy, newest first. */
export async function* copyDetails(
  db: MirrorDb,
  source: MirrorSource,
  choices: CopyChoices,
  nowMs: number,
): AsyncGenerator<{ done: number; total: number }> {
  const due = dueReturns(db, choices, nowMs)
  const total = await countRows(due)
  let skipped = 0
  for (let done = 0; ; ) {
    const newest = due.select('id').orderBy('updated_at', 'desc').orderBy('id')
    const rows = await newest.limit(BATCH_SIZE).offset(skipped).execute()
    if (rows.length === 0) return
    const copied = await readByIds(
      db,
      rows.map(({ id }) => id),
    )
    // Requests need an id.
    const known = copied.filter(({ record }) => isPathSafe(record.id))
    skipped += rows.length - known.length
    await applyReturns(
      db,
      await pMap(known, (one) => withDetails(one, source, choices), { concurrency: CONCURRENCY }),
    )
    done += rows.length
    yield { done, total: Math.max(total, done) }
  }
}

function dueReturns(db: MirrorDb, { transports, refunds, detailDays }: CopyChoices, nowMs: number) {
  const parts = [
    ...(transports ? (['has_transports'] as const) : []),
    ...(refunds ? (['has_refunds'] as const) : []),
  ]
  const query = db.selectFrom('returns').where((is) => is.or(parts.map((part) => is(part, 'is', null))))
  if (detailDays === null) return query
  return query.where('updated_at', '>=', new Date(nowMs - detailDays * DAY_MS).toISOString())
}

async function withDetails(
  one: MirroredReturn,
  source: MirrorSource,
  { transports, refunds }: CopyChoices,
): Promise<MirroredReturn> {
  const id = String(one.record.id)
  return {
    ...one,
    transportations: transports ? [...(await source.transportations(id))] : undefined,
    refunds: refunds ? [...(await source.refunds(id))] : undefined,
  }
}
