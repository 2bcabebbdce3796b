import { isLosslessNumber, type LosslessNumber } from 'lossless-json'
import * as z from 'zod'

const NUMERIC_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INTEGER_TEXT = /^-?\d+$/

/** As JSON number, as text, or as a literal beyond a double. */
export type NumberValue = number | string | LosslessNumber

/** Text that some senders write as a number (phones, codes). */
export type TextValue = string | number | LosslessNumber

/** A number. Decided: text that reads as one is accepted, and kept as sent: converting could change an amount. */
export const number = z.custom<NumberValue>(
  (value) =>
    typeof value === 'string' ? NUMERIC_TEXT.test(value) : Number.isFinite(value) || isLosslessNumber(value),
  'expected a number',
)

export const integer = z.custom<NumberValue>((value) => {
  if (typeof value === 'string') return INTEGER_TEXT.test(value)
  return Number.isInteger(value) || (isLosslessNumber(value) && INTEGER_TEXT.test(value.value))
}, 'expected a whole number')

/** Declared as number and used as text, or the reverse. Decided: both are accepted. */
export const text = z.custom<TextValue>(
  (value) => typeof value === 'string' || Number.isFinite(value) || isLosslessNumber(value),
  'expected text',
)

/** A required key: blank names nothing. */
export const key = z.string().regex(/\S/, 'must not be blank')

/** `null` says the same as absence: senders whose serialisers write every property mean nothing by it. */
export const optionalString = z.string().nullish()
export const optionalNumber = number.nullish()
export const optionalText = text.nullish()
export const optionalBoolean = z.boolean().nullish()
export const optionalStrings = z.array(z.string()).nullish()
