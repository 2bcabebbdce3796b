import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { REFUNDED_STATUSES, StuckFinder, type StuckRule } from '../../insight/stuck.ts'
import { countUnreadRefunds, readScanGaps, readStuck } from '../../mirror/stats/facts.ts'
import { counted } from '../../wire/counted.ts'
import { noteUnreadRefunds } from '../mirror/refresh.ts'
import { type MirroredReturns, withMirroredReturns } from './mirrored.ts'
import { stuckView } from './stuck.result.ts'

export async function showStuck(flags: { offline: boolean; 'fail-if-any': boolean }, context: Context) {
  const { finder, unread } = await withMirroredReturns(context, { offline: flags.offline }, (mirrored) =>
    findStuck(context, mirrored),
  )
  const counts = new Map<StuckRule, number>()
  await context.renderList(countedByRule(context, finder, counts), stuckView, 'stuck', () => ({ unread }))
  await noteUnreadRefunds(context, unread, 'checked return')
  if (flags['fail-if-any'] && counts.size > 0) {
    const total = [...counts.values()].reduce((sum, count) => sum + count)
    throw new AppError('partial', `${counted(total, 'return is', 'returns are')} stuck.`, {
      details: [...counts].map(([rule, count]) => ({ message: `${rule}: ${count}` })),
    })
  }
}

async function* countedByRule(context: Context, finder: StuckFinder, counts: Map<StuckRule, number>) {
  const found = finder.found()
  const shops = new Map(found.map(({ name, shop }) => [name, shop]))
  // Names that two shops share: only their commands need a shop.
  const shared = new Set(found.filter(({ name, shop }) => shops.get(name) !== shop).map(({ name }) => name))
  for (const one of found) {
    counts.set(one.rule, (counts.get(one.rule) ?? 0) + 1)
    yield { ...one, next: await context.shellLine(one.next, shared.has(one.name) ? one.shop : undefined) }
  }
}

async function findStuck(context: Context, { mirror, filter, now }: MirroredReturns) {
  const finder = new StuckFinder(now)
  for await (const { carrier, carrierService, minutes } of readScanGaps(mirror.db, filter)) {
    finder.learn(carrier, carrierService, minutes)
  }
  for await (const facts of context.counted(readStuck(mirror.db, now, filter))) finder.add(facts)
  return { finder, unread: await countUnreadRefunds(mirror.db, filter, REFUNDED_STATUSES) }
}
