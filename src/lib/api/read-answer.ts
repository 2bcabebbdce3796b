import { ContainerError, kindOf } from '../wire/read.ts'
import type { HttpResponse } from './http/error-map.ts'
import { contractError } from './http/error-map.ts'

/** What `read` makes of an answer's body. @throws AppError `contract` if the body lacks what holds the records */
export function readAnswer<T>(answer: HttpResponse, read: (body: unknown) => T): T {
  try {
    return read(answer.body)
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error
    throw contractError(answer, `The answer has another shape than specified: ${error.message}`, error)
  }
}

/** The body of an answer that is one record. @throws ContainerError if it is none */
export function recordIn(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new ContainerError('an object', kindOf(body))
}
