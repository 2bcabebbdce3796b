import { resolve } from 'node:path'
import type { Job } from '../../bulk/job/job-folder.ts'
import { isFailedCsv } from '../../bulk/rows/failed-csv.ts'
import { sourceText } from '../../bulk/rows/row.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { temporaryInput } from '../../config/paths.ts'
import { usageError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { chosenJob } from '../jobs/choose-job.ts'
import { writeMatched, writeUnmatched } from './by-number.ts'
import { openUpdates, updatesPath } from './input.ts'
import { failedRows, isInShard, showRows } from './job-rows.ts'
import { numberFinder } from './number-match.ts'
import { planFile } from './plan/make-plan.ts'
import { openPlan, PlanFile } from './plan/plan-file.ts'
import { type FileFlags, rowFlags } from './push-flags.ts'
import { destinationOf, keptOptions, type PushJob, pushJobIn, pushJobOf } from './push-job.ts'
import { checkJobOutput } from './result.ts'
import { assertSamePlatform, inputOf, type ResumeFlags, reopen } from './resume-job.ts'
import { runJob } from './run-job.ts'
import { startJob } from './start-job.ts'
import { plannedRequestView } from './tracking.result.ts'
import type { UpdateFile } from './update-file.ts'

export async function pushFile(context: Context, flags: FileFlags) {
  await sendRows(context, flags, await pushJobOf(context, flags))
}

async function sendRows(context: Context, flags: FileFlags, push: PushJob) {
  await (flags['dry-run'] ? context.checkOutput(plannedRequestView) : checkJobOutput(context))
  context.saveMemory()
  const prepared = await prepare(context, flags, push)
  const { input, name, isTemporary, reading, total, now, digest, unmatched } = prepared
  const { baseUrl, profile, shop, isSandbox, timeoutMs } = await context.settings()
  const { shard } = push
  if (flags['dry-run']) return showRows(context, input, { shard, shop: shop?.value })
  const merchant = merchantOf(await context.settingsWithToken())
  if (prepared.shopless && merchant.shops.length > 1) {
    const rows = counted(prepared.shopless, 'row names', 'rows name')
    throw usageError(
      `${rows} no shop, and the token has several; nothing was sent.`,
      `--shop ${merchant.shops.join(' or ')}`,
    )
  }
  await context.questions.confirmWrite(`Send ${counted(total, 'tracking update')}`, flags.yes)
  // Fails without a token, before a job is made.
  await context.connection.tracking()
  const newJob = {
    profile: profile?.value,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    shop: shop?.value,
    ...merchant,
    input: {
      path: flags.file === '-' ? name : resolve(name),
      // Digest of the whole input, which all its shards share; each may have a plan of its own.
      sha256: (unmatched?.file ?? input).source.sha256,
      ownSha256: isTemporary ? input.source.sha256 : undefined,
      options: { kind: reading ? 'rows' : 'plan', map: {}, ...reading },
    },
    options: {
      ...keptOptions(push, now),
      timeoutMs: timeoutMs.value,
      ...(unmatched?.count && { unmatched: unmatched.count }),
    },
    shard,
    total,
  }
  const found = digest ? await push.destination?.() : undefined
  const sandbox = found?.sandboxNow === undefined ? undefined : found.platform
  const started = await startJob(context, { ...newJob, sandbox }, input, {
    rows: digest && found ? { digest, platform: found.platform } : undefined,
    isAgain: flags.again || prepared.isRetry,
    copy: isTemporary ? prepared.path : undefined,
  })
  if (started === undefined) return
  const { job, lock } = started
  try {
    await context.note(`Job ${job.id}`)
    if (unmatched?.count) await writeUnmatched(context, unmatched.file, job.unmatchedPath, shard)
    const journal = await job.openJournal()
    await runJob(context, { job, journal }, isTemporary ? await reopen(context, job) : input)
  } finally {
    lock.release()
  }
}

/** @throws AppError `usage` for flags that exclude each other */
function refuseBeside(flag: string, flags: FileFlags, others: readonly (keyof FileFlags)[]) {
  const other = others.find((one) => flags[one])
  if (other) throw usageError(`--${flag} and --${other} do not go together.`)
}

async function prepare(context: Context, flags: FileFlags, push: PushJob) {
  const { now } = push.rules
  const { plan } = flags
  if (plan !== undefined) {
    refuseBeside('plan', flags, [
      ...(Object.keys(rowFlags) as (keyof FileFlags)[]),
      'allow-future',
      'again',
      'only-new',
    ])
    const input = await openPlan(context, plan, push.shard)
    let total = 0
    for await (const rows of input.rows()) total += rows.filter((row) => isInShard(row, push.shard)).length
    return { input, path: plan, name: plan, total, now }
  }
  if (flags['only-new']) {
    refuseBeside('only-new', flags, ['again'])
    const out = await temporaryInput(context)
    const { notNew, totals, survey, file } = await planFile(context, { ...flags, out }, push)
    await notNew.tell(context)
    const input = await PlanFile.open(out)
    return {
      input,
      path: out,
      name: file.source.name,
      isTemporary: true,
      total: totals.new + totals['too early'],
      shopless: survey.shopless,
      now,
      unmatched: { file, count: survey.unsendable },
    }
  }
  const source = await updatesPath(context, flags.file)
  const { file, survey } = await openUpdates(context, source, flags, push)
  await push.check?.(file)
  const { byNumber } = file.reading
  const { input, path, total } = byNumber
    ? await writeMatched(context, file, push.shard)
    : { ...source, input: file, total: survey.mine }
  return {
    input,
    path,
    name: source.name,
    /** True if the input moves into the job's folder. */
    isTemporary: byNumber || flags.file === '-',
    /** Absent for a plan. */
    reading: byNumber ? undefined : file.reading,
    total,
    /** Number of rows without a shop. */
    shopless: survey.shopless,
    /** Date of updates that have none. */
    now: file.options.now,
    /** Absent if the rows may be sent any number of times, or none can be sent. */
    digest: survey.rows > survey.invalid + survey.unmatched.count ? survey.digest : undefined,
    /** True for failed rows of an earlier job. */
    isRetry: isFailedCsv(file.columns()),
    /** File as read, and number of its rows that are not in the job. */
    unmatched: { file, count: byNumber ? survey.unsendable : 0 },
  }
}

/** Sends a job's corrected `failed.csv` as a new job. */
export async function retryFile(context: Context, flags: ResumeFlags & { file: string; unknown?: boolean }) {
  if (flags.unknown) throw usageError('--file and --unknown do not go together.')
  const job = await chosenJob(context, flags)
  await assertSamePlatform(context, job)
  const { kind, rules, reading, limits } = pushJobIn(job)
  const plan = kind === 'plan' ? await PlanFile.open(inputOf(job)) : undefined
  const rowFlags = { file: flags.file, 'dry-run': flags['dry-run'], yes: flags.yes }
  const lock = await job.lock()
  try {
    await sendRows(context, rowFlags, {
      reading: plan?.reading ?? reading,
      limits,
      rules: { ...rules, now: context.io.now(), findByNumber: numberFinder(context) },
      shard: undefined,
      destination: destinationOf(context, true),
      check: (file) => assertFailedIn(job, file),
      remedy: 'correct these rows, or delete them from the file',
    })
  } finally {
    lock.release()
  }
}

/** @throws AppError `usage` for a row that has not failed, since it must not be sent twice */
async function assertFailedIn(job: Job, file: UpdateFile) {
  const hints = job.failedFile() === null ? [] : [`correct this file and send it: ${job.failedPath}`]
  const { name } = file.source
  if (!isFailedCsv(file.columns())) {
    throw usageError(`${name} is not the failed.csv of a job: it has no column _row.`, ...hints)
  }
  const failed = new Set<string>()
  for await (const { row } of failedRows(job)) failed.add(String(row))
  for await (const batch of file.source.rows()) {
    for (const { row, columns, cells } of batch) {
      const number = sourceText(cells[columns.indexOf('_row')] ?? '').trim()
      if (failed.delete(number)) continue
      throw usageError(
        `${name}, row ${row}: the job ${job.id} has no failed row "${number}", or it is there twice; nothing was sent.`,
        ...hints,
      )
    }
  }
}
