import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { NewJob } from '../../bulk/job/job-file.ts'
import { parseShard, type Shard } from '../../bulk/job/shard.ts'
import { isFailedCsv } from '../../bulk/rows/failed-csv.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { temporaryInput } from '../../config/temporary-input.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { readMaxFailures, readRate } from './bulk-flags.ts'
import { type Destination, destinationOf } from './destination.ts'
import { showRows } from './dry-run.ts'
import { inputPath, openReports, type RowFlags, rowReading } from './input.ts'
import { isInShard, type JobInput } from './job-rows.ts'
import { planFile } from './plan/make-plan.ts'
import { PlanFile } from './plan/plan-file.ts'
import { openPlan } from './plan/plan-rows.ts'
import { reportOptions } from './push-one.ts'
import type { ReportOptions } from './report.ts'
import type { ReportFile, RowReading } from './report-file.ts'
import { inputOf, OWN_INPUT, reopen } from './resume-job.ts'
import { runJob, type TrackingOptions } from './run-job.ts'
import { fingerprintsOf, startJob } from './start-job.ts'
import { checkJobOutput } from './tell-result.ts'
import { plannedRequestView } from './tracking.result.ts'

export interface BulkFlags extends RowFlags {
  plan?: string | undefined
  shard?: string | undefined
  concurrency?: number | undefined
  rate?: string | undefined
  'max-failures'?: string | undefined
  'allow-unknown-status'?: boolean | undefined
  names?: string | undefined
  'allow-future'?: boolean | undefined
  again?: boolean | undefined
  'only-new'?: boolean | undefined
  yes?: boolean | undefined
}

interface Prepared {
  input: JobInput
  kind: 'rows' | 'plan'
  path: string
  /** How errors call it. */
  name: string
  temporary?: string | undefined
  /** How rows are read; a plan has requests, read already. */
  reading?: RowReading | undefined
  total: number
  /** Date of reports that have none; ms since the epoch. */
  now: number
  /** Digest of the rows; undefined if they may be sent any number of times. */
  digest?: string | undefined
  isRest?: boolean | undefined
}

export async function pushFile(
  context: Context,
  connection: Pick<Connection, 'http' | 'returns' | 'tracking'>,
  flags: BulkFlags,
): Promise<void> {
  const limits = {
    concurrency: flags.concurrency,
    ratePerSecond: readRate(flags.rate),
    maxFailures: readMaxFailures(flags['max-failures']),
  }
  const report = await reportOptions(context, flags)
  await sendRows({ context, connection }, flags, {
    report,
    limits,
    reading: await rowReading(context, flags),
  })
}

interface Surroundings {
  context: Context
  connection: Pick<Connection, 'http' | 'returns' | 'tracking'>
}

export interface Sending {
  report: ReportOptions
  reading: RowReading
  limits: Pick<TrackingOptions, 'concurrency' | 'ratePerSecond' | 'maxFailures'>
  /** Refuses a file before anything is asked or sent. */
  check?: ((file: ReportFile) => Promise<void>) | undefined
}

/** Sends rows as a new job. */
export async function sendRows(
  { context, connection }: Surroundings,
  flags: BulkFlags,
  { report, limits, reading, check }: Sending,
): Promise<void> {
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard)
  await (flags['dry-run'] ? context.checkOutput(plannedRequestView) : checkJobOutput(context))
  const destination = destinationOf(connection, { isForJob: true })
  const prepared = await prepare({ context, connection }, flags, {
    report,
    reading,
    shard,
    destination,
    check,
  })
  if (flags['dry-run']) {
    const { shop } = await context.settings()
    return showRows({ context, connection }, prepared.input, { shard, shop: shop?.value })
  }
  await context.questions.confirmWrite(`Send ${counted(prepared.total, 'report')}`, flags.yes)
  // No job is made without a token.
  await connection.tracking()
  const { baseUrl, profile, shop, isSandbox } = await context.settings()
  const { digest, now, total, input, temporary } = prepared
  const { allowsUnknownStatus, allowsFuture, looseNames, zone } = report
  const options: TrackingOptions = {
    ...limits,
    allowsUnknownStatus,
    allowsFuture,
    looseNames,
    zone,
    moment: new Date(now).toISOString(),
  }
  const { owner } = merchantOf(await context.settingsWithToken())
  const fingerprints = digest
    ? fingerprintsOf(digest, shard, (await destination()).platform, owner)
    : undefined
  const newJob = {
    kind: 'tracking push',
    madeBy: context.version,
    profile: profile?.value,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    shop: shop?.value,
    input: originOf(prepared),
    options,
    shard,
    fingerprint: fingerprints?.fingerprint,
    total,
  }
  const isAgain = flags.again || prepared.isRest
  const started = await startJob(context, newJob, { input, isAgain, former: fingerprints?.former })
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

/** Flags that would do nothing are refused. @throws AppError `usage` */
function refuseBeside(flag: string, flags: BulkFlags, others: readonly (keyof BulkFlags)[]): void {
  const other = others.find((one) => flags[one])
  if (other) throw new AppError('usage', `--${flag} and --${other} do not go together.`)
}

interface Preparing extends Pick<Sending, 'report' | 'reading' | 'check'> {
  shard: Shard | undefined
  destination: () => Promise<Destination>
}

async function prepare(
  { context, connection }: Surroundings,
  flags: BulkFlags,
  { report, reading, shard, destination, check }: Preparing,
): Promise<Prepared> {
  context.spareMemory()
  if (flags.plan !== undefined) {
    refuseBeside('plan', flags, [
      'file',
      'map',
      'set',
      'mapping',
      'errors',
      'names',
      'skip-invalid',
      'allow-future',
      'again',
      'only-new',
    ])
    const { input, total } = await openPlan(context, connection, flags.plan, shard)
    return { input, kind: 'plan', path: flags.plan, name: flags.plan, total, now: report.now }
  }
  const { path, name } = await inputPath(context, flags.file)
  const isMine = (row: Parameters<typeof isInShard>[0]) => isInShard(row, shard)
  if (flags['only-new']) {
    refuseBeside('only-new', flags, ['again'])
    const out = await temporaryInput(context)
    const planning = { options: report, reading, destination, isMine }
    const plan = await planFile({ context, connection }, { path, name }, { ...flags, out }, planning)
    await plan.notNew.tell(context)
    const input = await PlanFile.open(out)
    return {
      input,
      kind: 'plan',
      path: out,
      name,
      temporary: out,
      total: plan.totals.new + plan.totals['too early'],
      now: report.now,
    }
  }
  const { file, survey } = await openReports(context, { path, name }, flags, {
    options: report,
    reading,
    isMine,
    destination,
  })
  await check?.(file)
  return {
    input: file,
    kind: 'rows',
    path,
    name,
    temporary: flags.file === '-' ? path : undefined,
    reading: file.reading,
    total: survey.mine,
    now: file.options.now,
    digest: survey.digest,
    isRest: isFailedCsv(file.columns()),
  }
}

function originOf({ input, kind, path, name, temporary, reading }: Prepared): NewJob['input'] {
  const { sha256, bytes } = input.source
  const kept = temporary === undefined ? resolve(path) : OWN_INPUT
  const { map = new Map(), constants, mapping } = reading ?? {}
  return {
    path: kept,
    sha256,
    bytes,
    options: { kind, name, map: Object.fromEntries(map), set: constants, mapping },
  }
}
