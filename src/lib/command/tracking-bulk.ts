import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod'
import type { NewJob } from '../bulk/job/job-file.ts'
import { createJob, type Job } from '../bulk/job/job-folder.ts'
import { parseShard, type Shard } from '../bulk/job/shard.ts'
import { AppError } from '../errors.ts'
import { plannedRequestView } from '../output/views/tracking.ts'
import { readMaxFailures, readRate } from './bulk-flags.ts'
import type { Context } from './context.ts'
import { chosenJob, type JobChoice, jobsDir } from './job-choice.ts'
import { isInShard, type JobInput } from './job-rows.ts'
import { PlanFile } from './plan-file.ts'
import { spareMemory } from './spare-memory.ts'
import { showRows } from './tracking-dry-run.ts'
import { inputPath, openReports, type RowFlags, readMap } from './tracking-input.ts'
import { checkJobOutput, optionsSchema, runJob, type TrackingOptions } from './tracking-job.ts'
import { assertPlanned, assertUnmoved, planInput } from './tracking-plan.ts'
import { reportOptions } from './tracking-push.ts'
import type { ReportOptions } from './tracking-report.ts'
import { confirmWrite } from './writes.ts'

export interface BulkFlags extends RowFlags {
  plan?: string | undefined
  shard?: string | undefined
  concurrency?: number | undefined
  rate?: string | undefined
  'max-failures'?: string | undefined
  'allow-unknown-status'?: boolean | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
}

/** Rows that are ready to be sent, and what a job has to know to find them again. */
interface Prepared {
  input: JobInput
  origin: NewJob['input']
  /** Where they are now, if that is to become the job's own file. */
  temporary?: string | undefined
  total: number
}

/** Sends the reports of a file, as a job. */
export async function pushFile(context: Context, flags: BulkFlags): Promise<void> {
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard)
  const limits = { ratePerSecond: readRate(flags.rate), maxFailures: readMaxFailures(flags['max-failures']) }
  const report = await reportOptions(context, flags)
  await (flags['dry-run'] ? context.checkOutput(plannedRequestView) : checkJobOutput(context))
  const prepared = await prepare(context, flags, report, shard)
  if (flags['dry-run']) return showRows(context, prepared.input, shard)
  await confirmWrite(context, `Send ${prepared.total} reports`, flags.yes)
  // Without a token there is no job.
  await context.tracking()
  const { baseUrl, profile, shop, isSandbox } = await context.settings()
  const options: TrackingOptions = {
    concurrency: flags.concurrency,
    ...limits,
    allowsUnknownStatus: report.allowsUnknownStatus,
    zone: report.zone,
  }
  const job = await createJob(
    jobsDir(context),
    {
      kind: 'tracking push',
      madeBy: context.version,
      profile: profile?.value,
      baseUrl: isSandbox ? undefined : baseUrl?.value,
      shop: shop?.value,
      input: prepared.origin,
      options,
      shard,
      total: prepared.total,
    },
    { now: new Date(report.now), random: Math.random },
  )
  await holding(job, async () => {
    if (prepared.temporary !== undefined) await rename(prepared.temporary, inputOf(job))
    await context.note(`Job ${job.id}`)
    const journal = await job.openJournal()
    const input = prepared.temporary === undefined ? prepared.input : await reopen(context, job)
    await runJob(context, { job, journal, options }, input)
  })
}

/** Which job, and whether it may go on. */
export interface ResumeFlags extends JobChoice {
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
}

/** Goes on with a job that was begun before; with a new pass over rows that did not succeed, if that is given. */
export async function resumeJob(
  context: Context,
  flags: ResumeFlags,
  pass?: { unknown: boolean },
): Promise<void> {
  const job = await chosenJob(context, flags)
  await assertSamePlatform(context, job)
  if (flags['dry-run']) return showRest(context, job, pass)
  await checkJobOutput(context)
  await confirmWrite(context, `Go on with the job ${job.id}`, flags.yes)
  await holding(job, async () => {
    await context.tracking()
    const options = optionsOf(job)
    const input = await reopen(context, job)
    const journal = await job.openJournal()
    if (pass) await journal.beginPass(pass)
    await runJob(context, { job, journal, options }, input)
  })
}

/** Prints the rows that a job would still send; it may be running meanwhile. */
async function showRest(context: Context, job: Job, pass: { unknown: boolean } | undefined): Promise<void> {
  await context.checkOutput(plannedRequestView)
  const { ledger } = await job.recover()
  if (pass) ledger.reopen(pass)
  const input = await reopen(context, job)
  await showRows(context, input, job.info.shard, (ordinal) => !ledger.hasEnded(ordinal))
}

