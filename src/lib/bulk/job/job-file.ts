import * as z from 'zod'

export const JOB_VERSION = 1

const count = z.int().nonnegative()
const shardSchema = z.object({ index: z.int().positive(), of: z.int().positive() })

export const jobInfoSchema = z.object({
  version: z.literal(JOB_VERSION),
  id: z.string(),
  kind: z.string(),
  created: z.string(),
  madeBy: z.string(),
  profile: z.string().optional(),
  baseUrl: z.string().optional(),
  shop: z.string().optional(),
  input: z.object({
    path: z.string(),
    sha256: z.string(),
    bytes: count,
    options: z.record(z.string(), z.unknown()),
  }),
  options: z.record(z.string(), z.unknown()),
  shard: shardSchema.optional(),
  fingerprint: z.string().optional(),
  total: count,
})
export type JobInfo = z.infer<typeof jobInfoSchema>
export type NewJob = Omit<JobInfo, 'version' | 'id' | 'created'>

/** Counts by each row's latest outcome. */
const totalsSchema = z.object({
  total: count,
  succeeded: count,
  duplicate: count.default(0),
  /** Succeeded rows for which the platform had a later update. */
  stale: count.default(0),
  failed: count,
  unknown: count,
  skipped: count,
  remaining: count,
  /** Remaining rows that were sent and have no outcome; resuming looks at them first. */
  unsettled: count.default(0),
})
export type RowTotals = z.infer<typeof totalsSchema>

export const jobResultSchema = totalsSchema.extend({
  version: z.literal(JOB_VERSION),
  ended: z.string(),
  durationMs: z.number().nonnegative(),
  journalBytes: count.default(0),
  stopped: z.string().optional(),
})
export type JobResult = z.infer<typeof jobResultSchema>

export const summarySchema = z.object({
  jobId: z.string(),
  ...totalsSchema.shape,
  input: z.object({ path: z.string(), sha256: z.string() }),
  shard: shardSchema.optional(),
})
