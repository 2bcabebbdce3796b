import type { Section } from '../formats/details.ts'
import type { View } from '../renderer.ts'

interface PushResult {
  statusCode?: unknown
  description?: unknown
  /** `recovered`: the answer was lost, but a look found the report. */
  outcome: 'accepted' | 'recovered'
  /** Null where the platform does not say. */
  applied: boolean | null
  reason?: 'duplicate' | 'stale' | undefined
  request: { shipmentId: string; trackingStatus: string; trackingDate?: string | null | undefined }
}

export const trackingPushView: View<PushResult> = {
  columns: [
    { name: 'shipment', header: 'SHIPMENT', value: (p) => p.request.shipmentId },
    {
      name: 'tracking',
      header: 'TRACKING STATUS',
      value: (p) => p.request.trackingStatus,
      words: 'transportStatus',
    },
    { name: 'date', header: 'DATE', value: (p) => p.request.trackingDate, kind: 'date' },
    { name: 'status', header: 'STATUS', value: (p) => p.statusCode },
    { name: 'description', header: 'DESCRIPTION', value: (p) => p.description, flexible: true },
    { name: 'outcome', header: 'OUTCOME', value: (p) => p.outcome },
    { name: 'reason', header: 'NOT APPLIED', value: (p) => p.reason },
  ],
  paths: ['statusCode', 'description', 'outcome', 'applied', 'reason', 'request'],
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

interface PlanResult {
  plan: string
  total: number
  accepted: number
  verdicts: Readonly<Record<string, number>>
  invalid: number
  repeated: number
}

export const planView: View<PlanResult> = {
  columns: [
    { name: 'plan', header: 'PLAN', value: (p) => p.plan },
    { name: 'total', header: 'ROWS', value: (p) => p.total },
    { name: 'new', header: 'NEW (SENT BY --plan)', value: (p) => p.verdicts.new },
    { name: 'too early', header: 'TOO EARLY (SENT)', value: (p) => p.verdicts['too early'] },
    { name: 'no-op', header: 'NO-OP', value: (p) => p.verdicts['no-op'] },
    { name: 'backward', header: 'BACKWARD', value: (p) => p.verdicts.backward },
    { name: 'illegal', header: 'ILLEGAL', value: (p) => p.verdicts.illegal },
    { name: 'stale', header: 'STALE', value: (p) => p.verdicts.stale },
    { name: 'missing', header: 'MISSING', value: (p) => p.verdicts.missing },
    { name: 'future', header: 'FUTURE', value: (p) => p.verdicts.future },
    { name: 'invalid', header: 'INVALID', value: (p) => p.invalid },
    { name: 'repeated', header: 'REPEATED', value: (p) => p.repeated },
  ],
  paths: ['plan', 'total', 'accepted', 'verdicts', 'invalid', 'repeated'],
  empty: 'No rows',
}

interface PlanRow {
  row: number
  verdict: string
  seen?: string | undefined
  request: {
    shipmentId: string
    trackingStatus: string
    trackingNumber?: string | null | undefined
    trackingDate?: string | null | undefined
  }
}

export const planRowView: View<PlanRow> = {
  columns: [
    { name: 'row', header: 'ROW', value: (p) => p.row, kind: 'number' },
    { name: 'verdict', header: 'VERDICT', value: (p) => p.verdict },
    { name: 'shipment', header: 'SHIPMENT', value: (p) => p.request.shipmentId, identifies: true },
    { name: 'status', header: 'STATUS', value: (p) => p.request.trackingStatus, words: 'transportStatus' },
    { name: 'number', header: 'NUMBER', value: (p) => p.request.trackingNumber, identifies: true },
    { name: 'date', header: 'DATE', value: (p) => p.request.trackingDate, kind: 'date' },
  ],
  paths: ['row', 'verdict', 'seen', 'request'],
  empty: 'No rows',
}

interface PlannedRequest {
  row: number
  method: string
  url: string
  body: PlanRow['request'] & { carrierName?: string | null | undefined }
}

export const plannedRequestView: View<PlannedRequest> = {
  columns: [
    { name: 'row', header: 'ROW', value: (p) => p.row, kind: 'number' },
    { name: 'shipment', header: 'SHIPMENT', value: (p) => p.body.shipmentId, identifies: true },
    { name: 'status', header: 'STATUS', value: (p) => p.body.trackingStatus, words: 'transportStatus' },
    { name: 'carrier', header: 'CARRIER', value: (p) => p.body.carrierName },
    { name: 'number', header: 'NUMBER', value: (p) => p.body.trackingNumber, identifies: true },
    { name: 'date', header: 'DATE', value: (p) => p.body.trackingDate, kind: 'date' },
  ],
  paths: ['row', 'method', 'url', 'body'],
  empty: 'No row would be sent',
}
