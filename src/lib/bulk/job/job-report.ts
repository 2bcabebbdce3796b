import { AppError } from '../../errors.ts'
import type { RowTotals } from './job-file.ts'
import type { Job } from './job-folder.ts'
import { type ListedRow, ListedRows } from './listed-rows.ts'
import type { Shard } from './shard.ts'

/** A job as its journal tells it, whether or not a run of it has ended; its rows may be in memory or not. */
export interface JobReport<Rows = ListedRow[]> extends RowTotals {
  jobId: string
  input: { path: string; sha256: string }
  shard?: Shard | undefined
  /** Failed, unknown and skipped rows, in the input's order. */
  rows: Rows
}

export async function reportJob(job: Job): Promise<JobReport<ListedRows>> {
  const { total, input, shard } = job.info
  const rows = new ListedRows(job.journalPath)
  const { ledger } = await job.recover(rows)
  const { sent: unsettled, ...counts } = ledger.counts()
  const remaining = total - counts.succeeded - counts.failed - counts.unknown - counts.skipped
  const { path, sha256 } = input
  const of = { jobId: job.id, input: { path, sha256 }, ...(shard && { shard }) }
  return { ...of, total, ...counts, remaining, unsettled, rows }
}

/** Several shards of one input, as if it had been one job. */
export interface MergedReport extends RowTotals {
  jobIds: string[]
  input: { path: string; sha256: string }
  rows: ListedRow[]
}

/**
 * Joins the reports of all shards of one input.
 *
 * @throws AppError `usage` if they are not of one input or one splitting, or if a shard is missing or there twice; all
 * are named
 */
export function mergeReports(reports: readonly JobReport[]): MergedReport {
  const [first] = reports
  if (!first) throw new AppError('usage', 'There is nothing to merge.')
  const problems = [...findStrangers(reports, first), ...findGaps(reports, first.shard?.of ?? 1)]
  if (problems.length > 0) {
    throw new AppError('usage', 'These jobs do not make one whole.', {
      details: problems.map((message) => ({ message })),
      hints: ['name one job for each shard, all of the same input and of the same number of shards'],
    })
  }
  const inOrder = [...reports].sort((one, other) => (one.shard?.index ?? 0) - (other.shard?.index ?? 0))
  const sum = (count: keyof RowTotals) => reports.reduce((total, report) => total + report[count], 0)
  return {
    jobIds: inOrder.map(({ jobId }) => jobId),
    input: first.input,
    total: sum('total'),
    succeeded: sum('succeeded'),
    duplicate: sum('duplicate'),
    stale: sum('stale'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    skipped: sum('skipped'),
    remaining: sum('remaining'),
    unsettled: sum('unsettled'),
    rows: inOrder.flatMap(({ rows }) => rows).sort((one, other) => one.row - other.row),
  }
}

function findStrangers(reports: readonly JobReport[], first: JobReport): string[] {
  return reports.flatMap(({ jobId, input, shard }) => {
    if (input.sha256 !== first.input.sha256)
      return [`${jobId} has another input than ${first.jobId}: ${input.path}`]
    if (shard?.of !== first.shard?.of) {
      return [`${jobId} is one of ${shard?.of ?? 1} shards, ${first.jobId} one of ${first.shard?.of ?? 1}`]
    }
    return []
  })
}

function findGaps(reports: readonly JobReport[], of: number): string[] {
  const jobs = new Map<number, string[]>()
  for (const { jobId, shard } of reports) {
    const index = shard?.index ?? 1
    jobs.set(index, [...(jobs.get(index) ?? []), jobId])
  }
  const problems: string[] = []
  for (let index = 1; index <= of; index++) {
    const ids = jobs.get(index) ?? []
    if (ids.length === 0) problems.push(`shard ${index}/${of} is missing`)
    if (ids.length > 1) problems.push(`shard ${index}/${of} is there ${ids.length} times: ${ids.join(', ')}`)
  }
  return problems
}
