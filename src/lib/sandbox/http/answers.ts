import { randomUUID } from 'node:crypto'
import { ApiError } from './api-error.ts'

export function newRequestId(): string {
  return `req_${randomUUID()}`
}

/** An error as the service writes it (spec §7); unexpected ones tell nothing. */
export function failure(error: Error, requestId: string): Response {
  const known = error instanceof ApiError ? error : ApiError.of(500, 'IE01', 'Internal error')
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

/** Texts of responses: reading one back costs a tenth of a request. */
const texts = new WeakMap<Response, string>()

export function textOf(response: Response): string | undefined {
  return texts.get(response)
}

export function refusal(error: Error, requestId: string): Response {
  const response = failure(error, requestId)
  response.headers.set('X-Request-Id', requestId)
  return response
}
