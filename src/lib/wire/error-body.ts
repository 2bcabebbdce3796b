import * as z from 'zod'
import { optionalNumber, optionalString, optionalText } from './fields.ts'

/** A carrier's own words about a refused label (spec §7). */
const carrierErrorSchema = z.looseObject({
  carrierName: optionalText,
  carrierService: optionalText,
  code: optionalText,
  message: optionalString,
})

/** Spec §7; decided: `status`, `requestId`. Nothing is required: half an error beats none. */
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
