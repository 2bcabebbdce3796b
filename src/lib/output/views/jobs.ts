import type { Section } from '../formats/details.ts'
import type { View } from '../renderer.ts'

interface Counts {
  total: number
  succeeded: number
  /** Of the succeeded: known already, and older than what is known. */
  duplicate: number
  stale: number
  failed: number
  unknown: number
  skipped: number
  remaining: number
}

interface JobSummary extends Counts {
  jobId: string
  /** The job that sent the same before: nothing was sent now. */
  alreadySentBy?: string | undefined
  failedFile: string | null
  durationMs: number
}

export const jobReportView: View<JobSummary> = {
  columns: [
    { name: 'job', header: 'JOB', value: (r) => r.jobId },
    { name: 'total', header: 'ROWS', value: (r) => r.total },
    { name: 'succeeded', header: 'SUCCEEDED', value: (r) => r.succeeded },
    { name: 'duplicate', header: 'DUPLICATE', value: (r) => r.duplicate },
    { name: 'stale', header: 'STALE', value: (r) => r.stale },
    { name: 'failed', header: 'FAILED', value: (r) => r.failed },
    { name: 'unknown', header: 'UNKNOWN', value: (r) => r.unknown },
    { name: 'skipped', header: 'SKIPPED', value: (r) => r.skipped },
    { name: 'remaining', header: 'REMAINING', value: (r) => r.remaining },
    { name: 'failedFile', header: 'FAILED ROWS', value: (r) => r.failedFile },
    { name: 'seconds', header: 'SECONDS', value: (r) => (r.durationMs / 1000).toFixed(1), kind: 'number' },
  ],
  leastImportant: ['seconds', 'duplicate', 'stale', 'skipped', 'failedFile'],
  extra: [{ name: 'alreadySentBy', header: 'ALREADY SENT BY', value: (r) => r.alreadySentBy }],
  paths: [
    'jobId',
    'total',
    'succeeded',
    'duplicate',
    'stale',
    'failed',
    'unknown',
    'skipped',
    'remaining',
    'failedFile',
    'durationMs',
    'input',
    'shard',
    'alreadySentBy',
  ],
  empty: 'No rows',
}

interface RowReport {
  row: number
  key: string
  status: string
  attempts: number
  applied?: false | undefined
  reason?: string | undefined
  alreadySentBy?: string | undefined
  error?: { code: string; message: string } | undefined
}

export const rowReportView: View<RowReport> = {
  columns: [
    { name: 'row', header: 'ROW', value: (r) => r.row, kind: 'number' },
    { name: 'key', header: 'SHIPMENT', value: (r) => r.key, identifies: true },
    { name: 'status', header: 'STATUS', value: (r) => r.status },
    { name: 'attempts', header: 'ATTEMPTS', value: (r) => r.attempts, kind: 'number' },
    { name: 'reason', header: 'NOT APPLIED', value: (r) => r.reason },
    { name: 'code', header: 'CODE', value: (r) => r.error?.code },
    { name: 'message', header: 'MESSAGE', value: (r) => r.error?.message, flexible: true },
  ],
  leastImportant: ['attempts', 'reason', 'code'],
  paths: ['row', 'key', 'status', 'attempts', 'applied', 'reason', 'alreadySentBy', 'error'],
  empty: 'No rows',
}

interface JobRecord extends Counts {
  jobId: string
  state: string
  created: string
  input: { path: string }
  shard?: { index: number; of: number } | undefined
  profile: string | null
  baseUrl: string | null
  shop: string | null
  folder: string
  failedFile: string | null
}

function shardText({ shard }: { shard?: JobRecord['shard'] | undefined }): string | undefined {
  return shard && `${shard.index}/${shard.of}`
}

/** Succeeded rows that changed nothing. */
function notApplied({ duplicate, stale }: Counts): { label: string; value: number }[] {
  return [
    ...(duplicate === 0 ? [] : [{ label: 'Of these duplicate', value: duplicate }]),
    ...(stale === 0 ? [] : [{ label: 'Of these stale', value: stale }]),
  ]
}

