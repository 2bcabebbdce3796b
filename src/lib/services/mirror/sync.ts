import type { Context } from '../../cli/context.ts'
import { type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { readDuration } from '../../config/flag-values.ts'
import { nearHints, usageError } from '../../errors.ts'
import { clearMirror } from '../../mirror/store/apply.ts'
import {
  type CopyChoices,
  DEFAULT_CHOICES,
  readChoices,
  readValue,
  writeValue,
} from '../../mirror/store/state.ts'
import { type SyncProgress, type SyncSummary, syncMirror } from '../../mirror/sync/sync.ts'
import { counted } from '../../wire/counted.ts'
import { consentToCopy, platformSource } from './consent.ts'
import { type OpenedMirror, syncLine, withMirror } from './location.ts'
import { syncDetails, syncView } from './mirror.result.ts'

const MAX_WAIT_MS = 60 * 60_000
const WAIT_MESSAGE_AFTER_MS = 1000

/** Returns copied before a sync begins to save memory. */
const SPARE_MEMORY_AFTER = 500

const PARTS = ['transports', 'refunds', 'none']
const DAY_SECONDS = 86_400

/** Flags for what is copied. Later syncs keep each choice. */
export const choiceFlags = {
  with: textFlag(
    'PARTS',
    'transports,refunds of all returns, or none; without it both, of what changed in 90 days',
  ),
  without: textFlag('FIELDS', 'Leave these fields out, by their paths: customer.phone,origin; "" for none'),
  keep: textFlag('DURATION', 'How long after their creation returns are kept: 400d by default, or forever'),
  'bank-details': switchFlag('Copy customerIban and accountHolderName, too', { allowNo: true }),
}

type ChoiceFlags = Partial<FlagValues<typeof choiceFlags>>

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
      const consequence = await applyChoices(opened, flags)
      const isFull = consequence === 'remove' || consequence === 'copy' || flags.full
      const clock = { now: context.io.now }
      const options = { mirror, source, clock, isFull, keepsOtherData }
      const copied = await lastSummary(context, syncMirror(options))
      if (await readValue(mirror.db, 'unpurged')) await mirror.erase(async () => {})
      return copied
    })
    context.progress.stop()
    const record = { ...summary, database: where, durationMs: Math.round(performance.now() - startedMs) }
    await context.render({ kind: 'record', record, view: syncView, details: syncDetails })
    if (!summary.isComplete) return context.warn(incompleteText(summary, await syncLine(context)))
    const { added, changed, removed } = summary
    await context.done([added, 'added'], [changed, 'changed'], [removed, 'removed'])
  })
}

export async function inTurn<T>(
  mirror: OpenedMirror['mirror'],
  context: Context,
  work: () => Promise<T>,
): Promise<T> {
  const stop = context.io.timers.after(
    WAIT_MESSAGE_AFTER_MS,
    () => void context.note('Another process works on this mirror: waiting for it'),
  )
  try {
    return await mirror.exclusively({ waitMs: MAX_WAIT_MS, signal: context.requestsEnd }, () => {
      stop()
      return work()
    })
  } finally {
    stop()
  }
}

async function applyChoices({ mirror }: OpenedMirror, flags: ChoiceFlags) {
  const before = await readChoices(mirror.db)
  const after = readChoiceFlags(flags, before)
  const consequence = consequenceOf(before, after)
  const choose = () => writeValue(mirror.db, 'choices', after)
  // A sync that is killed leaves the purge to the next one.
  if (consequence === 'shorten') await writeValue(mirror.db, 'unpurged', true)
  if (consequence !== 'remove') await choose()
  else await mirror.erase(() => clearMirror(mirror.db).then(choose))
  return consequence
}

export async function lastSummary(
  context: Context,
  steps: AsyncIterable<SyncProgress>,
): Promise<SyncSummary> {
  for await (const step of steps) {
    if (step.phase === 'done') {
      const unread = counted(step.unread, 'return')
      if (step.unread > 0)
        await context.warn(`Copied, but the platform refuses the transports or refunds of ${unread}.`)
      return step.summary
    }
    context.assertNotInterrupted()
    if (step.phase === 'returns' && step.done >= SPARE_MEMORY_AFTER) context.saveMemory()
    showProgress(context, step)
  }
  throw new Error('a sync ended without a summary')
}

function showProgress({ progress }: Context, step: Exclude<SyncProgress, { phase: 'done' }>) {
  if (step.phase === 'comparing') return progress.update('Comparing with the platform')
  const { done, total } = step
  const doing = `Reading ${step.phase === 'returns' ? 'returns' : 'transports and refunds'}`
  if (total === undefined || total < done) progress.update(`${doing}: ${done}`)
  else progress.count(doing, done, total)
}

function incompleteText({ held, platformTotal }: SyncSummary, line: string) {
  const there = platformTotal === null ? 'does not count them' : `counts ${platformTotal}`
  return (
    `Not proven complete: ${counted(held, 'return is', 'returns are')} here, the platform ${there}. ` +
    `They may have changed meanwhile; ${line} compares again.`
  )
}

function readChoiceFlags(flags: ChoiceFlags, before: CopyChoices = DEFAULT_CHOICES): CopyChoices {
  const parts = flags.with === undefined ? undefined : readParts(flags.with)
  return {
    ...before,
    ...(parts && {
      transports: parts.includes('transports'),
      refunds: parts.includes('refunds'),
      detailDays: null,
    }),
    ...(flags.without === undefined ? {} : { without: readPaths(flags.without) }),
    ...(flags.keep === undefined ? {} : { keepDays: readKeep(flags.keep) }),
    bankDetails: flags['bank-details'] ?? before.bankDetails,
  }
}

function readParts(text: string) {
  const parts = text.split(',').map((part) => part.trim())
  const unknown = parts.find((part) => !PARTS.includes(part))
  if (unknown === undefined) return parts
  throw usageError(
    `--with: ${JSON.stringify(unknown)} is not one of ${PARTS.join(', ')}.`,
    ...nearHints(unknown, PARTS, (near) => `--with ${near}`),
  )
}

function readPaths(text: string) {
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  const needed = paths.find((path) => ['id', 'name', 'createdAt', 'updatedAt', 'shopCode'].includes(path))
  if (needed === undefined) return [...new Set(paths)].sort()
  throw usageError(`--without: a mirror can't do without ${needed}.`)
}

function readKeep(text: string) {
  if (text === 'forever') return null
  const days = readDuration('--keep', text) / DAY_SECONDS
  if (days >= 1) return days
  throw usageError(`--keep: ${JSON.stringify(text)} is less than a day.`)
}

function consequenceOf(before: CopyChoices, after: CopyChoices) {
  if (holdsMore(before, after)) return 'remove'
  const days = ({ keepDays }: CopyChoices) => keepDays ?? Number.POSITIVE_INFINITY
  if (holdsMore(after, before) || days(after) > days(before)) return 'copy'
  return days(after) < days(before) ? 'shorten' : 'nothing'
}

function holdsMore(one: CopyChoices, other: CopyChoices) {
  return (one.bankDetails && !other.bankDetails) || other.without.some((path) => !one.without.includes(path))
}
