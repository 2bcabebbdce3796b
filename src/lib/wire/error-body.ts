import * as z from 'zod'
import { optionalNumber, optionalString, optionalText } from './fields.ts'

/** A carrier's own words about a refused label (spec §7). */
const carrierErrorSchema = z.looseObject({
  carrierName: optionalText,
  carrierService: optionalText,
  code: optionalText,
  message: optionalString,
})

/**
 * Body of an answer that is not a success (spec §7; decided: `status`, `requestId`). Half an error beats none: nothing
 * is required.
 */
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
