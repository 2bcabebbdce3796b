import { AppError, unless } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { labelSetListSchema, labelSetSchema } from '../../wire/labels.ts'
import { joinParts } from '../../wire/raw.ts'
import { refundListSchema } from '../../wire/refunds.ts'
import { labelIdFor } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { durationSeconds } from '../../wire/time.ts'
import { acknowledgementSchema, errorBodySchema } from '../../wire/tracking.ts'
import { type Transportation, transportationListSchema } from '../../wire/transportations.ts'
import type { SandboxActions } from '../actions/sandbox-actions.ts'
import type { Step, StepOf } from './scenario.ts'

export interface Stage {
  actions: SandboxActions
  now(): number
  /** Paths come after the API's prefix. */
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
}

export function idOf({ id, name }: Return): string {
  return id ?? name
}

/** Worn clothing, whatever the shop sells. */
const HS_CODE = '630900'

function shipmentIdOf({ name }: Return, transportId: string | null | undefined) {
  return transportId ? labelIdFor(name, transportId) : name
}

function labelRequestOf(
  record: Return,
  { carrierServiceCode, labelFormat = 'PDF' }: StepOf<'label'>,
): object {
  return {
    shopCode: record.shopCode,
    shipmentType: 'RETURN',
    clientShipmentId: shipmentIdOf(record, record.activeTransportation?.id),
    carrierServiceCode:
      carrierServiceCode ?? record.activeTransportation?.carrierServiceCode ?? 'SBX_STANDARD',
    labelFormat,
    origin: record.origin,
    destination: record.destination,
    parcels: [
      {
        clientParcelId: '1',
        description: 'Returned items',
        items: record.returnLineItems.map(({ sku, productName, quantity, price, currency }) => ({
          sku,
          description: productName ?? sku,
          hsCode: HS_CODE,
          quantity,
          unitPrice: price,
          currencyCode: currency ?? record.currency,
        })),
      },
    ],
  }
}

type ReturnStep = Exclude<Step, { do: 'create' | 'advance' }>

export async function performOn(step: ReturnStep, record: Return, stage: Stage): Promise<string> {
  switch (step.do) {
    case 'track':
      return track(step, record, stage)
    case 'label':
      return makeLabel(step, record, stage)
    case 'execute-refund':
      return executeRefunds(step, record, stage)
    case 'expect':
      return expectAll(step, record, stage)
    default: {
      const { status } = await stage.actions.decide(step.do, idOf(record))
      if (step.do === 'approve' && step.travels !== true) await stopParcel(stage.actions, record)
      return step.do === 'lose-parcel' ? 'stays where it is' : String(status)
    }
  }
}

export async function create(step: StepOf<'create'>, { actions }: Stage): Promise<Return> {
  const { do: _, as: _as, travels, refused: _refused, ...wanted } = step
  const record = await actions.createReturn(wanted)
  if (travels !== true) await stopParcel(actions, record)
  return record
}

export async function advance({ by }: StepOf<'advance'>, { actions }: Stage): Promise<string> {
  const { now, returns, events, refunds, expired } = await actions.advance(durationSeconds(by) ?? 0)
  return `${now}: ${counted(returns, 'return')}, ${counted(events, 'scan')}, ${counted(refunds, 'refund')}, ${expired} expired`
}

async function track(step: StepOf<'track'>, record: Return, stage: Stage) {
  const { do: _, return: _return, refused: _refused, ago = '', travels, ...report } = step
  const date = new Date(stage.now() - (durationSeconds(ago) ?? 0) * 1000).toISOString()
  const answer = await post(stage, '/shipping_trackings', {
    ...report,
    shopCode: record.shopCode,
    shipmentId: record.name,
    trackingDate: date,
  })
  if (travels !== true) await stopParcel(stage.actions, record)
  return acknowledgementSchema.parse(answer).description
}

async function makeLabel(step: StepOf<'label'>, record: Return, stage: Stage) {
  const answer = await post(stage, '/shipping_labels', labelRequestOf(record, step))
  const { carrierServiceCode, shippingLabels } = labelSetSchema.parse(answer)
  const codes = shippingLabels.map(({ carrierTrackingCode }) => carrierTrackingCode)
  return `${carrierServiceCode} ${codes.join(', ')}`
}

