import type * as z from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import { ApiError } from '../http/api-error.ts'

/** The value as the schema reads it. @throws ApiError 400, with an entry for each problem */
export function valid<T>(read: z.ZodSafeParseResult<T>): T {
  if (read.success) return read.data
  throw invalidInput(read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}

export const invalidInput = (problems: readonly ErrorDetail[]) => refused(400, 'VA01', problems)

/** An entry with the code for each problem; one without a path is of the body. */
export function refused(
  status: ApiError['status'],
  code: string,
  problems: readonly ErrorDetail[],
): ApiError {
  const message = ({ path, message: says }: ErrorDetail) => `${path || 'The body'} ${says}`
  return new ApiError(
    status,
    problems.map((one) => ({ code, message: message(one) })),
  )
}
