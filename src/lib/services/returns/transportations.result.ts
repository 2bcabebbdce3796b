import type { Field, Section } from '../../output/formats/details.ts'
import { toFields } from '../../output/result.ts'
import { lazySchema, type View } from '../../output/view.ts'
import { countIn, objectsIn } from '../../wire/raw.ts'
import type { ActiveTransportation, Transportation } from '../../wire/transportations.ts'
import { RETURN_NAME } from './refunds.result.ts'

export const transportationsSchema = lazySchema(async (z) => {
  const { transportationListSchema, transportationSchema } = await import('../../wire/transportations.ts')
  return z.union([transportationListSchema, transportationSchema.describe('With a TRANSPORTATION')])
})

export const transportationsView: View<Transportation> = {
  columns: [
    'id',
    { name: 'status', kind: 'status', words: 'transportStatus' },
    { name: 'created', path: 'createdAt' },
    { name: 'carrier', path: 'carrierCode' },
    { name: 'service', path: 'serviceMessage', flexible: true },
    { name: 'tracking', path: 'carrierReference', identifies: true },
    { name: 'events', value: (t) => countIn(t.trackingEvents) },
  ],
  extra: [
    { name: 'updated', path: 'updatedAt' },
    { name: 'type', path: 'serviceType' },
    { name: 'carrier-service', path: 'carrierServiceCode' },
    { name: 'pickup', path: 'pickupDate' },
    { name: 'pickup-reference', path: 'carrierPickupReference' },
    { name: 'reference', path: 'clientReference' },
    { name: 'tracking-url', path: 'carrierTrackingUrl' },
    { name: 'label', path: 'carrierLabel' },
    RETURN_NAME,
  ],
  leastImportant: ['events', 'created', 'service'],
  schema: async () => (await import('../../wire/transportations.ts')).transportationSchema,
  empty: 'This return has no transportations',
}

export function transportationDetails(t: Transportation): Section[] {
  return [
    { fields: [...transportFields(t), { label: 'Updated', value: t.updatedAt, kind: 'date' }] },
    eventsSection('Tracking events', t),
  ]
}

export function eventsSection(title: string, transport: Transportation | null | undefined): Section {
  return {
    title,
    columns: [
      { header: 'DATE', kind: 'date' },
      { header: 'STATUS', kind: 'status', words: 'transportStatus' },
      { header: 'DESCRIPTION', flexible: true },
      { header: 'RECEIVED', kind: 'date' },
      { header: 'APPLIED' },
    ],
    rows: objectsIn(transport?.trackingEvents).map((event) => [
      event.date,
      event.status,
      event.description,
      event.receivedAt,
      event.applied,
    ]),
  }
}

export function transportFields(t: ActiveTransportation): Field[] {
  return toFields(
    {
      Transport: t.id,
      Status: t.status,
      Service: t.serviceMessage,
      Type: t.serviceType,
      Carrier: t.carrierCode,
      'Carrier service': t.carrierServiceCode,
      'Carrier reference': t.carrierReference,
      Tracking: t.carrierTrackingUrl,
      Label: t.carrierLabel,
      'Client reference': t.clientReference,
      Pickup: t.pickupDate,
      'Pickup reference': t.carrierPickupReference,
      Created: t.createdAt,
    },
    {
      Status: { kind: 'status', words: 'transportStatus' },
      Pickup: { kind: 'date' },
      Created: { kind: 'date' },
    },
  )
}
