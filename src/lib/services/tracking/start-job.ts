import { createHash } from 'node:crypto'
import type { NewJob } from '../../bulk/job/job-file.ts'
import { createJob, type Job } from '../../bulk/job/job-folder.ts'
import type { Earlier, EndedJob, PushMemory } from '../../bulk/job/push-memory.ts'
import type { Shard } from '../../bulk/job/shard.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import type { Lock } from '../../files/lock.ts'
import { counted } from '../../wire/counted.ts'
import { jobsDir, pushMemory } from '../jobs/choose-job.ts'
import { jobReportView, rowReportView } from '../jobs/jobs.result.ts'
import { type JobInput, jobRows } from './job-rows.ts'
import { isByRow } from './tell-result.ts'

/** The same for the same reports, of the same part and owner (`Merchant`), to the same platform. */
export function fingerprintsOf(
  digest: string,
  shard: Shard | undefined,
  platform: string,
  owner: string | undefined,
): Fingerprints {
  const { index = 1, of = 1 } = shard ?? {}
  const parts = [digest, index, of, platform]
  const ofParts = (all: readonly unknown[]) => createHash('sha256').update(JSON.stringify(all)).digest('hex')
  const former = ofParts(parts)
  // Shops are in the digest of the reports.
  return owner === undefined ? { fingerprint: former } : { fingerprint: ofParts([...parts, owner]), former }
}

interface Fingerprints {
  fingerprint: string
  /** Fingerprint of earlier versions, which tells no owner. */
  former?: string | undefined
}

interface StartOptions extends Pick<Fingerprints, 'former'> {
  input: JobInput
  isAgain?: boolean | undefined
}

/**
 * A locked job; undefined, with the earlier report printed, if the same was sent before with success.
 * @throws AppError `usage` if it was sent before and has not wholly succeeded
 */
export async function startJob(
  context: Context,
  newJob: NewJob,
  { input, isAgain = false, former }: StartOptions,
): Promise<{ job: Job; lock: Lock } | undefined> {
  const start = async (announce?: (id: string) => Promise<void>) => {
    const making = { now: new Date(context.io.now()), random: Math.random, announce }
    const job = await createJob(jobsDir(context), newJob, making)
    return { job, lock: await job.lock() }
  }
  const { fingerprint } = newJob
  if (fingerprint === undefined) return start()
  const memory = pushMemory(context)
  const started = await memory.exclusively(async () => {
    const earlier = isAgain ? undefined : await memory.find(fingerprint)
    if (earlier === undefined && !isAgain && former !== undefined) await tellFormer(context, memory, former)
    return earlier ?? start((id) => memory.remember(fingerprint, id))
  })
  if ('lock' in started) return started
  if (started.state !== 'done') throw heldBack(started)
  await showEarlier(context, started.report, newJob, input)
  return undefined
}

async function tellFormer(context: Context, memory: PushMemory, former: string): Promise<void> {
  const earlier = await memory.find(former)
  if (earlier === undefined) return
  await context.warn(
    `The job ${earlier.jobId} sent the same rows, and does not say for which merchant: they are sent for this one`,
  )
}

function heldBack(earlier: Exclude<Earlier, { state: 'done' }>): AppError {
  const { jobId } = earlier
  const again = '--again sends all rows once more'
  const refuse = (message: string, ...hints: string[]) =>
    new AppError('usage', `${message}; nothing was sent.`, { hints: [...hints, again] })
  switch (earlier.state) {
    case 'running':
      return refuse(
        `The same rows are being sent by the job ${jobId}, process ${earlier.pid}`,
        `see how far: rma jobs show ${jobId}`,
      )
    case 'unfinished':
      return refuse(
        `The same rows were begun by the job ${jobId}, which did not end`,
        `go on with: rma jobs resume ${jobId}`,
      )
    case 'lost':
      return refuse(
        `The same rows were sent by the job ${jobId}, which was removed before all had succeeded`,
        'see what the platform lacks: rma tracking plan',
      )
    case 'failed': {
      const { failed, unknown } = earlier.report
      const what = [
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(unknown > 0 ? [counted(unknown, 'is unknown', 'are unknown')] : []),
      ]
      return refuse(
        `The same rows were sent by the job ${jobId}, of which ${what.join(' and ')}`,
        `rma jobs retry ${jobId}${unknown > 0 ? ' --unknown' : ''}`,
      )
    }
  }
}

async function showEarlier(
  context: Context,
  report: EndedJob,
  newJob: NewJob,
  input: JobInput,
): Promise<void> {
  const alreadySentBy = report.jobId
  await context.warn(
    `The same rows were sent by the job ${alreadySentBy}: nothing is sent; --again sends them`,
  )
  if (!(await isByRow(context))) {
    return context.render({ kind: 'record', record: { ...report, alreadySentBy }, view: jobReportView })
  }
  const rows = async function* () {
    for await (const batch of jobRows(input, newJob)) {
      for (const { work } of batch) {
        const { row, key, skip } = work
        const status = skip ? 'skipped' : 'succeeded'
        yield { row, key, status, attempts: 0, alreadySentBy, ...(skip && { error: skip }) }
      }
    }
  }
  await context.render({ kind: 'list', items: rows(), view: rowReportView })
}
