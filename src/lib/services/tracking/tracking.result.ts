import type { Section } from '../../output/formats/details.ts'
import { toFields } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import { jobSummarySchema } from '../jobs/jobs.result.ts'

const pushedSchema = lazySchema(async (z) =>
  z
    .looseObject({
      statusCode: z.unknown().optional(),
      description: z.unknown().optional(),
      outcome: z
        .enum(['accepted', 'recovered'])
        .describe('`recovered`: the answer got lost, and the return shows the update'),
      applied: z.boolean().nullable().describe('Null if the platform does not say'),
      reason: z.enum(['duplicate', 'stale']).optional(),
      request: (await import('../../wire/tracking.ts')).trackingRequestSchema,
    })
    .describe('Update of one shipment'),
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
    unmatched: count.describe('Rows whose tracking numbers do not name one return'),
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

export const mappedRowSchema = lazySchema(async (z, { count, text }) => {
  const { trackingRequestSchema } = await import('../../wire/tracking.ts')
  return z.object({
    row: count,
    request: trackingRequestSchema.partial().optional().describe('Absent for a row that can not be sent'),
    problem: text.optional(),
    warning: text.optional(),
  })
})

type PushResult = RecordOf<typeof pushedSchema>

export const trackingPushView: View<PushResult> = {
  columns: [
    { name: 'shipment', path: 'request.shipmentId' },
    {
      name: 'tracking',
      header: 'TRACKING STATUS',
      path: 'request.trackingStatus',
      words: 'transportStatus',
    },
    { name: 'date', path: 'request.trackingDate', kind: 'date' },
    { name: 'status', path: 'statusCode' },
    { name: 'description', flexible: true },
    'outcome',
    { name: 'reason', header: 'NOT APPLIED' },
  ],
  schema: pushedSchema,
  empty: 'No answer',
}

export const NOT_APPLIED = {
  duplicate: 'the platform had it already',
  stale: 'the platform knows something later',
} as const

export function trackingPushDetails(result: PushResult): Section[] {
  const { statusCode, description, outcome, reason, request } = result
  return [
    {
      fields: toFields(
        {
          Shipment: request.shipmentId,
          Sent: request.trackingStatus,
          Date: request.trackingDate,
          Status: statusCode,
          Description: description,
          Applied: reason && `no: ${NOT_APPLIED[reason]}`,
          Outcome: outcome === 'recovered' ? outcome : undefined,
        },
        { Sent: { words: 'transportStatus' } },
      ),
    },
  ]
}

export const planView: View<RecordOf<typeof planSchema>> = {
  columns: [
    'plan',
    { name: 'total', header: 'ROWS' },
    { name: 'new', header: 'NEW (SENT BY --plan)', path: 'verdicts.new' },
    { name: 'too early', header: 'TOO EARLY (SENT)', path: 'verdicts.too early' },
    { name: 'no-op', header: 'NO-OP', path: 'verdicts.no-op' },
    ...['backward', 'illegal', 'stale', 'missing', 'future'].map((name) => ({
      name,
      path: `verdicts.${name}`,
    })),
    'invalid',
    'repeated',
    'unmatched',
  ],
  schema: planSchema,
  empty: 'No rows',
}

const REQUEST_COLUMNS = [
  { name: 'shipment', path: 'request.shipmentId', identifies: true },
  { name: 'status', path: 'request.trackingStatus', words: 'transportStatus' },
  { name: 'number', path: 'request.trackingNumber', identifies: true },
  { name: 'date', path: 'request.trackingDate', kind: 'date' },
] as const

export const planRowView: View<RecordOf<typeof planRowSchema>> = {
  columns: ['row', 'verdict', ...REQUEST_COLUMNS],
  schema: planRowSchema,
  empty: 'No rows',
}

export const mappedRowView: View<RecordOf<typeof mappedRowSchema>> = {
  columns: [
    'row',
    ...REQUEST_COLUMNS,
    { name: 'problem', value: (r) => r.problem ?? r.warning, flexible: true },
  ],
  schema: mappedRowSchema,
  empty: 'No rows',
}

export const plannedRequestView: View<RecordOf<typeof plannedRequestSchema>> = {
  columns: [
    'row',
    { name: 'shipment', path: 'body.shipmentId', identifies: true },
    { name: 'status', path: 'body.trackingStatus', words: 'transportStatus' },
    { name: 'carrier', path: 'body.carrierName' },
    { name: 'number', path: 'body.trackingNumber', identifies: true },
    { name: 'date', path: 'body.trackingDate', kind: 'date' },
  ],
  schema: plannedRequestSchema,
  empty: 'No row would be sent',
}
