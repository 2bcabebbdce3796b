import * as z from 'zod'
import { key, optionalString } from './fields.ts'

/** Spec §4.1. */
const TRACKING_SHIPMENT_ID_TYPES = ['RETURN_NAME'] as const

/** Spec §4.1. Decided: shipment and status are needed; the service judges statuses. */
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

/** Applied; known before; older than what is known. Decided. */
export type AcknowledgementCode = 'OK' | 'DUPLICATE' | 'STALE'

/** Spec §4.1, §4.4. Decided: the sandbox says an `AcknowledgementCode`, another platform anything. */
export const acknowledgementSchema = z.looseObject({ statusCode: z.string(), description: z.string() })
export type Acknowledgement = z.infer<typeof acknowledgementSchema>
