import * as z from 'zod'
import { optionalNumber, optionalString } from './fields.ts'
import { REFUND_MODES, REFUND_TYPES } from './returns.ts'

/** States of a refund. The spec leaves them open; decided. */
export const REFUND_STATUSES = ['PENDING', 'EXECUTED', 'FAILED'] as const

/** The part of a refund that pays for one returned item; `amount` is in the refund's `currency`. */
const refundLineItemSchema = z.looseObject({
  returnLineItemId: optionalString,
  sku: optionalString,
  quantity: optionalNumber,
  amount: optionalNumber,
})

/**
 * A refund or other resolution of a return. The payload is left open by spec §4.8; the fields are decided, and since
 * a service may have decided otherwise none of them is required.
 */
export const refundSchema = z.looseObject({
  id: optionalString,
  returnId: optionalString,
  refundType: z.enum(REFUND_TYPES).nullish(),
  refundMode: z.enum(REFUND_MODES).nullish(),
  status: z.enum(REFUND_STATUSES).nullish(),
  amount: optionalNumber,
  fee: optionalNumber,
  tax: optionalNumber,
  currency: optionalString,
  baseAmount: optionalNumber,
  baseFee: optionalNumber,
  baseTax: optionalNumber,
  baseCurrency: optionalString,
  createdAt: optionalString,
  executedAt: optionalString,
  lineItems: z.array(refundLineItemSchema).nullish(),
  externalReference: optionalString,
})
export type Refund = z.infer<typeof refundSchema>

/** Answer of `GET /returns/{return_id}/refunds` (spec §4.8; decided: an object with one list). */
export const refundListSchema = z.looseObject({ refunds: z.array(refundSchema) })
