import { expect } from 'vitest'
import type { AppError } from '../../src/lib/errors.ts'

/** Error that a promise is rejected with. */
export const failureOf = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  )

/** Asserts the kind of a promise's error, and its message or a pattern of it; returns the error. */
export async function expectRejection(promise: Promise<unknown>, kind: string, message?: unknown) {
  const said = message instanceof RegExp ? expect.stringMatching(message) : message
  const error = await failureOf(promise)
  expect(error).toMatchObject({ kind, ...(message !== undefined && { message: said }) })
  return error
}
