import * as z from 'zod'
import { PUDO_LOCATION_TYPES } from './enumerations.ts'
import { addressSchema, integer, optionalBoolean, optionalNumber, optionalString, text } from './fields.ts'

/** Decided. */
const PUDO_SERVICES = ['DROP_OFF', 'PICK_UP', 'LABEL_PRINT'] as const

/** Spec §4.5. Decided: `range` in km, `limit` per carrier service. */
export const pudosRequestSchema = z.looseObject({
  shopCode: optionalString,
  carrierServices: z.array(z.looseObject({ code: text })).nullish(),
  limit: integer.nullish(),
  address: optionalString,
  city: optionalString,
  postalCode: optionalString,
  countryCode: optionalString,
  latitude: optionalNumber,
  longitude: optionalNumber,
  range: optionalNumber,
  locationType: optionalString,
})
export type PudosRequest = z.infer<typeof pudosRequestSchema>

/** Spec §2.8. Decided: `distance` in km, hours local `HH:MM`, Monday is 1. */
export const pudoPointSchema = z.looseObject({
  id: optionalString,
  name: optionalString,
  locationType: z.enum(PUDO_LOCATION_TYPES).nullish(),
  address: addressSchema.nullish(),
  latitude: optionalNumber,
  longitude: optionalNumber,
  distance: optionalNumber,
  openingHours: z
    .array(z.looseObject({ day: optionalNumber, opens: optionalString, closes: optionalString }))
    .nullish(),
  timeZone: optionalString,
  services: z.array(z.enum(PUDO_SERVICES)).nullish(),
  temporarilyClosed: optionalBoolean,
})
export type PudoPoint = z.infer<typeof pudoPointSchema>

/** Spec §2.8. */
export const pudoResultSchema = z.looseObject({
  carrierCode: optionalString,
  carrierExternalCode: optionalString,
  pudoPoints: z.array(pudoPointSchema),
})
export type PudoResult = z.infer<typeof pudoResultSchema>

/** Spec §4.5. */
export const pudosResponseSchema = z.array(pudoResultSchema)
