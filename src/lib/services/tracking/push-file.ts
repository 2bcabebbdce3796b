import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { NewJob } from '../../bulk/job/job-file.ts'
import { parseShard, type Shard } from '../../bulk/job/shard.ts'
import { isFailedCsv } from '../../bulk/rows/failed-csv.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { plannedRequestView } from '../../output/views/tracking.ts'
import { readMaxFailures, readRate } from './bulk-flags.ts'
import { type Destination, destinationOf } from './destination.ts'
import { showRows } from './dry-run.ts'
import { inputPath, openReports, type RowFlags, readMap } from './input.ts'
import { isInShard, type JobInput } from './job-rows.ts'
import { PlanFile } from './plan/plan-file.ts'
import { assertPlanned, assertUnmoved, planInput } from './plan/plan-rows.ts'
import { reportOptions } from './push-one.ts'
import type { ReportOptions } from './report.ts'
import { inputOf, OWN_INPUT, reopen } from './resume-job.ts'
import { checkJobOutput, runJob, type TrackingOptions } from './run-job.ts'
import { fingerprintOf, startJob } from './start-job.ts'

export interface BulkFlags extends RowFlags {
  plan?: string | undefined
  shard?: string | undefined
  concurrency?: number | undefined
  rate?: string | undefined
  'max-failures'?: string | undefined
  'allow-unknown-status'?: boolean | undefined
  'allow-future'?: boolean | undefined
  again?: boolean | undefined
  yes?: boolean | undefined
}

/** Rows that are ready to be sent, and what a job has to know to find them again. */
interface Prepared {
  input: JobInput
  origin: NewJob['input']
  /** Where they are now, if that is to become the job's own file. */
  temporary?: string | undefined
  total: number
  /** Date of reports that have none; ms since the epoch. */
  now: number
  /** What the rows say; undefined if they are sent however often it is asked. */
  digest?: string | undefined
  /** They are what another job has left. */
  isRest?: boolean | undefined
}

/** Sends the reports of a file, as a job. */
export async function pushFile(
  context: Context,
  connection: Pick<Connection, 'http' | 'returns' | 'tracking'>,
  flags: BulkFlags,
): Promise<void> {
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard)
  const limits = { ratePerSecond: readRate(flags.rate), maxFailures: readMaxFailures(flags['max-failures']) }
  const report = await reportOptions(context, flags)
  await (flags['dry-run'] ? context.checkOutput(plannedRequestView) : checkJobOutput(context))
  const destination = destinationOf(connection, { isForJob: true })
  const prepared = await prepare({ context, connection }, flags, { report, shard, destination })
  if (flags['dry-run']) return showRows(context, prepared.input, shard)
  await context.questions.confirmWrite(`Send ${prepared.total} reports`, flags.yes)
  // Without a token there is no job.
  await connection.tracking()
  const { baseUrl, profile, shop, isSandbox } = await context.settings()
  const { digest, now, origin, total, input, temporary } = prepared
  const { allowsUnknownStatus, allowsFuture, zone } = report
  const options: TrackingOptions = {
    concurrency: flags.concurrency,
    ...limits,
    allowsUnknownStatus,
    allowsFuture,
    zone,
    moment: new Date(now).toISOString(),
  }
  const newJob = {
    kind: 'tracking push',
    madeBy: context.version,
    profile: profile?.value,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    shop: shop?.value,
    input: origin,
    options,
    shard,
    fingerprint: digest && fingerprintOf(digest, shard, (await destination()).platform),
    total,
  }
  const isAgain = flags.again || prepared.isRest
  const started = await startJob(context, newJob, { input, isAgain })
  if (started === undefined) return
  const { job, lock } = started
  try {
    if (temporary !== undefined) await rename(temporary, inputOf(job))
    await context.note(`Job ${job.id}`)
    const journal = await job.openJournal()
    await runJob(
      context,
      connection,
      { job, journal, options },
      temporary === undefined ? input : await reopen(context, job),
    )
  } finally {
    lock.release()
  }
}

interface Surroundings {
  context: Context
  connection: Pick<Connection, 'returns'>
}

interface Preparing {
  report: ReportOptions
  shard: Shard | undefined
  destination: () => Promise<Destination>
}

async function prepare(
  { context, connection }: Surroundings,
  flags: BulkFlags,
  { report, shard, destination }: Preparing,
): Promise<Prepared> {
  await context.spareMemory()
  if (flags.plan !== undefined) {
    const others = ['file', 'map', 'skip-invalid', 'allow-future', 'again'] as const
    const other = others.find((flag) => flags[flag])
    if (other) throw new AppError('usage', `--plan and --${other} do not go together.`)
    return { ...(await preparePlan({ context, connection }, flags.plan, shard)), now: report.now }
  }
  const { path, name } = await inputPath(context, flags.file)
  const isMine = (row: Parameters<typeof isInShard>[0]) => isInShard(row, shard)
  const reading = { options: report, isMine, destination }
  const { file, survey } = await openReports(context, { path, name }, flags, reading)
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
    now: file.options.now,
    digest: survey.digest,
    isRest: isFailedCsv(file.columns()),
  }
}

async function preparePlan(
  { context, connection }: Surroundings,
  path: string,
  shard: Shard | undefined,
): Promise<Omit<Prepared, 'now'>> {
  const plan = await PlanFile.open(path)
  await assertPlanned(context, plan)
  await assertUnmoved(context, connection, plan)
  const input = planInput(plan)
  let total = 0
  for await (const batch of input.rows()) total += batch.filter((row) => isInShard(row, shard)).length
  const { sha256, bytes } = plan
  const origin = { path: resolve(path), sha256, bytes, options: { kind: 'plan', name: path, map: {} } }
  return { input, origin, total }
}
