import { randomUUID } from 'node:crypto'
import { ApiError } from './api-error.ts'

export function newRequestId(): string {
  return `req_${randomUUID()}`
}

/** An error as the service writes it (spec §7); of an unexpected one nothing is told. */
export function failure(error: Error, requestId: string): Response {
  const known =
    error instanceof ApiError ? error : new ApiError(500, [{ code: 'IE01', message: 'Internal error' }])
  return json(known.status, { errors: known.errors, status: known.status, requestId }, known.headers)
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  const text = JSON.stringify(body)
  const response = new Response(text, {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  texts.set(response, text)
  return response
}

/** Reading a body back out of a `Response` takes more than a tenth of the time that a request does. */
const texts = new WeakMap<Response, string>()

/** The text that a response was made of, if it was by `json`. */
export function textOf(response: Response): string | undefined {
  return texts.get(response)
}

/** The same error of a layer outside of the application, which has not named the request yet. */
export function refusal(error: Error, requestId: string): Response {
  const response = failure(error, requestId)
  response.headers.set('X-Request-Id', requestId)
  return response
}
