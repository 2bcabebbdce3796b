import * as z from 'zod'
import { optionalBoolean, optionalString, optionalStrings } from './fields.ts'

/** States of a transport (spec §3.2). */
export const TRANSPORTATION_STATUSES = [
  'REQUESTED',
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'SHIPPING_COMPLETED',
  'PICK_UP_FAILED',
  'PICK_UP_CANCELLED',
  'SHIPPING_FAILED',
  'SHIPPING_CANCELLED',
] as const

/** The transport currently active for a return (spec §2.4); dates are text in the zone that was asked for. */
export const activeTransportationSchema = z.looseObject({
  id: optionalString,
  createdAt: optionalString,
  status: z.enum(TRANSPORTATION_STATUSES).nullish(),
  serviceMessage: optionalString,
  serviceType: optionalString,
  carrierCode: optionalString,
  carrierServiceCode: optionalString,
  carrierLabel: optionalString,
  carrierTrackingUrl: optionalString,
  carrierPickupReference: optionalString,
  carrierReference: optionalString,
  clientReference: optionalString,
  pickupDate: optionalString,
})
export type ActiveTransportation = z.infer<typeof activeTransportationSchema>

/**
 * One report of a carrier on a transport. Decided: `date` is the carrier's, `receivedAt` the platform's; `applied` is
 * false for a report that came too late to change the state. A status is kept as reported, hence no enum.
 */
const trackingEventSchema = z.looseObject({
  status: optionalString,
  description: optionalString,
  date: optionalString,
  receivedAt: optionalString,
  applied: optionalBoolean,
})

/** A label as it is registered for a transport (spec §4.4). The format of a label is free text here. */
export const registeredLabelSchema = z.looseObject({
  carrierTrackingCode: optionalString,
  additionalTrackingCodes: optionalStrings,
  carrierTrackingUrl: optionalString,
  format: optionalString,
  url: optionalString,
})

/**
 * One transport of a return. The payload is left open by spec §4.8; decided: the fields of §2.4, its events, and the labels
 * that are registered for it, with those that were before.
 */
export const transportationSchema = activeTransportationSchema.extend({
  updatedAt: optionalString,
  trackingEvents: z.array(trackingEventSchema).nullish(),
  shippingLabels: z.array(registeredLabelSchema).nullish(),
  formerShippingLabels: z
    .array(
      z.looseObject({ replacedAt: optionalString, shippingLabels: z.array(registeredLabelSchema).nullish() }),
    )
    .nullish(),
})
export type Transportation = z.infer<typeof transportationSchema>

/** Answer of `GET /returns/{return_id}/transportations` (spec §4.8; decided: an object with one list). */
export const transportationListSchema = z.looseObject({ transportations: z.array(transportationSchema) })
