import { isLosslessNumber, type LosslessNumber } from 'lossless-json'
import * as z from 'zod'

const NUMERIC_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INTEGER_TEXT = /^-?\d+$/

/** A number in any form that it arrives in: as such, as text, or as the exact literal that no double can hold. */
export type NumberValue = number | string | LosslessNumber

/** A text that some senders write as a number (phones, codes). */
export type TextValue = string | number | LosslessNumber

/**
 * A declared number. Decided: text that reads as a number is accepted too. The value stays as it was sent, since
 * converting it could change an amount.
 */
export const number = z.custom<NumberValue>(
  (value) =>
    typeof value === 'string' ? NUMERIC_TEXT.test(value) : Number.isFinite(value) || isLosslessNumber(value),
  'expected a number',
)

/** A declared integer, in the same forms as `number`. */
export const integer = z.custom<NumberValue>((value) => {
  if (typeof value === 'string') return INTEGER_TEXT.test(value)
  return Number.isInteger(value) || (isLosslessNumber(value) && INTEGER_TEXT.test(value.value))
}, 'expected a whole number')

/** A field whose declaration says number where its usage says text, or the reverse. Decided: both are accepted. */
export const text = z.custom<TextValue>(
  (value) => typeof value === 'string' || Number.isFinite(value) || isLosslessNumber(value),
  'expected text',
)

/** A required key of a request: a blank one names nothing. */
export const key = z.string().regex(/\S/, 'must not be blank')

/*
 * Optional fields. `null` says the same as absence, in requests as in responses: senders whose serialisers write
 * every property do not mean anything by it.
 */
export const optionalString = z.string().nullish()
export const optionalNumber = number.nullish()
export const optionalText = text.nullish()
export const optionalBoolean = z.boolean().nullish()
export const optionalStrings = z.array(z.string()).nullish()
