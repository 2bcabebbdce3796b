import { isLosslessNumber } from 'lossless-json'
import { isRecord } from './raw.ts'
import { type Form, misfits, type Shape } from './shape.ts'

/**
 * Returns the reliable part of a record, to compute with or to put into sentences. Plain values become text where text
 * belongs; values of another type are left out. Required fields may still be missing, and codes unknown. A record
 * without oddities is returned itself.
 */
export function fitted<T>(shape: Shape<T>, record: T): T {
  const isOdd = misfits(shape, record).some(
    ({ path, value, isUnknownValue }) =>
      !isUnknownValue && (isThere(value) || typeof path.at(-1) === 'number'),
  )
  return isOdd ? (fittedValue(shape, record) as T) : record
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function fittedValue(form: Form, value: unknown): unknown {
  if (form.kind === 'record') return isRecord(value) ? fittedRecord(form.fields, value) : undefined
  if (form.kind === 'list') {
    if (!Array.isArray(value)) return undefined
    return value.map((item) => fittedValue(form.item, item)).filter(isThere)
  }
  if (form.kind === 'choice' || form.kind === 'string' || form.kind === 'key') return textOf(value)
  return misfits(form, value).length === 0 ? value : undefined
}

function fittedRecord(
  fields: readonly { name: string; form: Form }[],
  record: Record<string, unknown>,
): Record<string, unknown> {
  const copy = { ...record }
  for (const { name, form } of fields) {
    const value = record[name]
    if (isThere(value)) copy[name] = fittedValue(form, value)
  }
  return copy
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || isLosslessNumber(value)
    ? String(value)
    : undefined
}
