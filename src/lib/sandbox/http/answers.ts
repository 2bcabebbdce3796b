import { randomUUID } from 'node:crypto'
import type { ErrorDetail } from '../../errors.ts'

export type ApiErrorEntry = ErrorDetail & { code: string }

export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly status: 400 | 401 | 404 | 405 | 408 | 413 | 417 | 429 | 431 | 500 | 503,
    readonly errors: readonly ApiErrorEntry[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors.map((error) => error.message).join('; '))
  }

  static of(
    status: ApiError['status'],
    code: string,
    message: string,
    headers?: ApiError['headers'],
  ): ApiError {
    return new ApiError(status, [{ code, message }], headers)
  }
}

/** Headers have lower-case names. The global `Response` would take 40 ms at its first use. */
export class Reply {
  readonly bytes: Buffer
  readonly headers: Map<string, string>

  constructor(
    body: string | Buffer,
    readonly status: number,
    headers: Readonly<Record<string, string>>,
  ) {
    this.bytes = typeof body === 'string' ? Buffer.from(body) : body
    this.headers = new Map(Object.entries(headers))
  }

  addHeaders(fields: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(fields)) {
      if (!this.headers.has(name)) this.headers.set(name, value)
    }
  }

  get text(): string {
    return this.bytes.toString()
  }
}

export function newRequestId(): string {
  return `req_${randomUUID()}`
}

/** Hides unexpected errors (spec §7). */
export function refusal(error: unknown, requestId: string): Reply {
  const { status, errors, headers } =
    error instanceof ApiError ? error : ApiError.of(500, 'IE01', 'Internal error')
  return json(status, { errors, status, requestId }, { ...headers, 'x-request-id': requestId })
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return new Reply(JSON.stringify(body), status, {
    'content-type': 'application/json',
    ...headers,
  })
}
