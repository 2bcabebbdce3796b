import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { type Difference, reconcile } from '../../insight/reconcile.ts'
import { countReturns, readDiffering } from '../../mirror/stats/facts.ts'
import { counted } from '../../wire/counted.ts'
import type { FilterFlags } from './list-flags.ts'
import { copyAllLine, type MirroredReturns, withMirroredReturns } from './mirrored.ts'
import { differencesView } from './reconcile.result.ts'

export async function showDifferences(
  flags: FilterFlags & { offline: boolean },
  context: Context,
): Promise<void> {
  const seen = { returns: 0, unread: 0, wrong: 0 }
  await withMirroredReturns(context, flags, (mirrored) =>
    context.render({
      kind: 'list',
      items: differencesOf(context, mirrored, seen),
      view: differencesView,
      envelope: { key: 'differences', rest: () => ({ returns: seen.returns, unread: seen.unread }) },
    }),
  )
  const { returns, unread, wrong } = seen
  if (unread > 0) {
    await context.note(
      `The refunds of ${unread} of ${counted(returns, 'return')} were not copied; ${await copyAllLine(context)} does`,
    )
  }
  if (wrong === 0) return
  throw new AppError(
    'partial',
    `${wrong} of ${counted(returns, 'return')} ${wrong === 1 ? 'differs from its' : 'differ from their'} refunds.`,
    {
      hints: [`${await context.shellLine(['returns', 'explain', 'RETURN'])} tells how it came`],
    },
  )
}

async function* differencesOf(
  context: Context,
  { mirror, filter }: MirroredReturns,
  seen: { returns: number; unread: number; wrong: number },
): AsyncGenerator<Difference> {
  const { returns, withoutRefunds } = await countReturns(mirror.db, filter)
  seen.returns = returns
  seen.unread = withoutRefunds
  for await (const facts of context.counted(readDiffering(mirror.db, filter), 'returns')) {
    seen.wrong += 1
    yield* reconcile(facts)
  }
}
