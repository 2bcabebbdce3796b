import * as z from 'zod'
import type { AdvanceRow, FaultRow, PlayedRow, RequestRow } from '../../../output/views/sandbox.ts'
import { count, date, text } from './fields.ts'

const fault = z.looseObject({
  id: text,
  route: text,
  kind: text,
  rate: z.number(),
  count: count.optional(),
  after: count,
  seed: count,
  seen: count,
  hits: count,
}) satisfies z.ZodType<FaultRow>

const request = z.object({
  number: count,
  time: date,
  method: text,
  path: text,
  status: count.nullable(),
  durationMs: z.number(),
  requestId: text.nullable(),
  faultId: text.nullable(),
  bytes: count,
}) satisfies z.ZodType<RequestRow>

const advanced = z.object({
  now: date,
  returns: count,
  events: count,
  refunds: count,
  expired: count,
}) satisfies z.ZodType<AdvanceRow>

const played = z.object({
  step: count,
  do: text,
  as: text.optional(),
  return: text.nullable(),
  returnId: text.nullable(),
  time: date,
  outcome: text,
  detail: text,
}) satisfies z.ZodType<PlayedRow>

export const SANDBOX_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'sandbox advance': advanced,
  'sandbox faults': z.object({ faults: z.array(fault) }),
  'sandbox play': z.object({ steps: z.array(played), passed: z.boolean() }),
  'sandbox requests': z.object({ requests: z.array(request) }),
  'sandbox reset': z.object({ reset: z.literal(true) }),
  'sandbox start': z.object({
    baseUrl: text,
    token: text,
    controlUrl: text,
    controlToken: text,
    caFile: text.optional().describe('With --tls-self-signed'),
  }),
  'sandbox token': z.object({ token: text, shops: z.array(text), expiresAt: date.optional() }),
}
