import { isLosslessNumber, type LosslessNumber } from 'lossless-json'

const NUMERIC_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INTEGER_TEXT = /^-?\d+$/

export type NumberValue = number | string | LosslessNumber

/** Text that some senders write as a number (phones, codes). */
export type TextValue = string | number | LosslessNumber

/** Decided: text that reads as a number is accepted, and kept as sent: converting could change an amount. */
export function isNumber(value: unknown): value is NumberValue {
  return typeof value === 'string'
    ? NUMERIC_TEXT.test(value)
    : Number.isFinite(value) || isLosslessNumber(value)
}

export function isInteger(value: unknown): value is NumberValue {
  if (typeof value === 'string') return INTEGER_TEXT.test(value)
  return Number.isInteger(value) || (isLosslessNumber(value) && INTEGER_TEXT.test(value.value))
}

/** Declared as number and used as text, or the reverse. Decided: both are accepted. */
export function isText(value: unknown): value is TextValue {
  return typeof value === 'string' || Number.isFinite(value) || isLosslessNumber(value)
}
