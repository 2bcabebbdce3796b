import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../cli/context.ts'
import { isOfKind, withHints } from '../../errors.ts'
import type { MirrorStore } from '../../mirror/store/open.ts'
import { readState, type SyncState } from '../../mirror/store/state.ts'
import { syncMirror } from '../../mirror/sync/sync.ts'
import { counted } from '../../wire/counted.ts'
import { consentToCopy, platformSource } from './consent.ts'
import { noMirror, type OpenedMirror, syncLine, withExistingMirror, withMirror } from './location.ts'
import { ageText, notKeptText, stoppedText } from './mirror.result.ts'
import { inTurn, lastSummary } from './sync.ts'

/** Age up to which a mirror is fresh, unless this machine has written to a platform since. */
const FRESH_MS = 60_000
/** Time that a search waits for newer data. */
const REFRESH_MS = 2000

interface Freshness {
  isOffline: boolean
  /** True to wait for missing transports and refunds, too. */
  needsDetails?: boolean
  /** True to wait for all changes of an existing mirror. */
  isExact?: boolean
}

/** `old`: the platform was not asked, or did not answer in time. */
type CopyState = 'renewed' | 'current' | 'old'

/**
 * Runs `action` after refreshing the mirror for up to two seconds, with a warning if that was too short. A first copy
 * has no limit. `renew` refreshes a mirror that counted as fresh.
 */
export async function withFreshMirror<T>(
  context: Context,
  freshness: Freshness,
  action: (mirror: MirrorStore, renew: () => Promise<CopyState>) => Promise<T>,
): Promise<T> {
  const mustExist = freshness.isOffline || freshness.isExact
  const run = async (opened: OpenedMirror) => {
    if (mustExist) {
      const { markMs, full } = await readState(opened.mirror.db)
      if (markMs === null && full === null) throw await noMirror(context)
    }
    const isUpToDate = !freshness.isOffline && (await refreshMirror(context, opened, freshness, FRESH_MS))
    return action(opened.mirror, async () => {
      if (isUpToDate !== undefined) return isUpToDate ? 'current' : 'old'
      return (await refreshMirror(context, opened, freshness, 0)) ? 'renewed' : 'old'
    })
  }
  return mustExist ? withExistingMirror(context, run) : withMirror(context, run)
}

/** Returns whether the mirror is up to date now; undefined if it is younger than `maxAgeMs`. */
async function refreshMirror(
  context: Context,
  opened: OpenedMirror,
  { needsDetails = false, isExact = false }: Freshness,
  maxAgeMs: number,
) {
  const { mirror, hasMirrorPerSandbox: keepsOtherData } = opened
  const state = await readState(mirror.db)
  const isFirst = state.markMs === null || state.full !== null
  const isBrief = !(isFirst || needsDetails || isExact)
  if (isBrief && (await isFresh(state, maxAgeMs, context))) return undefined
  const source = await platformSource(context, opened)
  if (isFirst) await consentToCopy(context, opened, source, { yes: false, asksIfLarge: true })
  context.progress.start('Reading returns')
  const copiedMs = state.syncedMs ?? state.markMs ?? 0
  const age = ageText(Math.round((context.io.now() - copiedMs) / 1000))
  const options = {
    mirror,
    source,
    clock: { now: context.io.now },
    skipsDetails: !needsDetails,
    skipsComparison: isExact,
    keepsOtherData,
  }
  let why: string | undefined
  if (isBrief) why = await syncBriefly(context, { ...options, skipsComparison: true })
  // Another sandbox may have replaced the data, so that a first copy has just begun.
  if (!isBrief || (why !== undefined && (await readState(mirror.db)).markMs === null)) {
    why = undefined
    await inTurn(mirror, context, () => lastSummary(context, syncMirror(options))).catch((error: unknown) => {
      const mayUseCopy = state.markMs !== null && !isExact && isOfKind(error, 'unavailable')
      throw mayUseCopy ? withHints(error, `--offline answers from the copy, ${age} old`) : error
    })
  }
  if (why !== undefined) await context.warn(`Not brought up to date (${why}): what follows is ${age} old.`)
  context.progress.stop()
  return why === undefined
}

/** Tells which returns created since `createdFromMs` the mirror lacks. */
export async function noteGaps(context: Context, { db }: MirrorStore, createdFromMs: number | undefined) {
  const { markMs, full, notKept, syncedMs } = await readState(db)
  if (markMs === null && full !== null) {
    await context.warn(
      `What follows is not of all returns: ${stoppedText(full)}; ${await syncLine(context)} goes on.`,
    )
  }
  if (markMs !== null && syncedMs === null) {
    await context.warn(
      `What follows was never compared with the platform; ${await syncLine(context)} does it.`,
    )
  }
  const isTooEarly = createdFromMs !== undefined && createdFromMs < Date.parse(notKept?.createdBefore ?? '')
  if (isTooEarly) await context.note(`Not kept in the mirror: ${notKeptText({ notKept })}`)
}

/** Names the command that also copies refunds of returns unchanged for long. */
export async function noteUnreadRefunds(context: Context, unread: number, what = 'return') {
  if (unread === 0) return
  const line = await syncLine(context, '--with', 'transports,refunds')
  await context.note(`The refunds of ${counted(unread, what)} were not copied; ${line} does`)
}

async function isFresh({ syncedMs }: SyncState, maxAgeMs: number, context: Context) {
  const nowMs = context.io.now()
  const { isSandbox } = await context.settings()
  const writtenMs = isSandbox ? nowMs : context.audit.lastWriteMs()
  // A time in the future comes from another clock.
  return syncedMs !== null && syncedMs <= nowMs && syncedMs > Math.max(writtenMs, nowMs - maxAgeMs)
}

/** Returns why the sync did not end in time, or undefined. Keeps what was copied. */
async function syncBriefly(context: Context, options: Parameters<typeof syncMirror>[0]) {
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
  try {
    return await context.untilInterrupted(Promise.race([synced, tooLong]))
  } finally {
    time.abort()
  }
}

/** Returns the platform's time, by the clocks' difference at the last sync. */
export async function clockAtSync({ db }: MirrorStore, { io }: Context): Promise<number> {
  return io.now() + ((await readState(db)).clockAheadMs ?? 0)
}
