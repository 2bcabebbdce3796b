import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../cli/context.ts'
import { isOfKind } from '../../errors.ts'
import type { MirrorStore } from '../../mirror/store/open.ts'
import { readState, type SyncState } from '../../mirror/store/state.ts'
import { syncMirror } from '../../mirror/sync/sync.ts'
import { counted } from '../../wire/counted.ts'
import { consentToCopy, platformSource } from './consent.ts'
import { noMirror, type OpenedMirror, syncLine, withExistingMirror, withMirror } from './location.ts'
import { ageText } from './mirror.result.ts'
import { inTurn, lastSummary } from './sync.ts'

/** A mirror as old is as good as the platform itself. */
const FRESH_MS = 60_000
/** Time that a search waits for newer data. */
const REFRESH_MS = 2000

export interface Freshness {
  isOffline: boolean
  /** Transports and refunds are needed, too: what is missing of them is waited for. */
  needsDetails?: boolean
  /** No first copy is made, and all changes are waited for. */
  isExact?: boolean
}

/**
 * Runs `action` on a mirror that is as fresh as a moment allows. Otherwise a message names the age of the data.
 * The first copy is waited for.
 */
export async function withFreshMirror<T>(
  context: Context,
  freshness: Freshness,
  action: (mirror: MirrorStore) => Promise<T>,
): Promise<T> {
  const run = async (opened: OpenedMirror) => {
    if (freshness.isOffline || freshness.isExact) await refuseEmpty(context, opened)
    if (!freshness.isOffline) await refreshMirror(context, opened, freshness)
    return action(opened.mirror)
  }
  return freshness.isOffline || freshness.isExact
    ? withExistingMirror(context, run)
    : withMirror(context, run)
}

async function refuseEmpty(context: Context, { mirror }: OpenedMirror): Promise<void> {
  const { markMs, full } = await readState(mirror.db)
  if (markMs === null && full === null) throw await noMirror(context)
}

async function refreshMirror(
  context: Context,
  opened: OpenedMirror,
  { needsDetails = false, isExact = false }: Freshness,
): Promise<void> {
  const { mirror, isOneOfMany: keepsOtherData } = opened
  const state = await readState(mirror.db)
  const isFirst = state.markMs === null || state.full !== null
  if (!(isFirst || needsDetails || isExact) && isFresh(state, context.io.now())) return
  const source = await platformSource(context, opened)
  if (isFirst) await consentToCopy(context, opened, source, { yes: false, asksIfLarge: true })
  context.progress.start('Reading returns')
  const options = {
    mirror,
    source,
    clock: { now: context.io.now },
    leavesDetails: !needsDetails,
    leavesComparison: isExact,
    keepsOtherData,
  }
  if (isFirst || needsDetails || isExact) {
    await inTurn(mirror, context, () => lastSummary(context, syncMirror(options)))
  } else {
    const why = await syncBriefly(context, { ...options, leavesComparison: true })
    const age = ageText(Math.round((context.io.now() - (state.syncedMs ?? 0)) / 1000))
    if (why !== undefined) await context.warn(`Not brought up to date (${why}): what follows is ${age} old.`)
  }
  context.progress.stop()
}

/** Names the command that copies refunds of what did not change for long, too. */
export async function noteUnreadRefunds(context: Context, unread: number, what = 'return'): Promise<void> {
  if (unread === 0) return
  const line = await syncLine(context, '--with', 'transports,refunds')
  await context.note(`The refunds of ${counted(unread, what)} were not copied; ${line} does`)
}

/** A copy from the future was made by another clock. */
function isFresh({ syncedMs }: SyncState, nowMs: number): boolean {
  return syncedMs !== null && syncedMs <= nowMs && nowMs - syncedMs < FRESH_MS
}

/** Returns undefined if the sync ended, else why it did not. Copies made until then stay. */
async function syncBriefly(
  context: Context,
  options: Parameters<typeof syncMirror>[0],
): Promise<string | undefined> {
  const time = new AbortController()
  const steps = async () => {
    for await (const _step of syncMirror(options)) if (time.signal.aborted) return
  }
  const synced = options.mirror.exclusively({ waitMs: 0 }, steps).then(
    () => undefined,
    (error: unknown) => {
      if (isOfKind(error, 'unavailable')) return error.message.replace(/\.$/, '')
      if (isOfKind(error, 'usage')) return 'another process is at it'
      if (time.signal.aborted) return ''
      throw error
    },
  )
  const tooLong = delay(REFRESH_MS, `no end within ${REFRESH_MS / 1000} s`, { signal: time.signal })
  tooLong.catch(() => {})
  try {
    return await context.untilInterrupted(Promise.race([synced, tooLong]))
  } finally {
    time.abort()
    synced.catch(() => {})
  }
}

/** The platform's clock, as far as it was ahead of this machine's at the last sync. */
export async function clockAtSync({ db }: MirrorStore, { io }: Context): Promise<number> {
  return io.now() + ((await readState(db)).clockAheadMs ?? 0)
}
