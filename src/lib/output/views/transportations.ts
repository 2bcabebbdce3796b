import { countIn, objectsIn } from '../../wire/raw.ts'
import type { ActiveTransportation, Transportation } from '../../wire/transportations.ts'
import type { View } from '../columns.ts'
import type { Field, Section } from '../formats/details.ts'

/** Spec §2.4, §4.8. */
export const transportationsView: View<Transportation> = {
  columns: [
    { name: 'id', header: 'ID', value: (t) => t.id },
    { name: 'status', header: 'STATUS', value: (t) => t.status, kind: 'status', words: 'transportStatus' },
    { name: 'created', header: 'CREATED', value: (t) => t.createdAt, kind: 'date' },
    { name: 'carrier', header: 'CARRIER', value: (t) => t.carrierCode },
    { name: 'service', header: 'SERVICE', value: (t) => t.serviceMessage, flexible: true },
    { name: 'tracking', header: 'TRACKING', value: (t) => t.carrierReference, identifies: true },
    { name: 'events', header: 'EVENTS', value: (t) => countIn(t.trackingEvents), kind: 'number' },
  ],
  extra: [
    { name: 'updated', header: 'UPDATED', value: (t) => t.updatedAt, kind: 'date' },
    { name: 'type', header: 'TYPE', value: (t) => t.serviceType },
    { name: 'carrier-service', header: 'CARRIER SERVICE', value: (t) => t.carrierServiceCode },
    { name: 'pickup', header: 'PICKUP', value: (t) => t.pickupDate, kind: 'date' },
    { name: 'pickup-reference', header: 'PICKUP REFERENCE', value: (t) => t.carrierPickupReference },
    { name: 'reference', header: 'REFERENCE', value: (t) => t.clientReference },
    { name: 'tracking-url', header: 'TRACKING URL', value: (t) => t.carrierTrackingUrl },
    { name: 'label', header: 'LABEL', value: (t) => t.carrierLabel },
  ],
  leastImportant: ['events', 'created', 'service'],
  paths: [
    'id',
    'createdAt',
    'status',
    'serviceMessage',
    'serviceType',
    'carrierCode',
    'carrierServiceCode',
    'carrierLabel',
    'carrierTrackingUrl',
    'carrierPickupReference',
    'carrierReference',
    'clientReference',
    'pickupDate',
    'updatedAt',
    'trackingEvents',
    'shippingLabels',
    'formerShippingLabels',
    'formerTrackingNumbers',
  ],
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

/** Fields of a return's active transport and of a single one (spec §2.4). */
export function transportFields(t: ActiveTransportation): Field[] {
  return [
    { label: 'Transport', value: t.id },
    { label: 'Status', value: t.status, kind: 'status', words: 'transportStatus' },
    { label: 'Service', value: t.serviceMessage },
    { label: 'Type', value: t.serviceType },
    { label: 'Carrier', value: t.carrierCode },
    { label: 'Carrier service', value: t.carrierServiceCode },
    { label: 'Carrier reference', value: t.carrierReference },
    { label: 'Tracking', value: t.carrierTrackingUrl },
    { label: 'Label', value: t.carrierLabel },
    { label: 'Client reference', value: t.clientReference },
    { label: 'Pickup', value: t.pickupDate, kind: 'date' },
    { label: 'Pickup reference', value: t.carrierPickupReference },
    { label: 'Created', value: t.createdAt, kind: 'date' },
  ]
}
