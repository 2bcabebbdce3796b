import * as z from 'zod'
import { TRANSPORTATION_STATUSES } from './enumerations.ts'
import { optionalBoolean, optionalString, optionalStrings } from './fields.ts'

/** Spec §2.4; dates are text in the zone asked for. */
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
 * Decided: `date` is the carrier's, `receivedAt` the platform's, `applied` false if stale; any status is kept. Number, URL
 * and carrier are null if the update had none, absent if the platform does not show them.
 */
const trackingEventSchema = z.looseObject({
  status: optionalString,
  description: optionalString,
  date: optionalString,
  receivedAt: optionalString,
  applied: optionalBoolean,
  trackingNumber: optionalString,
  trackingUrl: optionalString,
  carrierName: optionalString,
})

/** Spec §4.4. The format is free text here. */
export const registeredLabelSchema = z.looseObject({
  carrierTrackingCode: optionalString,
  additionalTrackingCodes: optionalStrings,
  carrierTrackingUrl: optionalString,
  format: optionalString,
  url: optionalString,
})

/** Spec §4.8 leaves the payload open. Decided: the fields of §2.4, events, registered labels, former ones and numbers. */
export const transportationSchema = activeTransportationSchema.extend({
  updatedAt: optionalString,
  trackingEvents: z.array(trackingEventSchema).nullish(),
  formerTrackingNumbers: optionalStrings,
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
