import * as z from 'zod'
import { key, optionalNumber, optionalString, optionalText } from './fields.ts'

/** Spec §4.1. */
const TRACKING_SHIPMENT_ID_TYPES = ['RETURN_NAME'] as const

/** Spec §4.1. Decided: shipment and status are needed. */
export const trackingRequestSchema = z.looseObject({
  shopCode: optionalString,
  shipmentId: key,
  shipmentIdType: z.enum(TRACKING_SHIPMENT_ID_TYPES).nullish(),
  carrierName: optionalString,
  trackingNumber: optionalString,
  trackingUrl: optionalString,
  trackingStatus: key,
  trackingStatusDescription: optionalString,
  trackingDate: optionalString,
})
export type TrackingRequest = z.infer<typeof trackingRequestSchema>

/** Decided. */
export type AcknowledgementCode = 'OK' | 'DUPLICATE' | 'STALE'

/** Spec §4.1, §4.4. Other platforms say anything. */
export const acknowledgementSchema = z.looseObject({ statusCode: z.string(), description: z.string() })
export type Acknowledgement = z.infer<typeof acknowledgementSchema>

/** Spec §7. */
const carrierErrorSchema = z.looseObject({
  carrierName: optionalText,
  carrierService: optionalText,
  code: optionalText,
  message: optionalString,
})

/** Spec §7. Decided: `status`, `requestId`. */
export const errorBodySchema = z.looseObject({
  errors: z
    .array(
      z.looseObject({
        code: optionalText,
        message: optionalString,
        carrierErrors: z.array(carrierErrorSchema).nullish(),
      }),
    )
    .nullish(),
  status: optionalNumber,
  requestId: optionalText,
})
export type ErrorBody = z.infer<typeof errorBodySchema>
