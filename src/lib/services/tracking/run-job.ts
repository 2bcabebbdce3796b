import { once, setMaxListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { TRACKING_PATH } from '../../api/tracking.ts'
import type { Job } from '../../bulk/job/job-folder.ts'
import type { Journal } from '../../bulk/job/journal.ts'
import { runBulk } from '../../bulk/run/bulk-run.ts'
import { Reasons } from '../../bulk/run/reasons.ts'
import type { RowResult, RunResult, RunStop } from '../../bulk/run/run-request.ts'
import type { AuditTrail } from '../../cli/audit-trail.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, errorCode, messageOf, rethrowBug } from '../../errors.ts'
import { digestFile } from '../../files/file-digest.ts'
import { counted } from '../../wire/counted.ts'
import { rowResultView } from '../jobs/jobs.result.ts'
import { type JobInput, jobWork, writeFailed } from './job-rows.ts'
import { NamedTransports } from './named-transports.ts'
import { pushJobIn } from './push-job.ts'
import { firstRows, isByRow, jobFailure, MANY_ROWS, progressText, tellResult } from './result.ts'
import { updateSender } from './send-row.ts'

const MAX_WAITING = 1000

interface JobAtWork {
  job: Job
  journal: Journal
}

/** Runs the job and closes its journal. @throws AppError unless all rows succeed */
export async function runJob(context: Context, work: JobAtWork, input: JobInput) {
  const { job, journal } = work
  const { id: jobId, info } = job
  const feed = new PassThrough({ objectMode: true, highWaterMark: MAX_WAITING })
  setMaxListeners(0, feed)
  const items: AsyncIterable<RowResult> = feed.iterator({ destroyOnReturn: false })
  const printing = (await isByRow(context)) ? context.renderList(items, rowResultView) : undefined
  // The job goes on without a reader; the failure to print is reported at the end.
  if (printing) printing.catch(() => feed.resume())
  else feed.resume()
  const reasons = new Reasons()
  const onRow = async (row: RowResult) => {
    reasons.add(row)
    if (!feed.write(row)) await once(feed, 'drain')
  }
  let result: RunResult
  let recordEnd: Awaited<ReturnType<AuditTrail['begin']>>
  try {
    recordEnd = await context.audit.begin({
      operation: `POST ${TRACKING_PATH}`,
      jobId,
      bodySha256: info.input.sha256,
    })
    if (info.total > MANY_ROWS) context.saveMemory()
    result = await run(context, work, input, onRow)
    if (result.stop?.reason === 'all-failed' && context.questions.canAsk) {
      const { durationMs } = result
      result.stop = await askForMore(context, result, reasons.list()[0]?.message ?? '')
      if (result.stop === undefined) {
        result = await run(context, work, input, onRow)
        result.durationMs += durationMs
      }
    }
  } finally {
    feed.end()
    await journal.close().catch(() => {})
  }
  await tryWrite(context, 'The end of the job in the audit log', async () =>
    recordEnd(await endingOf(work, result)),
  )
  const failedFile =
    (await tryWrite(context, 'The failed rows', () => writeFailed(job, input, result))) ?? null
  const { durationMs, stop, ...counts } = result
  const end = {
    ended: context.timestamp,
    journalBytes: journal.syncedBytes,
    stopped: stop && jobFailure(jobId, result, failedFile, reasons)?.message,
  }
  await tryWrite(context, 'The end of the job', () => job.writeResult({ ...counts, ...end, durationMs }))
  await tellResult(context, job, { result, failedFile, reasons, printing })
}

async function endingOf({ job, journal: { syncedBytes } }: JobAtWork, result: RunResult) {
  const { succeeded, failed, unknown, remaining } = result
  const digest = syncedBytes > 0 && (await digestFile(job.journalPath, syncedBytes))
  const isPart = failed + remaining > 0
  return {
    outcome: isPart ? 'partial' : unknown > 0 ? 'unknown' : 'succeeded',
    rows: { succeeded, failed, unknown, remaining },
    journal: typeof digest === 'object' ? { jobId: job.id, ...digest } : undefined,
  }
}

/** Returns the reason to stop; undefined for a yes. */
async function askForMore(
  { questions }: Context,
  result: RunResult,
  reason: string,
): Promise<RunStop | undefined> {
  const { remaining, stop } = result
  try {
    const question = `All ${firstRows(result)} (${reason}). Send the other ${remaining}?`
    await questions.ask(question, 'the others were not sent')
    return undefined
  } catch (error) {
    rethrowBug(error)
    return error.kind === 'interrupted' ? { reason: 'interrupted' } : stop
  }
}

async function run(
  context: Context,
  { job, journal }: JobAtWork,
  input: JobInput,
  onRow: (row: RowResult) => Promise<void>,
): Promise<RunResult> {
  const { retries, timeoutMs } = await context.settings()
  const { limits } = pushJobIn(job)
  // Time until which requests of an earlier process may still arrive. The clock may have been set back.
  const answeredMs =
    Math.min(journal.changedMs, Date.now()) + Math.max(timeoutMs.value, limits.timeoutMs ?? 0)
  const { io } = context
  const waitSeconds = Math.ceil((answeredMs - Date.now()) / 1000)
  const { sent } = journal.ledger.counts()
  if (waitSeconds > 0 && sent > 0) {
    const unanswered = counted(sent, 'row has', 'rows have')
    await context.note(
      `${unanswered} no answer yet: looked up now, and in ${counted(waitSeconds, 'second')} again`,
    )
  }
  const abort = context.drainOnInterrupt()
  const broken = new AbortController()
  const stopped = AbortSignal.any([io.interrupt, io.terminate()])
  const announce = () =>
    void context.warn(
      `Finishing what is under way; Ctrl-C again stops at once. Go on with: rma jobs resume ${job.id}`,
    )
  stopped.addEventListener('abort', announce)
  const tracking = await context.connection.tracking()
  const started = performance.now()
  const clock = { now: () => performance.now() - started, sleep, nextTurn: setImmediate }
  context.progress.start(`Sending ${counted(job.info.total, 'row')}`)
  let paused: string | undefined
  const named = new NamedTransports(async () => tracking, clock.now, input.isByNumber)
  const rows = async function* () {
    try {
      yield* named.ahead(jobWork(input, job.info), (ordinal) => journal.ledger.hasEnded(ordinal))
    } catch (error) {
      // Ends the run once rows under way are answered. Until then the generator must neither yield nor return.
      broken.abort(error)
      await new Promise(() => {})
    }
  }
  const result = await runBulk({
    rows: rows(),
    ...updateSender(tracking, named, answeredMs, () => journal.requested()),
    journal,
    options: { ...limits, maxAttempts: retries.value + 1, total: job.info.total },
    clock,
    random: Math.random,
    drain: AbortSignal.any([stopped, broken.signal]),
    abort,
    onRow,
    onProgress: (progress) => {
      context.progress.update(progressText(progress, clock.now()))
      const reason = progress.state === 'paused' ? progress.reason : undefined
      if (reason !== undefined && reason !== paused) void context.warn(`Paused: ${reason}`)
      paused = reason
    },
  })
  stopped.removeEventListener('abort', announce)
  if (!broken.signal.aborted) return result
  return { ...result, stop: { reason: 'error', error: unreadable(broken.signal.reason) } }
}

/** Turns `usage` into `partial`, since rows were sent. */
function unreadable(reason: unknown) {
  rethrowBug(reason)
  return new AppError('partial', reason.message, {
    details: reason.details,
    hints: reason.hints,
    cause: reason,
  })
}

/** A failed message must not hide the job's outcome. */
async function tryWrite<T>(context: Context, what: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof AppError) && errorCode(error) === undefined) throw error
    await context.warn(`${what} could not be written: ${messageOf(error)}`)
    return undefined
  }
}

async function sleep(ms: number, signal: AbortSignal) {
  await delay(ms, undefined, { signal }).catch(() => {})
}
