import type { NewJob } from '../../bulk/job/job-file.ts'
import { type Shard, shardOf } from '../../bulk/job/shard.ts'
import type { BulkRow } from '../../bulk/run/bulk-row.ts'
import { labelForm } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import type { ReportRow } from './survey.ts'

/** A file of rows, or a plan, read as often as a job has to. */
export interface JobInput {
  /** SHA-256 in hexadecimal. */
  readonly source: { readonly bytes: number; readonly sha256: string }
  /** Columns of `failed.csv`; complete after all rows were read. */
  columns(): readonly string[]
  rows(): AsyncGenerator<readonly ReportRow[]>
}

/** Name of the return that a row is about, as far as its id tells (`R#-LU1` of `R#-LU1-T4711`). */
function returnOf(shipmentId: string): string {
  return labelForm(shipmentId)?.name ?? shipmentId
}

/** Whether a row belongs to a part. One that can't be read belongs to the part of its number. */
export function isInShard({ raw, report }: ReportRow, shard: Shard | undefined): boolean {
  if (shard === undefined) return true
  // Leaves out the shop, which may stand in the row or in a flag.
  return shardOf(report ? returnOf(report.shipmentId) : String(raw.row), shard.of) === shard.index
}

export async function* jobRows(
  input: JobInput,
  { shard, shop }: Pick<NewJob, 'shard' | 'shop'>,
): AsyncGenerator<{ work: BulkRow<TrackingRequest>; source: ReportRow }[]> {
  for await (const batch of input.rows()) {
    const mine = batch.filter((row) => isInShard(row, shard))
    yield mine.map((source) => ({ source, work: workOf(source, shop) }))
  }
}

function workOf(
  { raw, report, problems, isRepeated }: ReportRow,
  shop: string | undefined,
): BulkRow<TrackingRequest> {
  const { row } = raw
  if (report === undefined) {
    const message = problems.map((one) => `${one.column} ${one.message}`.trim()).join('; ')
    return { row, key: '', value: NOTHING, skip: { code: INVALID, message } }
  }
  const skip = isRepeated ? { code: 'REPEATED', message: 'says what an earlier row says' } : undefined
  const { shipmentId, shopCode } = report
  const withShop = (name: string) => (shopCode && shopCode !== shop ? `${name} (${shopCode})` : name)
  const lane = labelForm(shipmentId) && withShop(returnOf(shipmentId))
  return { row, key: withShop(shipmentId), value: report, skip, ...(lane && { lane }) }
}

export const INVALID = 'INVALID'
const NOTHING: TrackingRequest = { shipmentId: '', trackingStatus: '' }
