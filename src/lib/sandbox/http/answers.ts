import { randomUUID } from 'node:crypto'
import { ApiError } from './api-error.ts'
import { Reply } from './reply.ts'

export function newRequestId(): string {
  return `req_${randomUUID()}`
}

/** An error as the service writes it (spec §7); unexpected ones tell nothing. */
export function refusal(error: unknown, requestId: string): Reply {
  const { status, errors, headers } =
    error instanceof ApiError ? error : ApiError.of(500, 'IE01', 'Internal error')
  return json(status, { errors, status, requestId }, { ...headers, 'X-Request-Id': requestId })
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return new Reply(JSON.stringify(body), status, {
    'Content-Type': 'application/json',
    ...headers,
  })
}
