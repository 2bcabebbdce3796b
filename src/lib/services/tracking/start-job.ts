import { hash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createJob, INPUT, type NewJob } from '../../bulk/job/job-folder.ts'
import type { EarlierPush } from '../../bulk/job/push-memory.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { usageError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { jobsDir, pushMemory } from '../jobs/choose-job.ts'
import { jobSummaryView, rowResultView } from '../jobs/jobs.result.ts'
import { type JobInput, jobWork } from './job-rows.ts'
import { isByRow } from './result.ts'

interface StartOptions {
  /** Absent if the rows may be sent any number of times. */
  rows: { digest: string; platform: string } | undefined
  isAgain: boolean | undefined
  /** Path of a temporary input to move into the job. */
  copy?: string
}

/**
 * Prints the earlier job's summary and returns undefined if the same rows were sent with success. @throws AppError
 * `usage` if they were sent and have not all succeeded
 */
export async function startJob(
  context: Context,
  newJob: NewJob,
  input: JobInput,
  { rows, isAgain, copy }: StartOptions,
) {
  const start = async (fingerprint?: string) => {
    const announce = async (id: string, directory: string) => {
      if (copy !== undefined) await rename(copy, join(directory, INPUT))
      if (fingerprint) await memory.remember(fingerprint, id)
    }
    const making = { now: new Date(context.io.now()), random: Math.random, announce }
    const job = await createJob(jobsDir(context), { ...newJob, fingerprint }, making)
    return { job, lock: await job.lock() }
  }
  if (rows === undefined) return start()
  const memory = pushMemory(context)
  const { index = 1, of = 1 } = newJob.shard ?? {}
  // The digest of the rows includes their shops.
  const { owner } = merchantOf(await context.settingsWithToken())
  const fingerprint = hash('sha256', JSON.stringify([rows.digest, index, of, rows.platform, owner]))
  const started = await memory.exclusively(async () => {
    if (isAgain) return start(fingerprint)
    return (await memory.find(fingerprint)) ?? start(fingerprint)
  })
  if ('lock' in started) return started
  if (started.state !== 'done') throw alreadyPushed(started)
  await showEarlier(context, started, newJob, input)
  return undefined
}

function alreadyPushed(earlier: Exclude<EarlierPush, { state: 'done' }>) {
  const { jobId } = earlier
  const again = '--again sends all rows once more'
  const refuse = (message: string, hint: string) =>
    usageError(`The same rows ${message}; nothing was sent.`, hint, again)
  switch (earlier.state) {
    case 'running':
      return refuse(
        `are being sent by the job ${jobId}, process ${earlier.pid}`,
        `see how far: rma jobs show ${jobId}`,
      )
    case 'unfinished':
      return refuse(
        `were begun by the job ${jobId}, which did not end`,
        `go on with: rma jobs resume ${jobId}`,
      )
    case 'lost':
      return refuse(
        `were sent by the job ${jobId}, whose folder is gone`,
        'see what the platform lacks: rma tracking plan',
      )
    case 'failed': {
      const { failed, unknown } = earlier.report
      const what = [
        ...(failed > 0 ? [`${failed} failed`] : []),
        ...(unknown > 0 ? [counted(unknown, 'is unknown', 'are unknown')] : []),
      ]
      return refuse(
        `were sent by the job ${jobId}, of which ${what.join(' and ')}`,
        `go on with those as they were: rma jobs retry ${jobId}${unknown > 0 ? ' --unknown' : ''}`,
      )
    }
  }
}

async function showEarlier(
  context: Context,
  { jobId: alreadySentBy, report }: Extract<EarlierPush, { state: 'done' }>,
  newJob: NewJob,
  input: JobInput,
) {
  await context.warn(
    `The same rows were sent by the job ${alreadySentBy}: nothing is sent; --again sends them`,
  )
  if (!(await isByRow(context))) {
    return context.render({ kind: 'record', record: { ...report, alreadySentBy }, view: jobSummaryView })
  }
  const rows = async function* () {
    for await (const batch of jobWork(input, newJob)) {
      for (const { row, key, skip } of batch) {
        const status = skip ? 'skipped' : 'succeeded'
        yield { row, key, status, attempts: 0, alreadySentBy, ...(skip && { error: skip }) }
      }
    }
  }
  await context.renderList(rows(), rowResultView)
}
