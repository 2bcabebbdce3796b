import { asksForShop } from '../../api/http/error-map.ts'
import type { Job } from '../../bulk/job/job-folder.ts'
import type { Journal } from '../../bulk/job/journal.ts'
import { UnsuccessfulRows } from '../../bulk/job/unsuccessful-rows.ts'
import { type Reasons, reasonsIn } from '../../bulk/run/reasons.ts'
import type { BulkProgress, RunResult, RunStop } from '../../bulk/run/run-request.ts'
import { rowsEnded } from '../../bulk/run/run-tally.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, quotedWord, rewordError } from '../../errors.ts'
import { ClosedPipe } from '../../output/streams.ts'
import { counted } from '../../wire/counted.ts'
import { jobSummaryView, rowResultView } from '../jobs/jobs.result.ts'

export const MANY_ROWS = 500

export function progressText(progress: BulkProgress, now: number): string {
  const { done, total, rate, etaMs, failed, unknown, state, reason, until, concurrency } = progress
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
  const parts = [
    `${state === 'draining' ? 'Finishing what is under way' : 'Sending'}: ${done} of ${total} (${percent} %)`,
    `${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${concurrency} at once`,
  ]
  if (etaMs !== undefined && state === 'running') parts.push(`${durationText(etaMs)} left`)
  if (failed > 0) parts.push(`${failed} failed`)
  if (unknown > 0) parts.push(`${unknown} unknown`)
  if (state === 'paused') {
    const wait = until === undefined ? '' : `, next try in ${durationText(Math.max(0, until - now))}`
    parts.push(`paused: ${reason ?? 'the service is out'}${wait}`)
  }
  return parts.join(', ')
}

