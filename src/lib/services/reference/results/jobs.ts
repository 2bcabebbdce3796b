import * as z from 'zod'
import type { View } from '../../../output/renderer.ts'
import type { jobReportView, jobsView, mergedView, removedJobsView } from '../../../output/views/jobs.ts'
import type { mappedRowView, mappingView } from '../../../output/views/mappings.ts'
import type { planView, trackingPushView } from '../../../output/views/tracking.ts'
import { trackingRequestSchema } from '../../../wire/tracking.ts'
import { count } from './fields.ts'

/** The type that a view shows, so that a result and its schema can't part. */
export type RecordOf<V> = V extends View<infer T> ? T : never

const counts = {
  total: count,
  succeeded: count,
  duplicate: count,
  stale: count,
  failed: count,
  unknown: count,
  skipped: count,
  remaining: count,
}
const failedFile = z.string().nullable().describe('The failed rows, to be mended')
const listedRow = z.object({
  row: count,
  key: z.string(),
  status: z.enum(['failed', 'unknown', 'skipped']),
  attempts: count,
  error: z.object({ code: z.string(), message: z.string() }),
})
const input = z.object({ path: z.string(), sha256: z.string() })
const shard = z.object({ index: count, of: count }).optional()

const job = z.object({
  jobId: z.string(),
  input,
  shard,
  ...counts,
  unsettled: count,
  state: z.enum(['running', 'remaining', 'failed', 'unknown', 'done']),
  created: z.string(),
  profile: z.string().nullable(),
  baseUrl: z.string().nullable(),
  shop: z.string().nullable(),
  folder: z.string(),
  failedFile,
}) satisfies z.ZodType<RecordOf<typeof jobsView>>

const jobReport = z
  .object({
    jobId: z.string(),
    ...counts,
    alreadySentBy: z.string().optional().describe('The job that sent the same file before'),
    failedFile,
    input,
    shard,
    durationMs: z.number(),
  })
  .describe('Of a file; as NDJSON a line a row') satisfies z.ZodType<RecordOf<typeof jobReportView>>

const pushed = z
  .looseObject({
    statusCode: z.unknown(),
    description: z.unknown(),
    outcome: z.enum(['accepted', 'recovered']),
    applied: z.boolean().nullable(),
    reason: z.enum(['duplicate', 'stale']).optional(),
    request: trackingRequestSchema,
  })
  .describe('Of one shipment') satisfies z.ZodType<RecordOf<typeof trackingPushView>>

const plan = z.object({
  plan: z.string(),
  total: count,
  accepted: count,
  verdicts: z.record(z.string(), count),
  invalid: count,
  repeated: count,
}) satisfies z.ZodType<RecordOf<typeof planView>>

const mapping = z.looseObject({
  name: z.string(),
  path: z.string().nullable().describe('Null for a ready-made one'),
  statuses: z.record(z.string(), z.string()),
  date: z.looseObject({ format: z.string(), zone: z.string() }).optional(),
})

const mappedRow = z.object({
  row: count,
  request: trackingRequestSchema.partial().optional(),
  problem: z.string().optional(),
  warning: z.string().optional(),
})

export const JOB_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'jobs list': z.array(job),
  'jobs show': job.extend({ rows: z.array(listedRow) }),
  'jobs resume': jobReport,
  'jobs retry': jobReport,
  'jobs prune': z.array(
    z.object({ jobId: z.string() }) satisfies z.ZodType<RecordOf<typeof removedJobsView>>,
  ),
  'jobs merge': z.object({
    jobIds: z.array(z.string()),
    input,
    ...counts,
    unsettled: count,
    rows: z.array(z.looseObject({ row: count, key: z.string(), status: z.string(), attempts: count })),
  }) satisfies z.ZodType<RecordOf<typeof mergedView>>,
  'tracking push': z.union([pushed, jobReport]),
  'tracking plan': plan,
  'mappings list': z.array(mapping satisfies z.ZodType<Partial<RecordOf<typeof mappingView>>>),
  'mappings show': mapping,
  'mappings init': mapping,
  'mappings check': z.array(mappedRow satisfies z.ZodType<Pick<RecordOf<typeof mappedRowView>, 'row'>>),
}
