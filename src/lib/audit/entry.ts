import * as z from 'zod'

const count = z.int().nonnegative()

const sent = z.object({
  type: z.literal('sent'),
  command: z.string(),
  /** `mcp` */
  agent: z.string().optional(),
  profile: z.string().nullable(),
  origin: z.string(),
  operation: z.string(),
  shipmentId: z.string().optional(),
  /** Digest of the request's body or the job's input. */
  bodySha256: z.string().optional(),
  /** Bulk job whose journal records the rows. */
  jobId: z.string().optional(),
})

const ended = z.object({
  type: z.literal('ended'),
  /** Number of the line before the request. */
  of: count,
  outcome: z.string(),
  rows: z.object({ succeeded: count, failed: count, unknown: count, remaining: count }).optional(),
  /** Digest of the journal's first bytes: later runs append. */
  journal: z.object({ jobId: z.string(), bytes: count, sha256: z.string() }).optional(),
})

const exit = z.object({ type: z.literal('exit'), exitCode: count })

const link = {
  chain: z.string(),
  /** Position in the chain, from 1. */
  seq: z.int().positive(),
  time: z.string(),
  /** Hash of the line before in the chain. */
  prev: z.string().nullable(),
  hash: z.string(),
}

export const auditLineSchema = z.discriminatedUnion('type', [
  sent.extend(link),
  ended.extend(link),
  exit.extend(link),
])

export type AuditLine = z.infer<typeof auditLineSchema>
export type SentEntry = z.infer<typeof sent>
export type EndedEntry = z.infer<typeof ended>
export type NewAuditEntry = SentEntry | EndedEntry | z.infer<typeof exit>
