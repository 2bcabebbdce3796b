import { labelSetListSchema } from '../../wire/labels.ts'
import { refundListSchema } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { type Transportation, transportationListSchema } from '../../wire/transportations.ts'
import type { StepOf } from './scenario.ts'
import { idOf, type Stage, shipmentIdOf } from './stage.ts'

export async function disappointments(
  step: StepOf<'expect'>,
  record: Return,
  stage: Stage,
): Promise<string[]> {
  const path = `/returns/${idOf(record)}`
  const { transportations } = transportationListSchema.parse(
    (await stage.request('GET', `${path}/transportations`)).body,
  )
  const { refunds } = refundListSchema.parse((await stage.request('GET', `${path}/refunds`)).body)
  const expected = {
    status: step.status,
    transport: step.transport,
    transports: step.transports,
    refunds: step.refunds,
    labelSets: step.labelSets,
    events: step.events?.map((event) => (typeof event === 'string' ? { status: event } : event)),
    record: step.record,
  }
  const actual = {
    status: record.status,
    transport: record.activeTransportation?.status,
    transports: transportations.length,
    refunds,
    labelSets: step.labelSets === undefined ? undefined : await labelSetsOf(record, transportations, stage),
    events: transportations.flatMap(({ trackingEvents }) => trackingEvents ?? []),
    record,
  }
  return Object.entries(expected).flatMap(([key, value]) => differences(value, Reflect.get(actual, key), key))
}

/** Returns the label sets of the transport, or of the return. */
async function labelSetsOf(
  record: Return,
  transportations: readonly Transportation[],
  stage: Stage,
): Promise<number> {
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

/** Fields not named may be anything; a list has as many entries as expected. */
function differences(expected: unknown, actual: unknown, place: string): string[] {
  if (expected === undefined) return []
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [told(place, expected, actual)]
    const short = actual.map(inShort)
    if (actual.length !== expected.length) {
      return [`${place}: ${actual.length} instead of ${expected.length}: ${short.join(', ') || 'none'}`]
    }
    return expected.flatMap((value, i) => differences(value, actual[i], `${place}[${i}]`))
  }
  if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, Reflect.get(actual, key), `${place}.${key}`),
    )
  }
  return expected === actual ? [] : [told(place, expected, actual)]
}

function told(place: string, expected: unknown, actual: unknown): string {
  return `${place}: ${inShort(actual)} instead of ${inShort(expected)}`
}

/** A record by its status. */
function inShort(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined) return 'none'
  const status: unknown = Reflect.get(Object(value), 'status')
  return typeof status === 'string' ? status : JSON.stringify(value)
}
