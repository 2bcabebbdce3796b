import type * as z from 'zod'
import { parseJson } from '../../wire/json.ts'
import { at, pathText } from '../../wire/raw.ts'
import type { NumberValue } from '../../wire/shape.ts'
import { ApiError } from './answers.ts'

/** A body of 10 MB may hold only wrong values, and each problem takes a thousand times their memory. */
const MAX_VALUES = 250_000
const MAX_PROBLEMS = 50

/** @throws ApiError 400 VA01, with an entry for each problem that names its path */
export function parseBody<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  let body: unknown
  try {
    body = parseJson(text)
  } catch {
    throw invalid(['body: not JSON'])
  }
  if (hasTooManyValues(text, body)) throw invalid([`body: more than ${MAX_VALUES} values`])
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw invalid(result.error.issues.map((issue) => describe(issue, body)))
}

export function invalid(problems: readonly string[]): ApiError {
  const rest = problems.length - MAX_PROBLEMS
  const shown = rest > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${rest} more`] : problems
  return new ApiError(
    400,
    shown.map((message) => ({ code: 'VA01', message })),
  )
}

/** Iterative: a body may be nested a million deep. */
function hasTooManyValues(text: string, body: unknown): boolean {
  // Each value takes two characters at least.
  if (text.length <= 2 * MAX_VALUES) return false
  const open = [body]
  for (let count = 0; open.length > 0; ) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value)
    count += inner.length
    if (count > MAX_VALUES) return true
    for (const each of inner) open.push(each)
  }
  return false
}

/** `parcels[0].weight: is missing`. */
function describe({ path, message }: z.core.$ZodIssue, body: unknown): string {
  const value = path.reduce<unknown>(at, body)
  return `${pathText(path) || 'body'}: ${value === undefined || value === null ? 'is missing' : message}`
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/./i.test(text) && URL.canParse(text)
}

/** NaN for no number. */
export function toNumber(value: NumberValue | null | undefined): number {
  return value === null || value === undefined ? Number.NaN : Number(String(value))
}
