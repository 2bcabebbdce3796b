import * as z from 'zod'
import { isInteger, isNumber, isText, type NumberValue, type TextValue } from './scalars.ts'

export const number = z.custom<NumberValue>(isNumber, 'expected a number')
export const integer = z.custom<NumberValue>(isInteger, 'expected a whole number')
export const text = z.custom<TextValue>(isText, 'expected text')

/** A required key: blank names nothing. */
export const key = z.string().regex(/\S/, 'must not be blank')

/** `null` says the same as absence: senders whose serialisers write every property mean nothing by it. */
export const optionalString = z.string().nullish()
export const optionalNumber = number.nullish()
export const optionalText = text.nullish()
export const optionalBoolean = z.boolean().nullish()
export const optionalStrings = z.array(z.string()).nullish()
