import type { Context } from '../../cli/context.ts'
import { countMirror } from '../../mirror/stats/facts.ts'
import { readPolicy, readState } from '../../mirror/store/state.ts'
import { withExistingMirror } from './location.ts'
import { mirrorDetails, mirrorView } from './mirror.result.ts'

export async function showMirror(context: Context) {
  await withExistingMirror(context, async ({ mirror, where, origin }) => {
    const [state, counts] = [await readState(mirror.db), await countMirror(mirror)]
    const { choices, createdFrom } = await readPolicy(mirror.db)
    const { syncedMs, fullMs, full, platformTotal, comparedMs, notKept, isComplete } = state
    const record = {
      database: where,
      platform: origin.platform,
      shops: [...origin.shops],
      ...counts,
      syncedAt: isoText(syncedMs),
      // Negative if the clock was set back.
      ageSeconds: syncedMs === null ? null : Math.round((context.io.now() - syncedMs) / 1000),
      fullSyncAt: isoText(fullMs),
      isComplete,
      platformTotal,
      comparedAt: isoText(comparedMs),
      notKept,
      forgottenBefore: createdFrom ?? null,
      unfinished: full === null ? null : { done: full.done, total: full.total },
      choices: { ...choices, without: [...choices.without] },
    }
    await context.render({ kind: 'record', record, view: mirrorView, details: mirrorDetails })
    if (record.ageSeconds !== null && record.ageSeconds < 0) {
      await context.warn("The last sync lies in the future: this machine's clock was wrong then, or is now.")
    }
  })
}

function isoText(ms: number | null) {
  return ms === null ? null : new Date(ms).toISOString()
}
