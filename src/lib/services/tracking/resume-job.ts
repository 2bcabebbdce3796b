import { join } from 'node:path'
import { INPUT, type Job } from '../../bulk/job/job-folder.ts'
import type { Ledger } from '../../bulk/job/ledger.ts'
import type { Context } from '../../cli/context.ts'
import { isSameTarget, targetText } from '../../config/merchant.ts'
import { AppError, usageError } from '../../errors.ts'
import { returnNameIn } from '../../wire/return-names.ts'
import { chosenJob, type JobChoice } from '../jobs/choose-job.ts'
import { openUpdates } from './input.ts'
import { type JobInput, jobRows, showRows } from './job-rows.ts'
import { assertUnmoved, PlanFile } from './plan/plan-file.ts'
import type { FileFlags } from './push-flags.ts'
import { destinationOf, pushJobIn } from './push-job.ts'
import { checkJobOutput, resultOf, tellOver } from './result.ts'
import { runJob } from './run-job.ts'
import { plannedRequestView } from './tracking.result.ts'

export type ResumeFlags = JobChoice & Pick<FileFlags, 'dry-run' | 'yes'>

/** @param pass a new pass over rows that did not succeed */
export async function resumeJob(context: Context, flags: ResumeFlags, pass?: { unknown: boolean }) {
  const job = await chosenJob(context, flags)
  await assertSamePlatform(context, job)
  if (flags['dry-run']) return showRest(context, job, pass)
  await checkJobOutput(context)
  await context.questions.confirmWrite(`Go on with the job ${job.id}`, flags.yes)
  const lock = await job.lock()
  try {
    pushJobIn(job)
    const journal = await job.openJournal()
    const { failed, unknown } = journal.ledger.counts()
    const isAgain = pass && failed + (pass.unknown ? unknown : 0) > 0
    const result = isAgain ? undefined : await resultOf(job, journal)
    if (result) {
      await journal.close()
      return await tellOver(context, job, result)
    }
    let input: JobInput
    try {
      await context.connection.tracking()
      input = await reopen(context, job)
      await assertPlanUnmoved(context, input, job, { ledger: journal.ledger, isAgain: pass !== undefined })
      if (pass) await journal.beginPass(pass)
    } catch (error) {
      await journal.close()
      throw error
    }
    await runJob(context, { job, journal }, input)
  } finally {
    lock.release()
  }
}

/** The job may be running meanwhile. */
async function showRest(context: Context, job: Job, pass: { unknown: boolean } | undefined) {
  await context.checkOutput(plannedRequestView)
  const { ledger } = await job.recover()
  if (pass) ledger.reopen(pass)
  const input = await reopen(context, job)
  await assertPlanUnmoved(context, input, job, { ledger, isAgain: false })
  await showRows(context, input, job.info, (ordinal) => ledger.hasEnded(ordinal))
}

export function inputOf({ directory, info }: Job): string {
  const { path, ownSha256 } = info.input
  return ownSha256 === undefined ? path : join(directory, INPUT)
}

/** @throws AppError `usage` if the input is another than when the job was begun, or gone */
export async function reopen(context: Context, job: Job): Promise<JobInput> {
  const { kind, ...push } = pushJobIn(job)
  const { path: name, sha256, ownSha256 = sha256 } = job.info.input
  const path = inputOf(job)
  const flags = { 'skip-invalid': true, isQuiet: true }
  const input =
    kind === 'plan'
      ? await PlanFile.open(path)
      : (await openUpdates(context, { path, name }, flags, { ...push, shard: undefined })).file
  if (input.source.sha256 === ownSha256) return input
  throw usageError(
    `${name} is not what it was when the job ${job.id} began; nothing was sent.`,
    'put the file back as it was, and resume',
    'or start a new job: rows that were sent before are sent again',
  )
}

export async function assertSamePlatform(context: Context, { id, info }: Job) {
  context.prefer(info)
  const settings = await context.settingsWithToken()
  const isShopKnown = info.shop !== undefined || (info.shops ?? []).length > 0
  const isSameProfile = isShopKnown || info.profile === settings.profile?.value
  if (isSameProfile && isSameTarget(info, settings)) return assertNotReset(context, id, info.sandbox)
  throw new AppError(
    'usage',
    `The job ${id} was begun on another platform or for another shop; nothing was sent.`,
    {
      details: [
        { message: `begun on ${targetText(info)}` },
        { message: `begun with the profile ${info.profile ?? 'not named'}` },
      ],
      hints: [
        'name the same with --profile, --base-url and --shop',
        'a renewed token of the same merchant goes on, if its claims say whose it is',
        'else send what the platform lacks: rma tracking push --file FILE --only-new',
      ],
    },
  )
}

async function assertNotReset(context: Context, id: string, sandbox: string | undefined) {
  if (sandbox === undefined || (await destinationOf(context)()).platform === sandbox) return
  throw usageError(
    `The sandbox was reset after the job ${id} began; nothing was sent.`,
    'send the file again: rma tracking push --file FILE',
  )
}

/** Checks returns of which this job has sent nothing yet. @throws AppError `rejected` */
async function assertPlanUnmoved(
  context: Context,
  plan: JobInput,
  { info }: Job,
  { ledger, isAgain }: { ledger: Ledger; isAgain: boolean },
) {
  if (!(plan instanceof PlanFile) || plan.isByNumber) return
  const [open, begun] = [new Set<number>(), new Set<string>()]
  let ordinal = 0
  for await (const batch of jobRows(plan, info))
    for (const { work } of batch) {
      const state = ledger.state(ordinal)
      ordinal += 1
      if (state === 'new' || (isAgain && state === 'failed')) open.add(work.row)
      else if (state !== 'failed' && state !== 'skipped') begun.add(work.lane ?? '')
    }
  await assertUnmoved(
    context,
    plan,
    ({ raw, update }) => open.has(raw.row) && !begun.has(returnNameIn(update?.shipmentId ?? '')),
  )
}
