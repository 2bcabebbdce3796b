import type { Section } from '../../output/formats/details.ts'
import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'
import { jobSummarySchema } from '../jobs/jobs.result.ts'

const pushedSchema = lazySchema(async (z) =>
  z
    .looseObject({
      statusCode: z.unknown().optional(),
      description: z.unknown().optional(),
      outcome: z.enum(['accepted', 'recovered']).describe('`recovered`: a look found the update'),
      applied: z.boolean().nullable().describe('Null where the platform does not say'),
      reason: z.enum(['duplicate', 'stale']).optional(),
      request: (await import('../../wire/tracking.ts')).trackingRequestSchema,
    })
    .describe('Of one shipment'),
)

export const pushSchema = lazySchema(async (z) => z.union([await pushedSchema(), await jobSummarySchema()]))

const planSchema = lazySchema((z, { count, text }) =>
  z.object({
    plan: text,
    total: count,
    accepted: count,
    verdicts: z.record(text, count),
    invalid: count,
    repeated: count,
    unmatched: count.describe('Rows whose tracking numbers name no return'),
  }),
)

const planRowSchema = lazySchema(async (z, { count, text }) =>
  z.object({
    row: count,
    verdict: text,
    seen: text.optional(),
    request: (await import('../../wire/tracking.ts')).trackingRequestSchema,
  }),
)

const plannedRequestSchema = lazySchema(async (z, { count, text }) =>
  z.object({
    row: count,
    method: text,
    url: text,
    body: (await import('../../wire/tracking.ts')).trackingRequestSchema,
  }),
)

type PushResult = RecordOf<typeof pushedSchema>
type PlanResult = RecordOf<typeof planSchema>
type PlanRow = RecordOf<typeof planRowSchema>
type PlannedRequest = RecordOf<typeof plannedRequestSchema>

export const trackingPushView: View<PushResult> = {
  columns: [
    { name: 'shipment', value: (p) => p.request.shipmentId },
    {
      name: 'tracking',
      header: 'TRACKING STATUS',
      value: (p) => p.request.trackingStatus,
      words: 'transportStatus',
    },
    { name: 'date', value: (p) => p.request.trackingDate, kind: 'date' },
    { name: 'status', value: (p) => p.statusCode },
    { name: 'description', flexible: true },
    'outcome',
    { name: 'reason', header: 'NOT APPLIED' },
  ],
  schema: pushedSchema,
  empty: 'No answer',
}

const NOT_APPLIED = {
  duplicate: 'no: the platform had it already',
  stale: 'no: the platform knows something later',
} as const

export function trackingPushDetails(result: PushResult): Section[] {
  const { statusCode, description, outcome, reason, request } = result
  return [
    {
      fields: [
        { label: 'Shipment', value: request.shipmentId },
        { label: 'Reported', value: request.trackingStatus, words: 'transportStatus' },
        { label: 'Date', value: request.trackingDate },
        { label: 'Status', value: statusCode },
        { label: 'Description', value: description },
        ...(reason === undefined ? [] : [{ label: 'Applied', value: NOT_APPLIED[reason] }]),
        ...(outcome === 'recovered' ? [{ label: 'Outcome', value: 'recovered' }] : []),
      ],
    },
  ]
}

export const planView: View<PlanResult> = {
  columns: [
    'plan',
    { name: 'total', header: 'ROWS' },
    { name: 'new', header: 'NEW (SENT BY --plan)', value: (p) => p.verdicts.new },
    { name: 'too early', header: 'TOO EARLY (SENT)', value: (p) => p.verdicts['too early'] },
    { name: 'no-op', header: 'NO-OP', value: (p) => p.verdicts['no-op'] },
    { name: 'backward', value: (p) => p.verdicts.backward },
    { name: 'illegal', value: (p) => p.verdicts.illegal },
    { name: 'stale', value: (p) => p.verdicts.stale },
    { name: 'missing', value: (p) => p.verdicts.missing },
    { name: 'future', value: (p) => p.verdicts.future },
    'invalid',
    'repeated',
    'unmatched',
  ],
  schema: planSchema,
  empty: 'No rows',
}

export const planRowView: View<PlanRow> = {
  columns: [
    'row',
    'verdict',
    { name: 'shipment', value: (p) => p.request.shipmentId, identifies: true },
    { name: 'status', value: (p) => p.request.trackingStatus, words: 'transportStatus' },
    { name: 'number', value: (p) => p.request.trackingNumber, identifies: true },
    { name: 'date', value: (p) => p.request.trackingDate, kind: 'date' },
  ],
  schema: planRowSchema,
  empty: 'No rows',
}

export const plannedRequestView: View<PlannedRequest> = {
  columns: [
    'row',
    { name: 'shipment', value: (p) => p.body.shipmentId, identifies: true },
    { name: 'status', value: (p) => p.body.trackingStatus, words: 'transportStatus' },
    { name: 'carrier', value: (p) => p.body.carrierName },
    { name: 'number', value: (p) => p.body.trackingNumber, identifies: true },
    { name: 'date', value: (p) => p.body.trackingDate, kind: 'date' },
  ],
  schema: plannedRequestSchema,
  empty: 'No row would be sent',
}
