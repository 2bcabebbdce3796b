import type { Copied, Span } from '../../walk/compare.ts'
import { forgetKey } from '../store/policy.ts'
import { mirrored } from '../store/record.ts'
import { removeReturns, returnDigest } from '../store/remove.ts'
import type { MirrorStore } from '../store/store.ts'
import type { MirrorDb } from '../store/tables.ts'

/** How many returns of a time of creation, or of any, are here, or were here and are not to come back. */
export async function countHeld(db: MirrorDb, span: Span | undefined): Promise<number> {
  const [from, to] = keys(span)
  const { returns } = await db
    .selectFrom('returns')
    .select(({ fn }) => fn.countAll().as('returns'))
    .where('sort_key', '>=', from)
    .where('sort_key', '<=', to)
    .executeTakeFirstOrThrow()
  const { graves } = await db
    .selectFrom('forgotten')
    .select(({ fn }) => fn.countAll().as('graves'))
    .where('kind', '=', 'return')
    .where('sort_key', '>=', from)
    .where('sort_key', '<=', to)
    .executeTakeFirstOrThrow()
  return Number(returns) + Number(graves)
}

/**
 * Removes what is not among these keys, which are all that the platform has of that time; of any without a span.
 *
 * @returns how many
 */
export async function removeOthers(
  db: MirrorDb,
  keep: ReadonlySet<string>,
  span: Span | undefined,
): Promise<number> {
  const [from, to] = keys(span)
  const among = db
    .selectFrom('returns')
    .select('id')
    .where('sort_key', '>=', from)
    .where('sort_key', '<=', to)
  const graves = db
    .selectFrom('forgotten')
    .select('digest')
    .where('kind', '=', 'return')
    .where('sort_key', '>=', from)
    .where('sort_key', '<=', to)
  const gone = (await among.execute()).map(({ id }) => id).filter((id) => !keep.has(id))
  await removeReturns(db, gone)
  const digests = (await graves.execute()).map(({ digest }) => digest)
  if (digests.length > 0) {
    const key = await forgetKey(db)
    const kept = new Set([...keep].map((id) => returnDigest(key, id)))
    for (const digest of digests.filter((one) => !kept.has(one))) {
      await db.deleteFrom('forgotten').where('digest', '=', digest).execute()
    }
  }
  return gone.length
}

/** A mirror as it is compared with the platform. */
export function mirroredCopy(mirror: MirrorStore): Copied {
  return {
    count: (span) => countHeld(mirror.db, span),
    take: async ({ records, page }) => {
      const syncedAt = new Date(page.nowMs ?? Date.now()).toISOString()
      await mirror.apply(mirrored(records, syncedAt))
    },
    settle: (span, keys) => removeOthers(mirror.db, keys, span),
  }
}

function keys(span: Span | undefined): [from: string, to: string] {
  if (span === undefined) return ['', '~']
  const { fromMs, toMs } = span
  return [new Date(fromMs).toISOString(), new Date(toMs + 999).toISOString()]
}
