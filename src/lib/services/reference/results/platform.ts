import * as z from 'zod'
import { labelSetListSchema } from '../../../wire/labels.ts'
import { explainedMethodsSchema } from '../../../wire/methods.ts'
import { pudosResponseSchema } from '../../../wire/pudos.ts'
import { refundListSchema } from '../../../wire/refunds.ts'
import { returnListSchema, returnSchema } from '../../../wire/returns.ts'
import { transportationListSchema, transportationSchema } from '../../../wire/transportations.ts'

/** Documents of the platform, which are printed as it sent them. */
export const PLATFORM_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'returns list': returnListSchema,
  'returns get': z.union([returnSchema, z.array(returnSchema).describe('With more than one RETURN, or -')]),
  'returns refunds': refundListSchema,
  'returns transportations': z.union([
    transportationListSchema,
    transportationSchema.describe('With a TRANSPORTATION'),
  ]),
  'returns watch': returnSchema.describe('One document for each return'),
  'labels get': labelSetListSchema,
  'pudos search': pudosResponseSchema,
  'methods calculate': explainedMethodsSchema,
  search: z.object({
    returns: z.array(
      returnSchema.extend({ matched: z.array(z.object({ field: z.string(), value: z.string() })) }),
    ),
  }),
}
