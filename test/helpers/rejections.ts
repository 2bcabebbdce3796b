import { expect } from 'vitest'

/** Asserts the kind of a promise's error, and its message or a pattern of it. */
export async function expectRejection(promise: Promise<unknown>, kind: string, message?: unknown) {
  const said = message instanceof RegExp ? expect.stringMatching(message) : message
  await expect(promise).rejects.toMatchObject({ kind, ...(message !== undefined && { message: said }) })
}
