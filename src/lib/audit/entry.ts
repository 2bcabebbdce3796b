import * as z from 'zod'

const count = z.int().nonnegative()
const text = z.string()

const sent = z.object({
  type: z.literal('sent'),
  command: text,
  /** `mcp` */
  agent: text.optional(),
  profile: text.nullable(),
  origin: text,
  operation: text,
  shipmentId: text.optional(),
  /** Digest of the request's body or the job's input. */
  bodySha256: text.optional(),
  /** Bulk job whose journal records the rows. */
  jobId: text.optional(),
})

const ended = z.object({
  type: z.literal('ended'),
  /** `seq` of the `sent` line. */
  of: count,
  outcome: text,
  rows: z.object({ succeeded: count, failed: count, unknown: count, remaining: count }).optional(),
  /** Digest of the journal's first bytes: later runs append. */
  journal: z.object({ jobId: text, bytes: count, sha256: text }).optional(),
})

const exit = z.object({ type: z.literal('exit'), exitCode: count })

const link = {
  chain: text,
  /** Position in the chain, from 1. */
  seq: z.int().positive(),
  time: text,
  /** Hash of the previous line of the chain. */
  prev: text.nullable(),
  hash: text,
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
