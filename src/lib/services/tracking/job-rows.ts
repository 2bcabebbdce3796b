import { rm } from 'node:fs/promises'
import { TRACKING_PATH } from '../../api/tracking.ts'
import type { Job, NewJob } from '../../bulk/job/job-folder.ts'
import { shardOf } from '../../bulk/job/shard.ts'
import { UnsuccessfulRows } from '../../bulk/job/unsuccessful-rows.ts'
import { failedCsv } from '../../bulk/rows/failed-csv.ts'
import type { RowProblem } from '../../bulk/rows/fields.ts'
import type { BulkRow, RunResult } from '../../bulk/run/run-request.ts'
import type { Context } from '../../cli/context.ts'
import { requestBase } from '../../config/setting-values.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { counted } from '../../wire/counted.ts'
import { normalIdentifier, returnNameIn } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import { NamedTransports } from './named-transports.ts'
import type { UpdateRow } from './survey.ts'
import { plannedRequestView } from './tracking.result.ts'

const INVALID = 'INVALID'
const NO_UPDATE: TrackingRequest = { shipmentId: '', trackingStatus: '' }

/** Rows of a job, which can be read any number of times. */
export interface JobInput {
  readonly source: { readonly sha256: string }
  /** True if returns were found by tracking number: each is read again before its row is sent. */
  readonly isByNumber?: boolean
  /** Complete after all rows were read. */
  columns(): readonly string[]
  rows(): AsyncGenerator<readonly UpdateRow[]>
}

/** Names a value that must be retyped, since `failed.csv` leaves it out. */
function problemText({ column, value, message, mustBeRetyped }: RowProblem) {
  return [column, mustBeRetyped && value, message].filter(Boolean).join(' ')
}

/** Assigns unreadable rows by their row number. */
export function isInShard({ raw, update, number }: UpdateRow, shard: NewJob['shard']): boolean {
  if (shard === undefined) return true
  // Another machine may find another return by it.
  if (number !== undefined) return shardOf(normalIdentifier(number), shard.of) === shard.index
  // The name alone decides, since the shop may be in the row or in a flag.
  return shardOf(update ? returnNameIn(update.shipmentId) : String(raw.row), shard.of) === shard.index
}

type Part = Pick<NewJob, 'shard' | 'shop'>

export async function* jobRows(
  input: JobInput,
  { shard, shop }: Part,
): AsyncGenerator<{ work: BulkRow<TrackingRequest>; source: UpdateRow }[]> {
  for await (const batch of input.rows()) {
    const mine = batch.filter((row) => isInShard(row, shard))
    yield mine.map((source) => ({ source, work: workOf(source, shop) }))
  }
}

export async function* jobWork(input: JobInput, part: Part): AsyncGenerator<BulkRow<TrackingRequest>[]> {
  for await (const batch of jobRows(input, part)) yield batch.map(({ work }) => work)
}

function workOf(
  { raw, update, problems, isRepeated, unmatched }: UpdateRow,
  shop: string | undefined,
): BulkRow<TrackingRequest> {
  const { row } = raw
  if (update === undefined) {
    const message = problems.map(problemText).join('; ')
    return { row, key: '', value: NO_UPDATE, skip: unmatched ?? { code: INVALID, message } }
  }
  const skip = isRepeated ? { code: 'REPEATED', message: 'repeats an earlier row' } : undefined
  const { shipmentId, shopCode } = update
  const key = shopCode && shopCode !== shop ? `${shipmentId} (${shopCode})` : shipmentId
  return { row, key, value: update, skip, lane: returnNameIn(shipmentId) }
}

export async function showRows(
  context: Context,
  input: JobInput,
  part: Part,
  hasEnded: (ordinal: number) => boolean = () => false,
) {
  const url = `${requestBase(await context.settings())}${TRACKING_PATH}`
  const named = new NamedTransports(
    () => context.connection.tracking(),
    () => performance.now(),
    input.isByNumber,
  )
  const counts = { sent: 0, others: 0 }
  const items = async function* () {
    let ordinal = -1
    for await (const batch of named.ahead(jobWork(input, part), hasEnded)) {
      context.assertNotInterrupted()
      for (const { row, value, skip } of batch) {
        ordinal += 1
        if (skip || hasEnded(ordinal)) continue
        const target = await named.target(value)
        counts[target.kind === 'send' ? 'sent' : 'others'] += 1
        if (target.kind === 'send') yield { row, method: 'POST', url, body: target.request }
      }
    }
  }
  await context.renderList(items(), plannedRequestView)
  await context.note(`Dry run: nothing was sent; ${counted(counts.sent, 'row')} would be.`)
  if (counts.others > 0)
    await context.note(`${counted(counts.others, 'row is', 'rows are')} not for the active transport`)
}

/** Writes the rows that failed or are invalid. Returns null without any. */
export async function writeFailed(
  job: Job,
  input: JobInput,
  { failed, skipped }: RunResult,
): Promise<string | null> {
  // Rows in an older file may have succeeded since.
  await rm(job.failedPath, { force: true })
  if (failed + skipped === 0) return null
  const failures = failedRows(job)
  let failure = await failures.next()
  if (failure.done) return null
  const csv = failedCsv(input.columns())
  let ordinal = 0
  await replaceFile(job.failedPath, async (write) => {
    write(csv.header)
    for await (const batch of jobRows(input, job.info)) {
      let lines = ''
      for (const { source } of batch) {
        if (!failure.done && failure.value.ordinal === ordinal) {
          lines += csv.line(source.raw, failure.value, source.problems)
          failure = await failures.next()
        }
        ordinal += 1
      }
      write(lines)
      if (failure.done) break
    }
  })
  return job.failedPath
}

export async function* failedRows(job: Job) {
  for await (const row of await UnsuccessfulRows.of(job.journalPath))
    if (row.status === 'failed' || row.code === INVALID) yield row
}
