import * as z from 'zod'

export const JOB_VERSION = 1

const count = z.int().nonnegative()
const shardSchema = z.object({ index: z.int().positive(), of: z.int().positive() })

/** job.json: what was asked. */
export const jobInfoSchema = z.object({
  version: z.literal(JOB_VERSION),
  id: z.string(),
  /** Operation of the rows: `tracking push`. */
  kind: z.string(),
  /** ISO 8601. */
  created: z.string(),
  /** Version of the program. */
  madeBy: z.string(),
  profile: z.string().optional(),
  baseUrl: z.string().optional(),
  shop: z.string().optional(),
  input: z.object({
    path: z.string(),
    sha256: z.string(),
    bytes: count,
    /** How it is read: format, mapping. */
    options: z.record(z.string(), z.unknown()),
  }),
  /** How it is sent. */
  options: z.record(z.string(), z.unknown()),
  shard: shardSchema.optional(),
  /** Identifies the same input for the same platform. */
  fingerprint: z.string().optional(),
  /** Rows of the job, skipped ones included. */
  total: count,
})
export type JobInfo = z.infer<typeof jobInfoSchema>
export type NewJob = Omit<JobInfo, 'version' | 'id' | 'created'>

/** Counts of the whole job, by each row's latest outcome. */
const totalsSchema = z.object({
  total: count,
  succeeded: count,
  /** Succeeded rows that the platform had already. */
  duplicate: count.default(0),
  /** Succeeded rows for which the platform had a later update. */
  stale: count.default(0),
  failed: count,
  unknown: count,
  skipped: count,
  remaining: count,
  /** Remaining rows that were sent and have no outcome. Resuming looks at them first. */
  unsettled: count.default(0),
})
export type RowTotals = z.infer<typeof totalsSchema>

/** result.json: how the latest run ended. */
export const jobResultSchema = totalsSchema.extend({
  version: z.literal(JOB_VERSION),
  /** ISO 8601. */
  ended: z.string(),
  durationMs: z.number().nonnegative(),
  journalBytes: count.default(0),
  /** Why the run ended before its rows did. */
  stopped: z.string().optional(),
})
export type JobResult = z.infer<typeof jobResultSchema>

/** Totals of a job with the input that they are of. */
export const summarySchema = z.object({
  jobId: z.string(),
  ...totalsSchema.shape,
  input: z.object({ path: z.string(), sha256: z.string() }),
  shard: shardSchema.optional(),
})
