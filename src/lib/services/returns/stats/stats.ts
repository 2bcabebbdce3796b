import type { Context } from '../../../cli/context.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../../config/flag-kinds.ts'
import { nearHints, usageError } from '../../../errors.ts'
import { writePage } from '../../../files/write-new-file.ts'
import { STATS_DIMENSIONS, StatsCounter } from '../../../insight/stats.ts'
import { countStats, countUnreadRefunds } from '../../../mirror/stats/facts.ts'
import { counted } from '../../../wire/counted.ts'
import { formatServiceDate } from '../../../wire/time.ts'
import { noteUnreadRefunds } from '../../mirror/refresh.ts'
import { returnsFilterFlags } from '../list-flags.ts'
import { mirroredFlags, withMirroredReturns } from '../mirrored.ts'
import { statsSections, statsView } from './stats.result.ts'

export const statsFlags = {
  ...returnsFilterFlags,
  ...mirroredFlags,
  by: listFlag('WHAT', 'Only by these: status, reason, method, carrier, country, shop, day, week', {
    multipleNonGreedy: true,
  }),
  html: textFlag('FILE', 'Also write a page with charts, which works offline'),
  force: switchFlag('Replace the page if it has other content', { dependsOn: ['html'] }),
}

/** Longer ranges are counted by week. */
const MANY_DAYS = 35

export async function showStats(flags: FlagValues<typeof statsFlags>, context: Context) {
  const by = flags.by && readDimensions(flags.by)
  const zone = await context.timeZone()
  const counter = new StatsCounter(zone)
  const { copiedMs, unread } = await withMirroredReturns(context, flags, async ({ mirror, filter, asOf }) => {
    await countStats(mirror.db, filter, counter)
    return { copiedMs: asOf, unread: await countUnreadRefunds(mirror.db, filter) }
  })
  await noteUnreadRefunds(context, unread)
  const groups = counter.groups(by ?? usualDimensions(counter))
  const asOf = `As of ${formatServiceDate(copiedMs, zone).slice(0, 16)}, ${zone}`
  const { html: path, force } = flags
  if (path !== undefined) {
    const { statsPage } = await import('./stats-page.ts')
    const notRead = `refunds of ${counted(unread, 'return')} were not copied`
    const html = statsPage(groups, unread === 0 ? asOf : `${asOf}; ${notRead}`)
    await writePage({ what: 'page', path, html, force, flag: '--html', signal: context.io.interrupt })
    await context.note(`Numbers of ${counted(groups[0]?.returns ?? 0, 'return')} in ${path}`)
  }
  await context.render({
    kind: 'list',
    items: groups,
    view: statsView,
    envelope: { key: 'stats', rest: () => ({ unread }) },
    overview: () => statsSections(groups),
  })
}

function usualDimensions(counter: StatsCounter) {
  const isShort = counter.groups(['day']).length - 1 <= MANY_DAYS
  return STATS_DIMENSIONS.filter((one) => one !== (isShort ? 'week' : 'day'))
}

function readDimensions(given: readonly string[]) {
  return given
    .flatMap((text) => text.split(','))
    .map((text) => {
      const wanted = text.trim().toLowerCase()
      const known = STATS_DIMENSIONS.find((one) => one === wanted)
      if (known) return known
      throw usageError(
        `--by: ${JSON.stringify(text)} is not something to count returns by.`,
        ...nearHints(wanted, STATS_DIMENSIONS, (near) => `--by ${near}`),
        `one of ${STATS_DIMENSIONS.join(', ')}`,
      )
    })
}
