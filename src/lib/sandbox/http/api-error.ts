import type { ErrorDetail } from '../../errors.ts'

export interface ApiErrorEntry extends Pick<ErrorDetail, 'message' | 'carrierErrors'> {
  code: string
}

/** An answer other than 2xx, written in one place (spec §7). */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly status: 400 | 401 | 404 | 405 | 408 | 413 | 417 | 429 | 431 | 500 | 503,
    readonly errors: readonly ApiErrorEntry[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors.map((error) => error.message).join('; '))
  }

  /** With one entry. */
  static of(
    status: ApiError['status'],
    code: string,
    message: string,
    headers?: ApiError['headers'],
  ): ApiError {
    return new ApiError(status, [{ code, message }], headers)
  }
}
