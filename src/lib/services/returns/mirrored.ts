import type { Context } from '../../cli/context.ts'
import { switchFlag } from '../../config/flag-kinds.ts'
import type { MirrorStore } from '../../mirror/store/open.ts'
import type { MirrorFilter } from '../../mirror/store/read.ts'
import { readState } from '../../mirror/store/state.ts'
import { clockAtSync, noteGaps, withFreshMirror } from '../mirror/refresh.ts'
import { type FilterFlags, readFilters } from './list-flags.ts'
import { platformNow } from './return-summary.ts'
import { mirrorFilter } from './search.ts'

export const mirroredFlags = {
  offline: switchFlag('Take the mirror as it is, and ask the platform nothing'),
}

export interface MirroredReturns {
  mirror: MirrorStore
  filter: MirrorFilter
  /** Platform time in epoch milliseconds. */
  now: number
  /** Time of the copies, in epoch milliseconds. */
  asOf: number
}

export async function withMirroredReturns<T>(
  context: Context,
  flags: FilterFlags & { offline: boolean },
  action: (mirrored: MirroredReturns) => Promise<T>,
): Promise<T> {
  const filter = await mirrorFilter(await readFilters(flags, context, { zone: 'UTC' }), context)
  return withFreshMirror(context, { isOffline: flags.offline, needsDetails: true }, async (mirror) => {
    // Scripts would get this note with every run.
    const fromMs = filter.createdFromMs ?? (context.streams.err.isTerminal ? 0 : undefined)
    await noteGaps(context, mirror, fromMs)
    context.progress.start('Going through the mirror')
    const { isSandbox } = await context.settings()
    // The built-in sandbox answers without a network.
    const isOnline = !flags.offline || isSandbox
    const now = isOnline ? await platformNow(context) : await clockAtSync(mirror, context)
    const { syncedMs, clockAheadMs, markMs } = await readState(mirror.db)
    const copied = syncedMs === null ? markMs : syncedMs + (clockAheadMs ?? 0)
    const asOf = (flags.offline ? copied : null) ?? now
    return action({ mirror, filter, now, asOf })
  })
}
