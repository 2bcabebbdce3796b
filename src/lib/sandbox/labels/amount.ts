import type { NumberValue } from '../../wire/fields.ts'

/** A number of a request, in whichever form it came; NaN for none. */
export function toNumber(value: NumberValue | null | undefined): number {
  return value === null || value === undefined ? Number.NaN : Number(String(value))
}
