import { returnPages } from '../../api/returns.ts'
import type { Connection } from '../../cli/connection.ts'
import { AppError } from '../../errors.ts'
import type { MirrorSource } from '../../mirror/sync/details.ts'
import { objectsIn } from '../../wire/raw.ts'
import type { RecordList } from '../../wire/read.ts'

/** The platform as a mirror copies it: every date in UTC, where no time of day comes twice. */
export async function platformSource(
  connection: Connection,
  { isWhole }: { isWhole: boolean },
): Promise<MirrorSource> {
  const returns = await connection.returns({ timeZone: 'UTC', allShops: isWhole })
  return {
    ...returnPages(returns),
    transportations: (id) => unlessGone(returns.transportations(id)),
    refunds: (id) => unlessGone(returns.refunds(id)),
  }
}

async function unlessGone<T>(asked: Promise<RecordList<T>>): Promise<T[] | undefined> {
  try {
    return objectsIn((await asked).sent)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}
