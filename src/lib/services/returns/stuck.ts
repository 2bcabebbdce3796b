import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { REFUNDED_STATUSES, StuckFinder, type StuckReturn } from '../../insight/stuck.ts'
import { stuckView } from '../../output/views/stuck.ts'
import { counted } from '../../wire/counted.ts'
import { COPY_ALL, type MirroredReturns, withMirroredReturns } from './mirrored.ts'

/** Prints the returns that do not move on. @throws AppError `partial` for any, if that is asked for */
export async function showStuck(
  flags: { offline: boolean; 'fail-if-any': boolean },
  context: Context,
  connection: Connection,
): Promise<void> {
  await context.checkOutput(stuckView)
  const { found, unread } = await withMirroredReturns(
    context,
    connection,
    { offline: flags.offline },
    findStuck,
  )
  const items = await Promise.all(
    found.map(async (one) => ({ ...one, next: await context.shellLine(one.next, undefined) })),
  )
  await context.render({
    kind: 'list',
    items,
    view: stuckView,
    envelope: { key: 'stuck', rest: () => ({ unread }) },
  })
  if (unread > 0)
    await context.note(
      `The refunds of ${counted(unread, 'checked return')} were not copied; ${COPY_ALL} does`,
    )
  if (flags['fail-if-any'] && found.length > 0) {
    const rules = [...new Set(found.map(({ rule }) => rule))]
    const counts = rules.map((rule) => ({
      message: `${rule}: ${found.filter((one) => one.rule === rule).length}`,
    }))
    throw new AppError('partial', `${counted(found.length, 'return is', 'returns are')} stuck.`, {
      details: counts,
    })
  }
}

async function findStuck({
  mirror,
  now,
}: MirroredReturns): Promise<{ found: StuckReturn[]; unread: number }> {
  const finder = new StuckFinder(now)
  for await (const { carrier, carrierService, minutes } of mirror.scanGaps()) {
    finder.learn(carrier, carrierService, minutes)
  }
  for await (const facts of mirror.stuck(now)) finder.add(facts)
  const { withoutRefunds } = await mirror.count({}, REFUNDED_STATUSES)
  return { found: finder.found(), unread: withoutRefunds }
}
