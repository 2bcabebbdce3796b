import { isLosslessNumber } from 'lossless-json'

/** A text, or a number sent in its place; nothing for a blank, or for anything else. */
export function looseText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !isLosslessNumber(value)) return undefined
  return String(value).trim() || undefined
}

export function looseNumber(value: unknown): number | undefined {
  const digits = looseText(value)
  const number = digits === undefined ? Number.NaN : Number(digits)
  return Number.isFinite(number) ? number : undefined
}
