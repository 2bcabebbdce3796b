import * as z from 'zod'
import {
  type Form,
  isInteger,
  isNumber,
  isText,
  type NumberValue,
  type Shape,
  type TextValue,
} from './read.ts'

export const number = z.custom<NumberValue>(isNumber, 'expected a number')
export const integer = z.custom<NumberValue>(isInteger, 'expected a whole number')
export const text = z.custom<TextValue>(isText, 'expected text')

export const key = z.string().regex(/\S/, 'must not be blank')

/** Some serialisers write absent properties as `null`. */
export const optionalString = z.string().nullish()
export const optionalNumber = number.nullish()
export const optionalText = text.nullish()
export const optionalBoolean = z.boolean().nullish()
export const optionalStrings = z.array(z.string()).nullish()

/** Spec §2.5. */
export const addressSchema = z.looseObject({
  line1: z.string(),
  line2: optionalString,
  city: z.string(),
  postalCode: z.string(),
  region: optionalString,
  countryCode: z.string(),
})

/** Spec §2.1, §4.2. */
export const partySchema = z.looseObject({
  fullName: optionalString,
  email: optionalString,
  phone: optionalText,
  address: addressSchema.nullish(),
})

/** @throws Error for a schema with requirements that `Form` does not have */
export function shapeOf<S extends z.ZodType>(schema: S): Shape<z.infer<S>> {
  return formOf(schema)
}

function formOf(schema: z.core.$ZodType): Form {
  if (schema instanceof z.ZodOptional) return { ...formOf(schema.unwrap()), mayBeAbsent: true }
  if (schema instanceof z.ZodNullable) return { ...formOf(schema.unwrap()), mayBeNull: true }
  if (schema instanceof z.ZodNonOptional) return { ...formOf(schema.unwrap()), mayBeAbsent: false }
  return { ...kindOf(schema), mayBeAbsent: false, mayBeNull: false }
}

function kindOf(schema: z.core.$ZodType) {
  if (schema === number) return { kind: 'number' } as const
  if (schema === integer) return { kind: 'integer' } as const
  if (schema === key) return { kind: 'key' } as const
  if (schema === text) return { kind: 'text' } as const
  if ((schema._zod.def.checks ?? []).length === 0) {
    if (schema instanceof z.ZodString) return { kind: 'string' } as const
    if (schema instanceof z.ZodBoolean) return { kind: 'boolean' } as const
    if (schema instanceof z.ZodEnum) return { kind: 'choice', values: schema.options.map(String) } as const
    if (schema instanceof z.ZodArray) return { kind: 'list', item: formOf(schema.element) } as const
    if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown) {
      const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, form: formOf(field) }))
      return { kind: 'record', fields } as const
    }
  }
  throw new Error(`no shape for a schema of the type ${schema._zod.def.type}`)
}
