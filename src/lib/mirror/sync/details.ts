import pMap from 'p-map'
import { isOfKind } from '../../errors.ts'
import type { PageSource } from '../../walk/page-source.ts'
import { plainText } from '../../wire/plain.ts'
import { isPathSafe } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { applyReturns } from '../store/apply.ts'
import { type MirroredReturn, readByIds } from '../store/read.ts'
import { type CopyChoices, readValue, writeValue } from '../store/state.ts'
import { countRows, type MirrorDb } from '../store/tables.ts'

export interface MirrorSource extends PageSource {
  transportations(id: string): Promise<readonly Transportation[]>
  refunds(id: string): Promise<readonly Refund[]>
}

const DAY_MS = 86_400_000
/** Low, because the service sets no rate limit (spec §8). */
const CONCURRENCY = 6
const BATCH_SIZE = 120
/** Consecutive failures that count as an outage, besides those known from the last sync. */
const OUTAGE = 20

/**
 * Copies transports and refunds of returns changed since the last copy, newest first. Leaves out returns whose
 * transports or refunds the platform refuses.
 */
export async function* copyDetails(
  db: MirrorDb,
  source: MirrorSource,
  choices: CopyChoices,
  nowMs: number,
): AsyncGenerator<{ done: number; total: number; unread: number }> {
  const due = dueReturns(db, choices, nowMs)
  const total = await countRows(due)
  const outage = OUTAGE + ((await readValue<number>(db, 'unread')) ?? 0)
  let [skipped, unread, failures] = [0, 0, 0]
  const read = async (one: MirroredReturn) => {
    try {
      const whole = await withDetails(one, source, choices)
      failures = 0
      return [whole]
    } catch (error) {
      failures += 1
      const isOfOneReturn = isOfKind(error, 'rejected', 'unavailable', 'contract') && failures < outage
      // No status means no answer.
      if (!isOfOneReturn || (error.status ?? 429) === 429) throw error
      return []
    }
  }
  for (let done = 0; ; ) {
    const newest = due.select('id').orderBy('updated_at', 'desc').orderBy('id')
    const rows = await newest.limit(BATCH_SIZE).offset(skipped).execute()
    if (rows.length === 0) return writeValue(db, 'unread', unread)
    const copied = await readByIds(
      db,
      rows.map(({ id }) => id),
    )
    // Requests need an id.
    const known = copied.filter(({ record }) => isPathSafe(plainText(record.id)))
    const whole = (await pMap(known, read, { concurrency: CONCURRENCY })).flat()
    await applyReturns(db, whole)
    unread += known.length - whole.length
    skipped += rows.length - whole.length
    done += rows.length
    yield { done, total: Math.max(total, done), unread }
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
    transportations: transports ? await source.transportations(id) : undefined,
    refunds: refunds ? await source.refunds(id) : undefined,
  }
}