async function holding(job: Job, work: () => Promise<void>): Promise<void> {
  const lock = job.lock()
  try {
    await work()
  } finally {
    lock.release()
  }
}

/** Where the rows of a job are; a relative path is one in its folder. */
function inputOf({ directory, info }: Job): string {
  return resolve(directory, info.input.path)
}

/** The name of a job's own copy of its input. */
const OWN_INPUT = 'input'

const originSchema = z.object({
  kind: z.enum(['rows', 'plan']),
  /** How messages call it. */
  name: z.string(),
  /** Columns by field, as `--map` named them. */
  map: z.record(z.string(), z.string()),
})

/** What the job's options say. @throws AppError `config` if this version does not understand them */
function optionsOf({ id, info }: Job): TrackingOptions {
  return understood(optionsSchema, info.options, id)
}

function understood<T>(schema: z.ZodType<T>, value: unknown, id: string): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError('config', `This version of rma does not understand the options of the job ${id}.`)
}

async function prepare(
  context: Context,
  flags: BulkFlags,
  options: ReportOptions,
  shard: Shard | undefined,
): Promise<Prepared> {
  await spareMemory()
  if (flags.plan !== undefined) {
    const given = [
      flags.file !== undefined && '--file',
      flags.map && '--map',
      flags['skip-invalid'] && '--skip-invalid',
    ]
    const other = given.find((flag) => flag)
    if (other) throw new AppError('usage', `--plan and ${other} do not go together.`)
    return preparePlan(context, flags.plan, shard)
  }
  const { path, name } = await inputPath(context, flags.file)
  const isMine = (row: Parameters<typeof isInShard>[0]) => isInShard(row, shard)
  const { file, survey } = await openReports(context, { path, name }, flags, options, isMine)
  const { sha256, bytes } = file.source
  const isSpooled = flags.file === '-'
  return {
    input: { columns: () => file.columns(), rows: () => file.rows() },
    origin: {
      path: isSpooled ? OWN_INPUT : resolve(path),
      sha256,
      bytes,
      options: { kind: 'rows', name, map: Object.fromEntries(readMap(flags.map)) },
    },
    temporary: isSpooled ? path : undefined,
    total: survey.mine,
  }
}

async function preparePlan(context: Context, path: string, shard: Shard | undefined): Promise<Prepared> {
  const plan = await PlanFile.open(path)
  await assertPlanned(context, plan)
  await assertUnmoved(context, plan)
  const input = planInput(plan)
  let total = 0
  for await (const batch of input.rows()) total += batch.filter((row) => isInShard(row, shard)).length
  const { sha256, bytes } = plan
  const origin = { path: resolve(path), sha256, bytes, options: { kind: 'plan', name: path, map: {} } }
  return { input, origin, total }
}

/** The input of a job, the same as when it was begun. @throws AppError `usage` if it is another, or gone */
async function reopen(context: Context, job: Job): Promise<JobInput> {
  const { id, created, shop, input } = job.info
  const { kind, name, map } = understood(originSchema, input.options, id)
  const path = inputOf(job)
  if (kind === 'plan') {
    const plan = await PlanFile.open(path)
    assertSame(job, name, plan.sha256)
    return planInput(plan)
  }
  const { zone, allowsUnknownStatus } = optionsOf(job)
  const report: ReportOptions = { now: Date.parse(created), zone, allowsUnknownStatus, shop }
  // What was to be said about the rows was said when the job began.
  const flags = {
    map: Object.entries(map).map(([field, column]) => `${field}=${column}`),
    'skip-invalid': true,
    isQuiet: true,
  }
  const { file } = await openReports(context, { path, name }, flags, report)
  assertSame(job, name, file.source.sha256)
  return { columns: () => file.columns(), rows: () => file.rows() }
}

function assertSame({ id, info }: Job, name: string, sha256: string): void {
  if (sha256 === info.input.sha256) return
  throw new AppError('usage', `${name} is not what it was when the job ${id} began; nothing was sent.`, {
    hints: [
      'put the file back as it was, and resume',
      'or start a new job: rows that were sent before are sent again',
    ],
  })
}

async function assertSamePlatform(context: Context, { id, info }: Job): Promise<void> {
  context.prefer(info)
  const { baseUrl, shop, isSandbox } = await context.settings()
  const here = isSandbox ? undefined : baseUrl?.value
  if (here === info.baseUrl && shop?.value === info.shop) return
  throw new AppError(
    'usage',
    `The job ${id} was begun on another platform or for another shop; nothing was sent.`,
    {
      details: [
        { message: `begun on ${info.baseUrl ?? 'the built-in sandbox'}, shop ${info.shop ?? 'not named'}` },
      ],
      hints: ['name the same with --profile, --base-url and --shop'],
    },
  )
}
