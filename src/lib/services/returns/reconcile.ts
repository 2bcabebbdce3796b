import type { Context } from '../../cli/context.ts'
import { appError } from '../../errors.ts'
import { type Difference, reconcile } from '../../insight/reconcile.ts'
import { countReturns, countUnreadRefunds, readDiffering } from '../../mirror/stats/facts.ts'
import { counted } from '../../wire/counted.ts'
import { noteUnreadRefunds } from '../mirror/refresh.ts'
import type { FilterFlags } from './list-flags.ts'
import { type MirroredReturns, withMirroredReturns } from './mirrored.ts'
import { differencesView } from './reconcile.result.ts'

export async function showDifferences(flags: FilterFlags & { offline: boolean }, context: Context) {
  const seen: Seen = { returns: 0, unread: 0, wrong: 0 }
  await withMirroredReturns(context, flags, (mirrored) =>
    context.renderList(differencesOf(context, mirrored, seen), differencesView, 'differences', () => ({
      returns: seen.returns,
      unread: seen.unread,
    })),
  )
  const { returns, unread, wrong, first } = seen
  await noteUnreadRefunds(context, unread)
  if (flags['refunded-from'] ?? flags['refunded-to'])
    await context.note('Returns without a refund in that time were left out')
  if (first === undefined) return
  throw appError(
    'partial',
    `${wrong} of ${counted(returns - unread, 'compared return')} ${wrong === 1 ? 'differs from its' : 'differ from their'} refunds.`,
    await context.shellLine(['returns', 'explain', first.name], first.shop),
  )
}

interface Seen {
  returns: number
  unread: number
  wrong: number
  first?: Difference
}

async function* differencesOf(
  context: Context,
  { mirror, filter }: MirroredReturns,
  seen: Seen,
): AsyncGenerator<Difference> {
  seen.returns = await countReturns(mirror.db, filter)
  seen.unread = await countUnreadRefunds(mirror.db, filter)
  for await (const facts of context.counted(readDiffering(mirror.db, filter))) {
    seen.wrong += 1
    const differences = reconcile(facts)
    seen.first ??= differences[0]
    yield* differences
  }
}
