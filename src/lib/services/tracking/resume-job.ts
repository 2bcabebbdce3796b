import { resolve } from 'node:path'
import * as z from 'zod'
import type { Job } from '../../bulk/job/job-folder.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { mappingSchema } from '../../mappings/mapping.ts'
import { chosenJob, type JobChoice } from '../jobs/choose-job.ts'
import { showRows } from './dry-run.ts'
import { openReports } from './input.ts'
import type { JobInput } from './job-rows.ts'
import { PlanFile } from './plan/plan-file.ts'
import type { ReportOptions } from './report.ts'
import type { RowReading } from './report-file.ts'
import { optionsSchema, runJob, type TrackingOptions } from './run-job.ts'
import { checkJobOutput, resultOf, tellOver } from './tell-result.ts'
import { plannedRequestView } from './tracking.result.ts'

export interface ResumeFlags extends JobChoice {
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
}

/** With a new pass over rows that did not succeed, if that is given. */
export async function resumeJob(
  context: Context,
  connection: Pick<Connection, 'tracking'>,
  flags: ResumeFlags,
  pass?: { unknown: boolean },
): Promise<void> {
  const job = await chosenJob(context, flags)
  await assertSamePlatform(context, job)
  if (flags['dry-run']) return showRest({ context, connection }, job, pass)
  await checkJobOutput(context)
  await context.questions.confirmWrite(`Go on with the job ${job.id}`, flags.yes)
  const lock = await job.lock()
  try {
    const options = optionsOf(job)
    const journal = await job.openJournal()
    const result = pass ? undefined : await resultOf(job, journal)
    if (result) {
      await journal.close()
      return await tellOver(context, job, result)
    }
    let input: JobInput
    try {
      await connection.tracking()
      input = await reopen(context, job)
      if (pass) await journal.beginPass(pass)
    } catch (error) {
      await journal.close()
      throw error
    }
    await runJob(context, connection, { job, journal, options }, input)
  } finally {
    lock.release()
  }
}

/** The job may be running meanwhile. */
async function showRest(
  { context, connection }: { context: Context; connection: Pick<Connection, 'tracking'> },
  job: Job,
  pass: { unknown: boolean } | undefined,
): Promise<void> {
  await context.checkOutput(plannedRequestView)
  const { ledger } = await job.recover()
  if (pass) ledger.reopen(pass)
  const input = await reopen(context, job)
  await showRows({ context, connection }, input, job.info, (ordinal) => ledger.hasEnded(ordinal))
}

/** Path of the job's rows; a relative path is one in its folder. */
export function inputOf({ directory, info }: Job): string {
  return resolve(directory, info.input.path)
}

export const OWN_INPUT = 'input'

const originSchema = z.object({
  kind: z.enum(['rows', 'plan']),
  name: z.string(),
  /** Columns by field, as `--map` named them. */
  map: z.record(z.string(), z.string()),
  /** Values by field, as `--set` gave them. */
  set: z.record(z.string(), z.string()).default({}),
  /** Mapping as it was when the job was made. */
  mapping: mappingSchema.optional(),
})

/** Reads the job's options. @throws AppError `config` if this version does not understand them */
export function optionsOf({ id, info }: Job): TrackingOptions {
  return understood(optionsSchema, info.options, id)
}

/** How the job's input is read. @throws AppError `config` if this version does not understand it */
export function readingOf(job: Job): RowReading {
  const { map, set, mapping } = originOf(job)
  return { map: new Map(Object.entries(map)), constants: set, mapping }
}

function originOf({ id, info }: Job): z.infer<typeof originSchema> {
  return understood(originSchema, info.input.options, id)
}

function understood<T>(schema: z.ZodType<T>, value: unknown, id: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError('config', `This version of rma does not understand the options of the job ${id}.`)
}

/** The input of a job, the same as when it was begun. @throws AppError `usage` if it is another, or gone */
export async function reopen(context: Context, job: Job): Promise<JobInput> {
  const { created, shop } = job.info
  const { kind, name } = originOf(job)
  const path = inputOf(job)
  if (kind === 'plan') {
    return assertSame(job, name, await PlanFile.open(path))
  }
  const { moment = created, ...others } = optionsOf(job)
  const options: ReportOptions = { ...others, now: Date.parse(moment), shop }
  // Problems of the rows were told when the job began.
  const flags = { 'skip-invalid': true, isQuiet: true }
  const { file } = await openReports(context, { path, name }, flags, { options, reading: readingOf(job) })
  return assertSame(job, name, file)
}

function assertSame({ id, info }: Job, name: string, input: JobInput): JobInput {
  if (input.source.sha256 === info.input.sha256) return input
  throw new AppError('usage', `${name} is not what it was when the job ${id} began; nothing was sent.`, {
    hints: [
      'put the file back as it was, and resume',
      'or start a new job: rows that were sent before are sent again',
    ],
  })
}

export async function assertSamePlatform(
  context: Pick<Context, 'prefer' | 'settings'>,
  { id, info }: Job,
): Promise<void> {
  context.prefer(info)
  const { baseUrl, shop, isSandbox, profile } = await context.settings()
  const here = isSandbox ? undefined : baseUrl?.value
  // The token of another profile may be another merchant's, unless a shop is named.
  const isSameMerchant = info.shop !== undefined || info.profile === profile?.value
  if (here === info.baseUrl && shop?.value === info.shop && isSameMerchant) return
  throw new AppError(
    'usage',
    `The job ${id} was begun on another platform or for another shop; nothing was sent.`,
    {
      details: [
        { message: `begun on ${info.baseUrl ?? 'the built-in sandbox'}, shop ${info.shop ?? 'not named'}` },
        ...(isSameMerchant ? [] : [{ message: `begun with the profile ${info.profile ?? 'not named'}` }]),
      ],
      hints: ['name the same with --profile, --base-url and --shop'],
    },
  )
}