/** `45 s`, `12 min`, `3 h 05 min` */
function durationText(ms: number) {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

export function jobFailure(
  jobId: string,
  result: RunResult,
  failedFile: string | null,
  reasons: Pick<Reasons, 'details'>,
): AppError | undefined {
  const { failed, unknown, total, remaining } = result
  // A stop at the last row leaves nothing to resume.
  const stop = remaining === 0 && result.stop?.reason === 'failures' ? undefined : result.stop
  const resume = `rma jobs resume ${jobId}`
  const hints = [
    ...(failed > 0
      ? [
          `see the failed rows: ${failedFile ?? `rma jobs show ${jobId}`}`,
          `the same once more: rma jobs retry ${jobId}`,
          ...(failedFile ? [`once corrected: rma jobs retry ${jobId} --file ${quotedWord(failedFile)}`] : []),
        ]
      : []),
    ...(unknown > 0 ? [`look again at the unknown ones: rma jobs retry ${jobId} --unknown`] : []),
  ]
  const details = reasons.details(['failed', 'unknown'])
  if (stop?.reason === 'all-failed') {
    return new AppError(
      failed > 0 ? 'partial' : 'unknown',
      `Stopped, because all ${firstRows(result)}; ${counted(remaining, 'remains', 'remain')}.`,
      {
        details,
        hints: [
          `send the others all the same: ${resume}`,
          ...hints,
          'a job begun with --max-failures 100% does not stop so',
        ],
      },
    )
  }
  if (stop) {
    // A job keeps to the shop that it was begun with.
    const needsNewJob = stop.reason === 'error' && asksForShop(stop.error)
    const onward = needsNewJob ? hints : [`go on with: ${resume}`, ...hints]
    return stopped(stop, result, counted(remaining, 'row remains', 'rows remain'), onward)
  }
  if (failed > 0) {
    const open = unknown > 0 ? `, ${counted(unknown, 'more is', 'more are')} unknown` : ''
    return new AppError('partial', `${failed} of ${counted(total, 'row')} failed${open}.`, { details, hints })
  }
  return unknown === 0 ? undefined : new AppError('unknown', unknownText(unknown, total), { details, hints })
}

function stopped(
  stop: Exclude<RunStop, { reason: 'all-failed' }>,
  { failed, unknown }: RunResult,
  left: string,
  hints: readonly string[],
) {
  switch (stop.reason) {
    case 'interrupted':
      return new AppError('interrupted', `Interrupted; ${left}.`, { hints })
    case 'failures':
      return new AppError(
        failed > 0 ? 'partial' : 'unknown',
        `Stopped, because too many rows failed${unknown > 0 ? ' or are unknown' : ''}; ${left}.`,
        { hints },
      )
    case 'outage':
      return new AppError('unavailable', `Stopped: ${stop.message}; ${left}.`, { hints })
    case 'error': {
      const { message, hints: own, details } = stop.error
      // A job keeps to its shop, or to having none.
      const lacksShop = details.some(({ code }) => code === 'SC01')
      return rewordError(stop.error, `Stopped: ${message.replace(/\.$/, '')}; ${left}.`, {
        hints: lacksShop ? ['send the file again with --shop CODE'] : [...own, ...hints],
      })
    }
  }
}

export function firstRows({ failed, unknown }: RunResult): string {
  return `of the first ${counted(failed + unknown, 'row')} failed${unknown > 0 ? ' or are unknown' : ''}`
}

export function unknownText(unknown: number, total: number): string {
  return `The outcome of ${unknown} of ${counted(total, 'row')} is unknown.`
}

export async function checkJobOutput(context: Context) {
  await ((await isByRow(context)) ? context.checkOutput(rowResultView) : context.checkOutput(jobSummaryView))
}

export async function isByRow(context: Context): Promise<boolean> {
  const { output } = await context.settings()
  return output.value === 'ndjson' || output.value === 'csv'
}

/** Returns undefined if rows remain. The input is not read. */
export async function resultOf(job: Job, { ledger }: Journal): Promise<RunResult | undefined> {
  const { sent, ...counts } = ledger.counts()
  const { total } = job.info
  if (sent > 0 || rowsEnded(ledger.counts()) < total) return undefined
  // A run that was killed at its very end has not written the failed rows.
  const isWritten = counts.failed + counts.skipped === 0 || job.failedFile() !== null
  if ((await job.result()) === undefined || !isWritten) return undefined
  return { total, ...counts, remaining: 0, unsettled: 0, durationMs: 0 }
}

export async function tellOver(context: Context, job: Job, result: RunResult) {
  const printing = (await isByRow(context)) ? context.renderList([], rowResultView) : undefined
  const reasons = await reasonsIn(await UnsuccessfulRows.of(job.journalPath))
  await tellResult(context, job, { result, failedFile: job.failedFile(), reasons, printing })
}

interface Outcome {
  result: RunResult
  failedFile: string | null
  reasons: Reasons
  /** List of row results, which replaces the job summary. */
  printing: Promise<void> | undefined
}

export const NOTHING_NEW = 'Nothing is new: there is nothing to send.'

export async function tellResult(
  context: Context,
  job: Job,
  { result, failedFile, reasons, printing }: Outcome,
) {
  const { durationMs, stop: _, unsettled: _unsettled, ...counts } = result
  const { total, succeeded, duplicate, stale, skipped } = counts
  const { jobId, ...identity } = job.identity()
  const record = { jobId, ...counts, failedFile, ...job.unmatched(), durationMs, ...identity }
  const failure = jobFailure(job.id, result, failedFile, reasons)
  const { output } = await context.settings()
  if (output.value === 'table' && total === 0 && record.unmatched === undefined)
    return context.note(NOTHING_NEW)
  try {
    await printing
    if (!printing) await context.render({ kind: 'record', record, view: jobSummaryView })
    await context.streams.flush()
  } catch (error) {
    // The outcome of the rows must be seen, even if the output fails.
    if (!(error instanceof ClosedPipe)) await context.streams.err.write(`${JSON.stringify(record)}\n`)
    throw failure ?? error
  }
  if (failure) throw failure
  await context.done(
    [succeeded - duplicate - stale, 'sent'],
    [duplicate, 'was known', 'were known'],
    [stale, 'was older than what is known', 'were older than what is known'],
    [skipped, 'skipped'],
  )
}
