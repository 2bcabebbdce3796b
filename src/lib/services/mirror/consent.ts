import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { readOrigin, writeValue } from '../../mirror/store/state.ts'
import type { MirrorSource } from '../../mirror/sync/details.ts'
import { type OpenedMirror, syncLine } from './place.ts'

/** More than one waits for without being asked. */
const LARGE_COPY = 50_000

/**
 * To be called before the first copy: data of people come to lie in another place. Asks on a terminal; elsewhere
 * `--yes` has to say it. Not of the built-in sandbox, whose people are made up, unless it would take long.
 *
 * @throws AppError `usage` for a no, or where there is nobody to ask
 */
export async function consentToCopy(
  context: Context,
  { mirror, where, origin }: OpenedMirror,
  source: MirrorSource,
  { yes, asksIfLarge = false }: { yes: boolean; asksIfLarge?: boolean | undefined },
): Promise<void> {
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
      throw new AppError(
        'usage',
        `The first copy puts ${people} into ${where}, and there is no terminal to ask on.`,
        { hints: [await syncLine(context, '--yes'), '--without customer.phone,origin leaves fields out'] },
      )
    }
    if (mayAsk)
      await questions.ask(`Copy ${people} from ${origin.platform} to ${where}?`, 'nothing was copied')
  }
  await writeValue(mirror.db, 'meta', 'origin', origin)
}
