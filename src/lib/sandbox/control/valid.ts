import type * as z from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import { ApiError } from '../http/api-error.ts'

/** The value as the schema reads it. @throws ApiError 400, with an entry for each problem */
export function valid<T>(read: z.ZodSafeParseResult<T>): T {
  if (read.success) return read.data
  throw invalidInput(read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}

export function invalidInput(problems: readonly ErrorDetail[]): ApiError {
  const entries = problems.map(({ path, message }) => ({
    code: 'VA01',
    message: path ? `${path} ${message}` : `The body ${message}`,
  }))
  return new ApiError(400, entries)
}
