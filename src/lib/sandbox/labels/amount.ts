import type { NumberValue } from '../../wire/scalars.ts'

/** NaN for no number. */
export function toNumber(value: NumberValue | null | undefined): number {
  return value === null || value === undefined ? Number.NaN : Number(String(value))
}
