import type { MirrorCounts } from './mirror.ts'
import type { MirrorDb } from './tables.ts'

export async function countAll(db: MirrorDb): Promise<Omit<MirrorCounts, 'bytes'>> {
  const counted = await db
    .selectFrom('returns')
    .select(({ fn }) => [
      fn.countAll().as('returns'),
      fn.count('transports_version').as('transports'),
      fn.count('refunds_version').as('refunds'),
      fn.min('created_at').as('oldest'),
      fn.max('created_at').as('newest'),
    ])
    .executeTakeFirstOrThrow()
  const { forgotten } = await db
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
  }
}
