import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { type Job, jobIds, pruneJobs, readJob } from '../../bulk/job/job-folder.ts'
import { type JobReport, mergeReports, reportJob } from '../../bulk/job/job-report.ts'
import type { ListedRow, ListedRows } from '../../bulk/job/listed-rows.ts'
import type { Context } from '../../cli/context.ts'
import { readDuration } from '../../config/flag-values.ts'
import { AppError, errorCode } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { jsonOrUndefined } from '../../wire/json.ts'
import { MANY_ROWS, unknownText } from '../tracking/result.ts'
import { chosenJob, type JobChoice, jobsDir, pushMemory } from './choose-job.ts'
import { type JobRecord, jobDetails, jobsView, mergedView, removedJobsView } from './jobs.result.ts'

async function jobRecord(job: Job): Promise<JobRecord & { rows: ListedRows }> {
  const { info, directory } = job
  const { rows, ...report } = await reportJob(job)
  const { remaining, failed, unknown } = report
  const left: JobRecord['state'] =
    remaining > 0 ? 'remaining' : failed > 0 ? 'failed' : unknown > 0 ? 'unknown' : 'done'
  return {
    ...report,
    state: (await job.holder()) ? 'running' : left,
    created: info.created,
    profile: info.profile ?? null,
    baseUrl: info.baseUrl ?? null,
    shop: info.shop ?? null,
    folder: directory,
    failedFile: job.failedFile(),
    rows,
  }
}

async function* rowRecords(rows: ListedRows) {
  for await (const { row, key, status, attempts, code, message } of rows) {
    yield { row, key, status, attempts, error: { code, message } }
  }
}

/** Newest first. A job that can't be read is told of, and left out. */
export async function listJobs(context: Context): Promise<void> {
  await context.checkOutput(jobsView)
  const dir = jobsDir(context)
  const records: JobRecord[] = []
  for (const id of (await jobIds(dir)).reverse()) {
    try {
      const { rows: _, ...record } = await jobRecord(await readJob(dir, id))
      records.push(record)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await context.warn(error.message)
    }
  }
  records.sort((one, other) => other.created.localeCompare(one.created))
  await context.render({ kind: 'list', items: records, view: jobsView })
}

export async function showJob(context: Context, choice: JobChoice): Promise<void> {
  await context.checkOutput(jobsView)
  const job = await chosenJob(context, choice)
  if (job.info.total > MANY_ROWS) context.spareMemory()
  const { rows, ...record } = await jobRecord(job)
  await context.render({
    kind: 'record',
    record,
    list: { key: 'rows', items: rowRecords(rows) },
    view: jobsView,
    details: () => jobDetails(record, rowRecords(rows), rows.count),
  })
}

export async function removeOldJobs(
  context: Context,
  { 'older-than': olderThan, force }: { 'older-than': string; force: boolean },
): Promise<void> {
  const olderThanMs = readDuration('--older-than', olderThan) * 1000
  await context.checkOutput(removedJobsView)
  const endedBefore = new Date(context.io.now() - olderThanMs)
  const { removeLeftInputs } = await import('../../config/paths.ts')
  await removeLeftInputs(context, endedBefore)
  const memory = pushMemory(context)
  const around = (job: Job, remove: () => Promise<void>) => memory.outlive(job, remove)
  const { removed, kept } = await pruneJobs(jobsDir(context), { endedBefore, force, around })
  await context.render({ kind: 'list', items: removed.map((jobId) => ({ jobId })), view: removedJobsView })
  await context.note(`${removed.length} removed, ${kept.length} kept`)
}

/** Puts the reports of all parts together. Each is the JSON that a part printed, or names a job on this machine. */
export async function mergeJobs(context: Context, sources: readonly string[]): Promise<void> {
  await context.checkOutput(mergedView)
  const dir = jobsDir(context)
  const ids = await jobIds(dir)
  const reports: JobReport[] = []
  for (const source of sources) {
    reports.push(
      ids.includes(source) ? await wholeReport(await readJob(dir, source)) : await readReport(source),
    )
  }
  const record = mergeReports(reports)
  await context.render({ kind: 'record', record, view: mergedView })
  const { total, failed, remaining, unknown } = record
  if (failed + remaining > 0) {
    throw new AppError(
      'partial',
      `Of ${counted(total, 'row')} ${failed} failed, and ${counted(remaining, 'remains', 'remain')}.`,
      {
        hints: ['resume or retry the jobs that are not done, then merge again'],
      },
    )
  }
  if (unknown === 0) return
  throw new AppError('unknown', unknownText(unknown, total))
}

async function wholeReport(job: Job): Promise<JobReport> {
  const { rows: listed, ...report } = await reportJob(job)
  const rows: ListedRow[] = []
  for await (const row of listed) rows.push(row)
  return { ...report, rows }
}

const count = z.int().nonnegative()
const rowSchema = z.looseObject({
  row: z.int(),
  key: z.string(),
  status: z.enum(['failed', 'unknown', 'skipped']),
  attempts: count,
  error: z.looseObject({ code: z.string(), message: z.string() }),
})
const reportSchema = z.looseObject({
  jobId: z.string(),
  total: count,
  succeeded: count,
  duplicate: count.default(0),
  stale: count.default(0),
  failed: count,
  unknown: count,
  skipped: count,
  remaining: count,
  input: z.looseObject({ path: z.string(), sha256: z.string() }),
  shard: z.object({ index: count, of: count }).optional(),
  rows: z.array(rowSchema).optional(),
})

/** The JSON of `tracking push` or `jobs show`. */
async function readReport(path: string): Promise<JobReport> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason =
      errorCode(cause) === 'ENOENT' ? 'there is no such file or job' : (errorCode(cause) ?? cause)
    throw new AppError('usage', `${path} can't be read: ${reason}.`, { cause })
  })
  const parsed = reportSchema.safeParse(jsonOrUndefined(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue ? ` (${issue.path.join('.')} ${issue.message})` : ''
    throw new AppError('usage', `${path} is not the report of a job${where}.`, {
      hints: ['give what the parts print with --json, or their job ids'],
    })
  }
  const { rows = [], input, ...rest } = parsed.data
  return {
    ...rest,
    unsettled: 0,
    input: { path: input.path, sha256: input.sha256 },
    rows: rows.map(({ error, ...row }) => ({ ...row, ...error, ordinal: 0 })),
  }
}
