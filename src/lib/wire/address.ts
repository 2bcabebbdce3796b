import * as z from 'zod'
import { optionalString, optionalText } from './fields.ts'

/** Spec §2.5; `countryCode` is ISO 3166-1. */
export const addressSchema = z.looseObject({
  line1: z.string(),
  line2: optionalString,
  city: z.string(),
  postalCode: z.string(),
  region: optionalString,
  countryCode: z.string(),
})

/** Origin and destination of a return (spec §2.1), shipper of a label (spec §4.2). No field is required. */
export const partySchema = z.looseObject({
  fullName: optionalString,
  email: optionalString,
  phone: optionalText,
  address: addressSchema.nullish(),
})
