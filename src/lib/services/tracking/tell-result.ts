import type { Job } from '../../bulk/job/job-folder.ts'
import type { Journal } from '../../bulk/job/journal.ts'
import { rowsEnded } from '../../bulk/run/progress.ts'
import type { RunResult } from '../../bulk/run/run-request.ts'
import type { Context } from '../../cli/context.ts'
import type { ErrorDetail } from '../../errors.ts'
import { ClosedPipe } from '../../output/streams.ts'
import { jobReportView, rowReportView } from '../jobs/jobs.result.ts'
import { type JobSummary, jobFailure } from './job-summary.ts'

/** To be known before anything is sent. */
export async function checkJobOutput(context: Pick<Context, 'checkOutput' | 'settings'>): Promise<void> {
  await ((await isByRow(context)) ? context.checkOutput(rowReportView) : context.checkOutput(jobReportView))
}

export async function isByRow(context: Pick<Context, 'settings'>): Promise<boolean> {
  const { output } = await context.settings()
  return output.value === 'ndjson' || output.value === 'csv'
}

/** Returns the result of a job without remaining rows; undefined if rows remain. The input is not read. */
export async function resultOf(
  job: Job,
  { ledger }: Pick<Journal, 'ledger'>,
): Promise<RunResult | undefined> {
  const { sent, ...counts } = ledger.counts()
  const { failed, skipped } = counts
  if (sent > 0 || rowsEnded(ledger.counts()) < job.info.total) return undefined
  // A run that was killed at its very end, or had no room for them, has not written the failed rows.
  const isWritten = failed + skipped === 0 || job.failedFile() !== null
  if ((await job.result()) === undefined || !isWritten) return undefined
  return { total: job.info.total, ...counts, remaining: 0, unsettled: 0, durationMs: 0, stop: undefined }
}

/** Prints the result of a job of which no row was sent now. */
export async function tellOver(context: Context, job: Job, result: RunResult): Promise<void> {
  const printing = (await isByRow(context))
    ? context.render({ kind: 'list', items: [], view: rowReportView })
    : undefined
  await tellResult(context, job, { result, failedFile: job.failedFile(), samples: [], printing })
}

interface Told {
  result: RunResult
  failedFile: string | null
  /** Rows of this run that did not succeed, some of them. */
  samples: readonly ErrorDetail[]
  /** List of row results, which replaces the job summary. */
  printing: Promise<void> | undefined
}

export async function tellResult(
  context: Context,
  job: Job,
  { result, failedFile, samples, printing }: Told,
): Promise<void> {
  const { total, succeeded, duplicate, stale, failed, unknown, skipped, remaining, durationMs } = result
  const { input: origin, shard } = job.info
  const report: JobSummary = {
    jobId: job.id,
    total,
    succeeded,
    failed,
    unknown,
    skipped,
    remaining,
    duplicate,
    stale,
    failedFile,
    durationMs: Math.round(durationMs),
    input: { path: origin.path, sha256: origin.sha256 },
    ...(shard === undefined ? {} : { shard }),
  }
  const failure = jobFailure(job.id, result, failedFile, samples)
  try {
    await printing
    if (!printing) await context.render({ kind: 'record', record: report, view: jobReportView })
    await context.streams.flush()
  } catch (error) {
    // The outcome of the rows counts for more than that of the output, and must be seen somewhere.
    if (!(error instanceof ClosedPipe)) await context.streams.err.write(`${JSON.stringify(report)}\n`)
    throw failure ?? error
  }
  if (failure) throw failure
}
