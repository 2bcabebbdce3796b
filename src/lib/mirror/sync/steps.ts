import type { ComparedCopy, Span } from '../../walk/compare.ts'
import { Unsorted, type Walk, type WalkedPage, walkByDate, walkByPage } from '../../walk/walk.ts'
import type { Return } from '../../wire/returns.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { applyReturns } from '../store/apply.ts'
import { removeReturns, returnDigest } from '../store/forget.ts'
import { forgetKey, type SyncState } from '../store/state.ts'
import { countRows, type MirrorDb } from '../store/tables.ts'

const SECOND_MS = 1000

/** Thrown if the platform sends returns unchanged since the requested date. */
export class UpdatesIgnoredError extends Error {
  override readonly name = 'UpdatesIgnoredError'
}

interface ChangesPage extends WalkedPage {
  /** On the last page: true if some returns did not come. */
  isShort: boolean
}

/** @throws UpdatesIgnoredError */
export async function* walkChanges(walk: Walk): AsyncGenerator<ChangesPage> {
  const { updatedFromMs } = walk.filter
  for await (const walked of walkByDateOrPage(walk)) {
    if (updatedFromMs !== undefined && walked.records.some((record) => isBefore(record, updatedFromMs)))
      throw new UpdatesIgnoredError()
    yield walked
  }
}

async function* walkByDateOrPage(walk: Walk): AsyncGenerator<ChangesPage> {
  try {
    for await (const walked of walkByDate(walk, undefined)) yield { ...walked, isShort: false }
  } catch (error) {
    if (!(error instanceof Unsorted)) throw error
    for await (const walked of walkByPage(walk)) {
      yield { ...walked, isShort: walked.whole === undefined && walked.page.totalRecords !== undefined }
    }
  }
}

function isBefore({ updatedAt }: Return, ms: number) {
  const updatedMs = parseServiceDate(updatedAt)
  return updatedMs !== undefined && updatedMs < ms - SECOND_MS
}

/** Selects returns created in the span (default: all), and tombstones of forgotten ones. */
function heldIn(db: MirrorDb, span: Span | undefined) {
  const returns = db.selectFrom('returns')
  const tombstones = db.selectFrom('forgotten').where('kind', '=', 'return')
  if (span === undefined) return { returns, tombstones }
  const from = new Date(span.fromMs).toISOString()
  const to = new Date(span.toMs + 999).toISOString()
  return {
    returns: returns.where('sort_key', '>=', from).where('sort_key', '<=', to),
    tombstones: tombstones.where('sort_key', '>=', from).where('sort_key', '<=', to),
  }
}

export async function countHeld(db: MirrorDb, span: Span | undefined): Promise<number> {
  const { returns, tombstones } = heldIn(db, span)
  return (await countRows(returns)) + (await countRows(tombstones))
}

/** Removes copies in the span (default: all) whose keys the platform does not have. @returns their number */
export async function removeUnlisted(
  db: MirrorDb,
  keep: ReadonlySet<string>,
  span: Span | undefined,
): Promise<number> {
  const { returns, tombstones } = heldIn(db, span)
  const gone = (await returns.select('id').execute()).map(({ id }) => id).filter((id) => !keep.has(id))
  await removeReturns(db, gone)
  const digests = (await tombstones.select('digest').execute()).map(({ digest }) => digest)
  if (digests.length > 0) {
    const key = await forgetKey(db)
    const kept = new Set([...keep].map((id) => returnDigest(key, id)))
    for (const digest of digests.filter((one) => !kept.has(one))) {
      await db.deleteFrom('forgotten').where('digest', '=', digest).execute()
    }
  }
  return gone.length
}

export function takePage(db: MirrorDb, { records }: WalkedPage, nowMs: number, state?: SyncState) {
  const syncedAt = new Date(nowMs).toISOString()
  return applyReturns(
    db,
    records.map((record) => ({ record, syncedAt })),
    state,
  )
}

export function mirroredCopy(db: MirrorDb): ComparedCopy {
  return {
    count: (span) => countHeld(db, span),
    take: async (walked) => {
      await takePage(db, walked, walked.page.nowMs ?? Date.now())
    },
    settle: (span, keys) => removeUnlisted(db, keys, span),
  }
}
