import * as z from 'zod'
import { AppError } from '../../errors.ts'
import { REFUND_MODES, REFUND_TYPES } from '../../wire/enumerations.ts'
import { choice, problemsOf } from '../problems.ts'
import type { NewReturn } from '../returns/new-return.ts'

const amount = z.number().min(0, 'must not be negative')

export const newReturnSchema = z.strictObject({
  shop: z.string().min(1).describe('Code of the shop'),
  orderName: z.string().regex(/\S/, 'must not be blank').describe('The return is R#-{orderName}'),
  carrierServiceCode: z.string().min(1).optional().describe("One of the shop's; its first by default"),
  needsValidation: z.boolean().optional().describe('It has to be approved first'),
  fee: amount.optional().describe('Of the return method, 0 by default'),
  lines: z
    .array(
      z.strictObject({
        sku: z.string().min(1).optional().describe("Any of the shop's by default"),
        price: amount.optional().describe('Of one unit, taxes included; 49.95 by default'),
        discount: amount.optional(),
        quantity: z.int('must be a whole number').min(1, 'must be 1 at least').optional(),
        refundType: choice(REFUND_TYPES).optional(),
        refundMode: choice(REFUND_MODES).optional(),
        exchange: z
          .strictObject({ sku: z.string().min(1), price: amount.optional() })
          .optional()
          .describe('What the customer wants instead; at the same price by default'),
      }),
    )
    .min(1, 'must not be empty')
    .optional()
    .describe('One item by default'),
})

/** @throws AppError `usage` that names all that is wrong */
export function checkNewReturn(document: unknown): NewReturn {
  const read = newReturnSchema.safeParse(document)
  if (read.success) return read.data
  const details = problemsOf(read.error, document, Object.keys(newReturnSchema.shape))
  throw new AppError('usage', 'This is not a return that can be made', { details })
}
