import { returnPages } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { unless, usageError } from '../../errors.ts'
import { readOrigin, writeValue } from '../../mirror/store/state.ts'
import type { MirrorSource } from '../../mirror/sync/details.ts'
import { objectsIn } from '../../wire/raw.ts'
import type { RecordList } from '../../wire/read.ts'
import { type OpenedMirror, syncLine } from './location.ts'

/** Number of returns above which a copy takes long enough to ask first. */
const LARGE_COPY = 50_000

/**
 * Asks before the first copy, which stores personal data in one more place. Without a terminal `--yes` is needed.
 * The people of the built-in sandbox are invented, so it asks only about large copies.
 * @throws AppError `usage` for a no, or without a terminal
 */
export async function consentToCopy(
  context: Context,
  { mirror, where, origin }: OpenedMirror,
  source: MirrorSource,
  { yes, asksIfLarge = false }: { yes: boolean; asksIfLarge?: boolean },
) {
  if (await readOrigin(mirror.db)) return
  const { isSandbox } = await context.settings()
  const { questions } = context
  if (!(yes || (isSandbox && !asksIfLarge))) {
    const { totalRecords } = await source.page({ limit: 1, page: 1 })
    const mayAsk = !isSandbox || (questions.canAsk && (totalRecords ?? 0) > LARGE_COPY)
    const people =
      totalRecords === undefined
        ? 'names, addresses and e-mails of all customers with a return'
        : `names, addresses and e-mails of the customers of ${totalRecords.toLocaleString('en')} returns`
    if (mayAsk && !questions.canAsk) {
      throw usageError(
        `The first copy puts ${people} into ${where}, and there is no terminal to ask on.`,
        await syncLine(context, '--yes'),
        '--without customer.phone,origin leaves fields out',
      )
    }
    if (mayAsk)
      await questions.ask(`Copy ${people} from ${origin.platform} to ${where}?`, 'nothing was copied')
  }
  await writeValue(mirror.db, 'origin', origin)
}

/** Reads the platform for a mirror, with dates in UTC, where no hour repeats. */
export async function platformSource(
  context: Context,
  { hasAllShops }: { hasAllShops: boolean },
): Promise<MirrorSource> {
  const returns = await context.connection.returns({ timeZone: 'UTC', allShops: hasAllShops })
  return {
    ...returnPages(returns),
    transportations: (id) => partsOf(returns.transportations(id)),
    refunds: (id) => partsOf(returns.refunds(id)),
  }
}

/** A 404 may also mean that the return has no such parts. */
async function partsOf<T>(listed: Promise<RecordList<T>>) {
  const found = await unless(listed, 'not-found')
  return found ? objectsIn(found.sent) : []
}
