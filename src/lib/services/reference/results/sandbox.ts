import * as z from 'zod'
import type { AdvanceRow, FaultRow, PlayedRow, RequestRow } from '../../../output/views/sandbox.ts'
import { anyText, count, date } from './fields.ts'

const fault = z.looseObject({
  id: anyText,
  route: anyText,
  kind: anyText,
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
  method: anyText,
  path: anyText,
  status: count.nullable(),
  durationMs: z.number(),
  requestId: anyText.nullable(),
  faultId: anyText.nullable(),
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
  do: anyText,
  as: anyText.optional(),
  return: anyText.nullable(),
  returnId: anyText.nullable(),
  time: date,
  outcome: anyText,
  detail: anyText,
}) satisfies z.ZodType<PlayedRow>

export const SANDBOX_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'sandbox advance': advanced,
  'sandbox faults': z.object({ faults: z.array(fault) }),
  'sandbox play': z.object({ steps: z.array(played), passed: z.boolean() }),
  'sandbox requests': z.object({ requests: z.array(request) }),
  'sandbox reset': z.object({ reset: z.literal(true) }),
  'sandbox start': z.object({
    baseUrl: anyText,
    token: anyText,
    controlUrl: anyText,
    controlToken: anyText,
    caFile: anyText.optional().describe('With --tls-self-signed'),
  }),
  'sandbox token': z.object({ token: anyText, shops: z.array(anyText), expiresAt: date.optional() }),
}