export const jobsView: View<JobRecord> = {
  columns: [
    { name: 'job', header: 'JOB', value: (j) => j.jobId },
    { name: 'state', header: 'STATE', value: (j) => j.state },
    { name: 'total', header: 'ROWS', value: (j) => j.total, kind: 'number' },
    { name: 'succeeded', header: 'SUCCEEDED', value: (j) => j.succeeded, kind: 'number' },
    { name: 'failed', header: 'FAILED', value: (j) => j.failed, kind: 'number' },
    { name: 'unknown', header: 'UNKNOWN', value: (j) => j.unknown, kind: 'number' },
    { name: 'remaining', header: 'REMAINING', value: (j) => j.remaining, kind: 'number' },
    { name: 'shard', header: 'SHARD', value: shardText },
    { name: 'input', header: 'INPUT', value: (j) => j.input.path, flexible: true },
  ],
  extra: [
    { name: 'created', header: 'CREATED', value: (j) => j.created, kind: 'date' },
    { name: 'skipped', header: 'SKIPPED', value: (j) => j.skipped, kind: 'number' },
    { name: 'duplicate', header: 'DUPLICATE', value: (j) => j.duplicate, kind: 'number' },
    { name: 'stale', header: 'STALE', value: (j) => j.stale, kind: 'number' },
    { name: 'profile', header: 'PROFILE', value: (j) => j.profile },
    { name: 'baseUrl', header: 'BASE URL', value: (j) => j.baseUrl },
    { name: 'shop', header: 'SHOP', value: (j) => j.shop },
    { name: 'folder', header: 'FOLDER', value: (j) => j.folder },
    { name: 'failedFile', header: 'FAILED ROWS', value: (j) => j.failedFile },
  ],
  leastImportant: ['shard', 'input', 'succeeded'],
  paths: [
    'jobId',
    'state',
    'created',
    'input',
    'shard',
    'profile',
    'baseUrl',
    'shop',
    'total',
    'succeeded',
    'duplicate',
    'stale',
    'failed',
    'unknown',
    'skipped',
    'remaining',
    'folder',
    'failedFile',
    'rows',
  ],
  empty: 'No jobs',
}

const SHOWN_ROWS = 20

/** @param rows those that did not succeed, `count` in all */
export async function jobDetails(
  job: JobRecord,
  rows: AsyncIterable<RowReport>,
  count: number,
): Promise<Section[]> {
  const fields: { label: string; value: string | number }[] = []
  for await (const { row, key, status, error } of rows) {
    const value = `${key} ${status}: ${error?.code ?? ''} ${error?.message ?? ''}`.trim()
    if (fields.push({ label: `Row ${row}`, value }) === SHOWN_ROWS) break
  }
  const more = count - fields.length
  return [
    {
      fields: [
        { label: 'Job', value: job.jobId },
        { label: 'State', value: job.state },
        { label: 'Created', value: job.created, kind: 'date' },
        { label: 'Input', value: job.input.path },
        { label: 'Shard', value: shardText(job) },
        { label: 'Platform', value: job.baseUrl ?? 'built-in sandbox' },
        { label: 'Shop', value: job.shop },
        { label: 'Rows', value: job.total },
        { label: 'Succeeded', value: job.succeeded },
        ...notApplied(job),
        { label: 'Failed', value: job.failed },
        { label: 'Unknown', value: job.unknown },
        { label: 'Skipped', value: job.skipped },
        { label: 'Remaining', value: job.remaining },
        { label: 'Folder', value: job.folder },
        { label: 'Failed rows', value: job.failedFile },
      ],
    },
    ...(fields.length === 0
      ? []
      : [
          {
            title: 'Rows that did not succeed',
            fields: more > 0 ? [...fields, { label: 'And more', value: more }] : fields,
          },
        ]),
  ]
}

interface MergedReport extends Counts {
  jobIds: readonly string[]
}

export const mergedView: View<MergedReport> = {
  columns: [
    { name: 'shards', header: 'SHARDS', value: (r) => r.jobIds.length },
    { name: 'total', header: 'ROWS', value: (r) => r.total },
    { name: 'succeeded', header: 'SUCCEEDED', value: (r) => r.succeeded },
    { name: 'duplicate', header: 'DUPLICATE', value: (r) => r.duplicate },
    { name: 'stale', header: 'STALE', value: (r) => r.stale },
    { name: 'failed', header: 'FAILED', value: (r) => r.failed },
    { name: 'unknown', header: 'UNKNOWN', value: (r) => r.unknown },
    { name: 'skipped', header: 'SKIPPED', value: (r) => r.skipped },
    { name: 'remaining', header: 'REMAINING', value: (r) => r.remaining },
  ],
  paths: [
    'jobIds',
    'input',
    'rows',
    'total',
    'succeeded',
    'duplicate',
    'stale',
    'failed',
    'unknown',
    'skipped',
    'remaining',
  ],
  empty: 'No parts',
}

export const removedJobsView: View<{ jobId: string }> = {
  columns: [{ name: 'job', header: 'REMOVED', value: (j) => j.jobId }],
  paths: ['jobId'],
  empty: 'No job to remove',
}