async function executeRefunds(step: StepOf<'execute-refund'>, record: Return, stage: Stage) {
  const { body } = await stage.request('GET', `/returns/${idOf(record)}/refunds`)
  const open = refundListSchema
    .parse(body)
    .refunds.filter(
      ({ status, refundMode }) =>
        status !== 'EXECUTED' && (step.refundMode === undefined || refundMode === step.refundMode),
    )
  if (open.length === 0) {
    const which = step.refundMode === undefined ? '' : ` ${step.refundMode}`
    throw new AppError('rejected', `${record.name} has no open${which} refund`)
  }
  for (const { id } of open) await stage.actions.executeRefund(String(id))
  return open.map(({ refundType, amount, currency }) => `${refundType} ${amount} ${currency}`).join(', ')
}

async function expectAll(step: StepOf<'expect'>, record: Return, stage: Stage) {
  const problems = await unmetExpectations(step, record, stage)
  if (problems.length === 0) return 'as expected'
  throw new AppError('rejected', problems.join('; '))
}

/** Stops the parcel, since a scenario must not depend on chance. */
async function stopParcel(actions: SandboxActions, record: Return) {
  // It is refused if no parcel is on its way.
  await unless(actions.decide('lose-parcel', idOf(record)), 'rejected')
}

async function post(stage: Stage, path: string, request: object) {
  const { status, body } = await stage.request('POST', path, request)
  if (status === 200) return body
  const entries = errorBodySchema.safeParse(body).data?.errors ?? []
  const reasons = entries.map(({ code, message }) => `${code} ${message}`)
  throw new AppError('rejected', reasons.join('; ') || `answered with ${status}`)
}

async function unmetExpectations(step: StepOf<'expect'>, record: Return, stage: Stage): Promise<string[]> {
  const path = `/returns/${idOf(record)}`
  const { transportations } = transportationListSchema.parse(
    (await stage.request('GET', `${path}/transportations`)).body,
  )
  const { refunds } = refundListSchema.parse((await stage.request('GET', `${path}/refunds`)).body)
  const { do: _, return: _return, ...named } = step
  const events = step.events?.map((event) => (typeof event === 'string' ? { status: event } : event))
  const expected = { ...named, events }
  const actual = {
    status: record.status,
    transport: record.activeTransportation?.status,
    transports: transportations.length,
    refunds,
    labelSets: step.labelSets === undefined ? undefined : await labelSetsOf(record, transportations, stage),
    events: transportations.flatMap(({ trackingEvents }) => trackingEvents ?? []),
    record,
  }
  return differences(expected, actual, '')
}

async function labelSetsOf(record: Return, transportations: readonly Transportation[], stage: Stage) {
  const ids = transportations.length === 0 ? [undefined] : transportations.map(({ id }) => id)
  let count = 0
  for (const id of ids) {
    const query = new URLSearchParams({
      client_shipment_id: shipmentIdOf(record, id),
      shopCode: record.shopCode,
    })
    const { status, body } = await stage.request('GET', `/shipping_labels?${query}`)
    if (status !== 404) count += labelSetListSchema.parse(body).length
  }
  return count
}

/** Fields not named may be anything. */
function differences(expected: unknown, actual: unknown, path: string): string[] {
  if (expected === undefined) return []
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [mismatch(path, expected, actual)]
    const short = actual.map(shortText)
    if (actual.length !== expected.length) {
      return [`${path}: ${actual.length} instead of ${expected.length}: ${short.join(', ') || 'none'}`]
    }
    return expected.flatMap((value, i) => differences(value, actual[i], `${path}[${i}]`))
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, Reflect.get(actual, key), joinParts([path, key], '.')),
    )
  }
  return expected === actual ? [] : [mismatch(path, expected, actual)]
}

function mismatch(path: string, expected: unknown, actual: unknown) {
  return `${path}: ${shortText(actual)} instead of ${shortText(expected)}`
}

function shortText(value: unknown) {
  if (typeof value === 'string') return value
  if (value === undefined) return 'none'
  const status: unknown = Reflect.get(Object(value), 'status')
  return typeof status === 'string' ? status : JSON.stringify(value)
}
