import * as z from 'zod'
import { TRANSPORTATION_STATUSES } from './enumerations.ts'
import { optionalBoolean, optionalString, optionalStrings } from './fields.ts'

/** Spec §2.4. */
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
 * Decided: `date` is the carrier's, `receivedAt` the platform's, `applied` false if stale. Number, URL and carrier
 * are null if the update had none, absent if they are not shown.
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

/** Spec §4.4. */
export const registeredLabelSchema = z.looseObject({
  carrierTrackingCode: optionalString,
  additionalTrackingCodes: optionalStrings,
  carrierTrackingUrl: optionalString,
  format: optionalString,
  url: optionalString,
})

/** Spec §4.8. Decided: the fields beside those of §2.4. */
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

/** Spec §4.8. */
export const transportationListSchema = z.looseObject({ transportations: z.array(transportationSchema) })
