import type { ErrorDetail } from '../../errors.ts'
import { stringifyJson } from '../../wire/json.ts'
import { isRecord } from '../../wire/raw.ts'
import { fitted } from '../../wire/shape.ts'
import { errorBodyShape } from '../../wire/shapes.ts'
import type { ErrorBody } from '../../wire/tracking.ts'

/** Characters of what is not understood. */
const MAX_SHOWN = 200

/** The id that support asks for: the header, or what the error body says. */
export function requestIdOf(headers: Readonly<Record<string, string>>, body: unknown): string | undefined {
  const inBody = errorBody(body)?.requestId
  return headers['x-request-id'] ?? (inBody === null || inBody === undefined ? undefined : String(inBody))
}

/** Reads the errors of a service and of its carriers (spec §7), in any form. */
export function detailsOf(body: unknown): ErrorDetail[] {
  const listed = errorBody(body)?.errors ?? []
  if (listed.length === 0) return otherDetails(body)
  return listed.map(({ code, message, carrierErrors }) => ({
    code: text(code),
    message: message ?? 'no message',
    carrierErrors: carrierErrors?.map((error) => ({
      carrierName: text(error.carrierName),
      carrierService: text(error.carrierService),
      code: text(error.code),
      message: error.message ?? undefined,
    })),
  }))
}

function errorBody(body: unknown): ErrorBody | undefined {
  return isRecord(body) ? fitted(errorBodyShape, body as ErrorBody) : undefined
}

/** Error bodies are not specified for every status, and gateways have their own. */
function otherDetails(body: unknown): ErrorDetail[] {
  if (typeof body !== 'object' || body === null) return []
  const said = ['message', 'error_description', 'error', 'detail', 'title'].map((key) =>
    Reflect.get(body, key),
  )
  const message = said.find((value) => typeof value === 'string' && value !== '')
  if (typeof message === 'string') return [{ message }]
  const errors: unknown = Reflect.get(body, 'errors')
  return isEmpty(errors ?? null) ? [] : [{ message: stringifyJson(errors).slice(0, MAX_SHOWN) }]
}

const ABOUT_THE_ANSWER = new Set(['errors', 'status', 'requestId', 'pageInfo'])

export function isRejectionOnly(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const errors: unknown = Reflect.get(body, 'errors')
  if (!Array.isArray(errors) || errors.length === 0) return false
  return Object.entries(body).every(([key, value]) => ABOUT_THE_ANSWER.has(key) || isEmpty(value))
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
