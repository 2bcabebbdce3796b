import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts'

const VERSION = 1

const shardSchema = z.object({ index: z.int().positive(), of: z.int().positive() })

const jobSchema = z.looseObject({
  version: z.literal(VERSION),
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
    bytes: z.int().nonnegative(),
    /** How it is read: format, mapping. */
    options: z.record(z.string(), z.unknown()),
  }),
  /** How it is sent. */
  options: z.record(z.string(), z.unknown()),
  shard: shardSchema.optional(),
  /** Identifies the same input for the same platform. */
  fingerprint: z.string().optional(),
  /** Rows of the job, those to be skipped included. */
  total: z.int().nonnegative(),
})

const count = z.int().nonnegative()

const resultSchema = z.looseObject({
  version: z.literal(VERSION),
  /** ISO 8601. */
  ended: z.string(),
  total: count,
  succeeded: count,
  duplicate: count.default(0),
  stale: count.default(0),
  failed: count,
  unknown: count,
  skipped: count,
  remaining: count,
  unsettled: count,
  durationMs: z.number().nonnegative(),
  /** How long the journal is. */
  journalBytes: count.default(0),
  /** Why it ended before its rows did. */
  stopped: z.string().optional(),
})

/** Options of the job. */
export type JobInfo = z.infer<typeof jobSchema>
/** How its latest run ended. */
export type JobResult = z.infer<typeof resultSchema>
/** Spelt out, since a loose object's index signature would be all that `Omit` leaves of it. */
export interface NewJob {
  kind: string
  madeBy: string
  profile?: string | undefined
  baseUrl?: string | undefined
  shop?: string | undefined
  input: JobInfo['input']
  options: Record<string, unknown>
  shard?: JobInfo['shard']
  fingerprint?: string | undefined
  total: number
}
/** Counts of the whole job, by each row's latest outcome. */
export interface RowTotals {
  total: number
  succeeded: number
  /** Succeeded rows that the platform had already, and rows that were older. */
  duplicate: number
  stale: number
  failed: number
  unknown: number
  skipped: number
  remaining: number
  /** Remaining rows that were sent and have no outcome. Resuming looks at them first. */
  unsettled: number
}

export interface NewResult extends RowTotals {
  ended: string
  durationMs: number
  journalBytes: number
  stopped?: string | undefined
}

/** @throws AppError `config` if there is none, it can't be read, or a later version wrote it */
export async function readJobInfo(path: string): Promise<JobInfo> {
  const info = await readJsonFile(path, jobSchema, VERSION)
  if (info) return info
  throw new AppError('config', `${path} is missing: this is not the folder of a job.`)
}

/** Returns undefined before a run has ended. */
export function readJobResult(path: string): Promise<JobResult | undefined> {
  return readJsonFile(path, resultSchema, VERSION)
}

export async function writeJobInfo(
  path: string,
  job: NewJob,
  made: { id: string; created: string },
): Promise<JobInfo> {
  const info = jobSchema.parse({ version: VERSION, ...made, ...job })
  await writeJsonFile(path, info)
  return info
}

export async function writeJobResult(path: string, result: NewResult): Promise<void> {
  await writeJsonFile(path, { version: VERSION, ...result })
}
