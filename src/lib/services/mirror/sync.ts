import type { Context } from '../../cli/context.ts'
import { clearMirror } from '../../mirror/store/apply.ts'
import { readChoices, writeValue } from '../../mirror/store/state.ts'
import { type SyncProgress, type SyncSummary, syncMirror } from '../../mirror/sync/sync.ts'
import { counted } from '../../wire/counted.ts'
import { type ChoiceFlags, consequenceOf, readChoiceFlags } from './choices.ts'
import { consentToCopy, platformSource } from './consent.ts'
import { type OpenedMirror, syncLine, withMirror } from './location.ts'
import { syncDetails, syncView } from './mirror.result.ts'

const SYNC_PATIENCE_MS = 60 * 60_000
/** Shorter waits give no message. */
const TOLD_WAIT_MS = 1000

const LONG_COPY = 500

interface SyncFlags extends ChoiceFlags {
  full: boolean
  yes: boolean
}

export async function runSync(context: Context, flags: SyncFlags) {
  readChoiceFlags(flags)
  const startedMs = performance.now()
  await withMirror(context, async (opened) => {
    const { mirror, where, hasMirrorPerSandbox: keepsOtherData } = opened
    const source = await platformSource(context, opened)
    await consentToCopy(context, opened, source, flags)
    context.progress.start('Reading returns')
    const summary = await inTurn(mirror, context, async () => {
      const isFull = (await applyChoices(opened, flags)) || flags.full
      const clock = { now: context.io.now }
      return lastSummary(context, syncMirror({ mirror, source, clock, isFull, keepsOtherData }))
    })
    context.progress.stop()
    const record = { ...summary, database: where, durationMs: Math.round(performance.now() - startedMs) }
    await context.render({ kind: 'record', record, view: syncView, details: syncDetails })
    if (!summary.isComplete) return context.warn(incompleteText(summary, await syncLine(context)))
    const { added, changed, removed } = summary
    await context.done([added, 'added'], [changed, 'changed'], [removed, 'removed'])
  })
}

/** Waits for another process that works on the mirror, and says so. */
export async function inTurn<T>(
  mirror: OpenedMirror['mirror'],
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const stop = context.io.timers.after(
    TOLD_WAIT_MS,
    () => void context.note('Another process works on this mirror: waiting for it'),
  )
  try {
    return await mirror.exclusively({ waitMs: SYNC_PATIENCE_MS, signal: context.requestsEnd }, () => {
      stop()
      return work()
    })
  } finally {
    stop()
  }
}

/** @returns whether everything has to be copied again */
async function applyChoices({ mirror }: OpenedMirror, flags: ChoiceFlags) {
  const before = await readChoices(mirror.db)
  const after = readChoiceFlags(flags, before)
  const consequence = consequenceOf(before, after)
  if (consequence === 'remove') await mirror.erase(() => clearMirror(mirror.db))
  await writeValue(mirror.db, 'meta', 'choices', after)
  return consequence !== 'nothing'
}

export async function lastSummary(
  context: Context,
  steps: AsyncIterable<SyncProgress>,
): Promise<SyncSummary> {
  const startedMs = performance.now()
  for await (const step of steps) {
    if (step.phase === 'done') return step.summary
    context.assertNotInterrupted()
    if (step.phase === 'returns' && step.done >= LONG_COPY) context.spareMemory()
    context.progress.update(progressText(step, performance.now() - startedMs))
  }
  throw new Error('a sync ended without a summary')
}

function progressText(step: Exclude<SyncProgress, { phase: 'done' }>, elapsedMs: number) {
  if (step.phase === 'comparing') return 'Comparing with the platform'
  const { done, total } = step
  const what = step.phase === 'returns' ? 'returns' : 'transports and refunds'
  if (total === undefined || total < done) return `Reading ${what}: ${done}`
  const leftSeconds = Math.round((elapsedMs / Math.max(1, done)) * ((total - done) / 1000))
  const left = leftSeconds < 90 ? `${leftSeconds} s` : `${Math.round(leftSeconds / 60)} min`
  return `Reading ${what}: ${done} of ${total}, about ${left} left`
}

function incompleteText({ held, platformTotal }: SyncSummary, line: string) {
  const there = platformTotal === null ? 'does not count them' : `counts ${platformTotal}`
  return (
    `Not proven complete: ${counted(held, 'return is', 'returns are')} here, the platform ${there}. ` +
    `They may have changed meanwhile; ${line} compares again.`
  )
}
