import { existsSync } from 'node:fs'
import type * as z from 'zod'
import { type Job, jobIds, type RowTotals, readJob, summarySchema } from '../../bulk/job/job-folder.ts'
import { type KeepReason, pruneJobs } from '../../bulk/job/prune-jobs.ts'
import { type UnsuccessfulRow, UnsuccessfulRows } from '../../bulk/job/unsuccessful-rows.ts'
import { reasonsIn } from '../../bulk/run/reasons.ts'
import { rowsEnded } from '../../bulk/run/run-tally.ts'
import type { Context } from '../../cli/context.ts'
import { readDuration } from '../../config/flag-values.ts'
import { removeLeftInputs } from '../../config/paths.ts'
import { AppError, appError, rethrowBug, usageError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { MANY_ROWS, unknownText } from '../tracking/result.ts'
import { chosenJob, type JobChoice, jobsDir, pushMemory } from './choose-job.ts'
import {
  type JobRecord,
  jobDetails,
  jobsView,
  jobWithRowsSchema,
  mergedView,
  removedJobsView,
} from './jobs.result.ts'

async function totalsOf(job: Job) {
  const { total } = job.info
  const rows = new UnsuccessfulRows(job.journalPath)
  const { ledger } = await job.recover(rows)
  const { sent: unsettled, ...counts } = ledger.counts()
  const remaining = total - rowsEnded(ledger.counts())
  return { totals: { ...job.identity(), total, ...counts, remaining, unsettled }, rows }
}

const KILLED = { stopped: 'Its process was killed, the power failed, or the disk was full.' }

async function jobRecord(job: Job): Promise<JobRecord & { rows: UnsuccessfulRows }> {
  const { info, directory } = job
  const { totals, rows } = await totalsOf(job)
  const left = (['remaining', 'failed', 'unknown'] as const).find((one) => totals[one] > 0) ?? 'done'
  const state = (await job.holder()) ? 'running' : left
  return {
    ...totals,
    state,
    ...(state === 'remaining' && { stopped: ((await job.result()) ?? KILLED).stopped }),
    created: info.created,
    profile: info.profile ?? null,
    folder: directory,
    failedFile: job.failedFile(),
    ...job.unmatched(),
    rows,
  }
}

async function* rowRecords(rows: UnsuccessfulRows) {
  for await (const { row, key, status, attempts, code, message } of rows) {
    yield { row, key, status, attempts, error: { code, message } }
  }
}

export async function listJobs(context: Context) {
  const dir = jobsDir(context)
  const records: JobRecord[] = []
  for (const id of (await jobIds(dir)).reverse()) {
    try {
      const { rows: _, ...record } = await jobRecord(await readJob(dir, id))
      records.push(record)
    } catch (error) {
      rethrowBug(error)
      await context.warn(error.message)
    }
  }
  records.sort((one, other) => other.created.localeCompare(one.created))
  await context.renderList(records, jobsView)
}

export async function showJob(context: Context, choice: JobChoice) {
  const job = await chosenJob(context, choice)
  if (job.info.total > MANY_ROWS) context.saveMemory()
  const { rows, ...totals } = await jobRecord(job)
  const reasons = await reasonsIn(rows)
  const record = { ...totals, reasons: reasons.list() }
  await context.render({
    kind: 'record',
    record,
    list: { key: 'rows', items: rowRecords(rows) },
    view: jobsView,
    details: () => jobDetails(record, reasons.details()),
  })
}

export async function removeOldJobs(
  context: Context,
  { 'older-than': olderThan, force }: { 'older-than': string; force: boolean },
) {
  const olderThanMs = readDuration('--older-than', olderThan) * 1000
  await context.checkOutput(removedJobsView)
  const endedBefore = new Date(context.io.now() - olderThanMs)
  await removeLeftInputs(context, endedBefore)
  const memory = pushMemory(context)
  const { removed, kept } = await pruneJobs(jobsDir(context), {
    endedBefore,
    force,
    around: (job, remove) => memory.rememberEnd(job, remove),
  })
  await context.renderList(
    removed.map((jobId) => ({ jobId })),
    removedJobsView,
  )
  const reasons = Object.entries(WHY_KEPT).flatMap(([why, words]) => {
    const count = kept.filter((one) => one === why).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`
  await context.note(`${removed.length} removed, ${kept.length} kept${why}`)
}

const WHY_KEPT: Readonly<Record<KeepReason, string>> = {
  running: 'running',
  recent: 'newer than --older-than',
  unreadable: 'unreadable',
  open: 'with failed or open rows, which --force removes',
}

interface PartialJob {
  totals: z.infer<typeof summarySchema>
  rows: readonly Omit<UnsuccessfulRow, 'ordinal'>[]
}

/** @param sources JSON that a shard printed, or ids of jobs on this machine */
export async function mergeJobs(context: Context, sources: readonly string[]) {
  const dir = jobsDir(context)
  const ids = await jobIds(dir)
  const parts: PartialJob[] = []
  for (const source of sources) {
    const id = ids.find((one) => one === source || one.endsWith(`-${source}`))
    parts.push(id ? await wholeJob(await readJob(dir, id)) : await readSummary(context, source))
  }
  const record = merged(parts)
  await context.render({ kind: 'record', record, view: mergedView })
  const { total, failed, remaining, unknown } = record
  if (failed + remaining > 0) {
    const open = unknown > 0 ? `, ${counted(unknown, 'is unknown', 'are unknown')}` : ''
    throw appError(
      'partial',
      `Of ${counted(total, 'row')} ${failed} failed${open}, and ${counted(remaining, 'remains', 'remain')}.`,
      'resume or retry the jobs that are not done, then merge again',
      'rows sent by jobs retry --file are not counted: their job has its own summary',
    )
  }
  if (unknown > 0) throw new AppError('unknown', unknownText(unknown, total))
}

async function wholeJob(job: Job): Promise<PartialJob> {
  const { totals, rows: listed } = await totalsOf(job)
  const rows: Omit<UnsuccessfulRow, 'ordinal'>[] = []
  for await (const { ordinal: _, ...row } of listed) rows.push(row)
  return { totals: { ...totals, unmatched: job.unmatched().unmatched }, rows }
}

/** @throws AppError `usage` that names all shards which are missing, there twice, or of another input */
function merged(parts: readonly PartialJob[]) {
  const shardOf = ({ totals }: PartialJob) => totals.shard ?? { index: 1, of: 1 }
  const inOrder = [...parts].sort((one, other) => shardOf(one).index - shardOf(other).index)
  const [first] = parts
  if (!first) throw usageError('There is nothing to merge.')
  const problems = [...findStrangers(parts, first), ...findGaps(parts, shardOf(first).of)]
  if (problems.length > 0) {
    throw new AppError('usage', 'These jobs are not exactly the shards of one input.', {
      details: problems.map((message) => ({ message })),
      hints: ['name one job for each shard, all of one input, one number of shards and one platform'],
    })
  }
  const { jobId: _, input, shard: _shard, unmatched: _unmatched, baseUrl, shop, ...counts } = first.totals
  const sumOf = (count: keyof RowTotals | 'unmatched') =>
    parts.reduce((sum, { totals }) => sum + (totals[count] ?? 0), 0)
  for (const count of Object.keys(counts) as (keyof RowTotals)[]) counts[count] = sumOf(count)
  const rows = inOrder.flatMap((part) => part.rows)
  return {
    jobIds: inOrder.map(({ totals }) => totals.jobId),
    input,
    ...counts,
    unmatched: sumOf('unmatched'),
    baseUrl,
    shop,
    // A summary that a push printed lists no rows.
    ...(rows.length === counts.failed + counts.unknown + counts.skipped && {
      rows: rows.sort((one, other) => one.row - other.row),
    }),
  }
}

function findStrangers(parts: readonly PartialJob[], { totals: first }: PartialJob) {
  return parts.flatMap(({ totals }) => {
    const { jobId, input, shard } = totals
    if (input.sha256 !== first.input.sha256)
      return [`${jobId} has another input than ${first.jobId}: ${input.path}`]
    if (shard?.of !== first.shard?.of) {
      return [`${jobId} is one of ${shard?.of ?? 1} shards, ${first.jobId} one of ${first.shard?.of ?? 1}`]
    }
    const [place, other] = [sentTo(totals), sentTo(first)]
    // Summaries of earlier versions name no platform.
    const isUntold = totals.baseUrl === undefined || first.baseUrl === undefined
    return isUntold || place === other ? [] : [`${jobId} was sent to ${place}, ${first.jobId} to ${other}`]
  })
}

const sentTo = ({ baseUrl, shop }: PartialJob['totals']) =>
  `${baseUrl ?? 'the built-in sandbox'}${shop ? `, shop ${shop}` : ''}`

function findGaps(parts: readonly PartialJob[], of: number) {
  return Array.from({ length: of }, (_, at) => at + 1).flatMap((index) => {
    const ids = parts.flatMap(({ totals }) => ((totals.shard?.index ?? 1) === index ? [totals.jobId] : []))
    if (ids.length === 0) return [`shard ${index}/${of} is missing`]
    return ids.length === 1 ? [] : [`shard ${index}/${of} is there ${ids.length} times: ${ids.join(', ')}`]
  })
}

async function readSummary(context: Context, path: string): Promise<PartialJob> {
  if (!existsSync(path)) throw usageError(`${path} can't be read: there is no such file or job.`)
  const hint = 'give what the parts print with --json, or their job ids'
  const { value } = await context.input.json(path, [hint])
  const { rows: listed } = (await jobWithRowsSchema()).shape
  const parsed = summarySchema.extend({ rows: listed.default([]) }).safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path[0] === undefined ? '' : ` (${issue.path.join('.')} ${issue.message})`
    throw usageError(`${path} is not the summary of a job${where}.`, hint)
  }
  const { rows, ...totals } = parsed.data
  return { totals, rows: rows.map(({ error, ...row }) => ({ ...row, ...error })) }
}
