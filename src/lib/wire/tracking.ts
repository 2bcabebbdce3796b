import * as z from 'zod'
import { key, optionalString } from './fields.ts'

/** What the `shipmentId` of a tracking report is (spec §4.1). */
const TRACKING_SHIPMENT_ID_TYPES = ['RETURN_NAME'] as const

/**
 * Body of `POST /shipping_trackings` (spec §4.1), which flags nothing as required. Decided: a report needs a shipment
 * and a status. Which statuses there are is the service's to say, so that `trackingStatus` is text; `trackingDate` is
 * ISO 8601 in UTC.
 */
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

/** `statusCode` of what was applied, of what was known before, and of what is older than what is known. Decided. */
export type AcknowledgementCode = 'OK' | 'DUPLICATE' | 'STALE'

/**
 * Answer of `POST /shipping_trackings` and `PUT /shipping_labels` (spec §4.1, §4.4). Decided: the sandbox says an
 * `AcknowledgementCode`; another platform may say anything.
 */
export const acknowledgementSchema = z.looseObject({ statusCode: z.string(), description: z.string() })
export type Acknowledgement = z.infer<typeof acknowledgementSchema>
