import * as z from 'zod'
import { REFUND_MODES, REFUND_STATUSES, REFUND_TYPES } from './enumerations.ts'
import { optionalNumber, optionalString } from './fields.ts'

const refundLineItemSchema = z.looseObject({
  returnLineItemId: optionalString,
  sku: optionalString,
  quantity: optionalNumber,
  amount: optionalNumber,
})

/** Spec §4.8. Decided: the fields. */
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

/** Spec §4.8. */
export const refundListSchema = z.looseObject({ refunds: z.array(refundSchema) })
