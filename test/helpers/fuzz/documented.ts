import { expect } from 'vitest'
import * as z from 'zod'
import { DESCRIBED_OPERATIONS, SCHEMAS } from '../../../src/lib/sandbox/openapi/operations.ts'
import { parseJson } from '../../../src/lib/wire/json.ts'
import type { Probe } from './probes.ts'

const PREFIX = '/integration/v1'

/** The form of every answer that is not a success, stricter than what the client takes. */
const refusalSchema = z.strictObject({
  errors: z
    .array(
      z.strictObject({
        code: z.string().regex(/^[A-Z]{2}\d+$/),
        message: z.string().min(1),
        carrierErrors: z
          .array(
            z.strictObject({
              carrierName: z.string().min(1),
              carrierService: z.string().min(1),
              code: z.string().min(1),
              message: z.string().min(1),
            }),
          )
          .min(1)
          .optional(),
      }),
    )
    .min(1),
  status: z.int(),
  requestId: z.string().regex(/^req_[0-9a-f-]{36}$/),
})

export interface Answered {
  status: number
  headers: Headers
  text: string
}

/** An answer in the documented error form. Returns the first code. */
export function expectRefusal({ status, headers, text }: Answered): string {
  expect(headers.get('content-type')).toBe('application/json')
  const body = refusalSchema.parse(JSON.parse(text))
  expect(body.status).toBe(status)
  expect(body.requestId).toBe(headers.get('x-request-id'))
  if (status === 405) expect(headers.get('allow')).toMatch(/^[A-Z]+(?:, [A-Z]+)*$/)
  if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
  return body.errors[0]?.code ?? ''
}

const ROUTES = DESCRIBED_OPERATIONS.map((operation) => ({
  ...operation,
  pattern: new RegExp(`^${PREFIX}${operation.path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** All that the documentation says of the answer to a probe. */
export function expectDocumented(probe: Probe, answer: Answered): void {
  const { status, headers, text } = answer
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  const method = probe.method.toLowerCase() === 'get' ? 'GET' : probe.method.toUpperCase()
  const isHead = method === 'HEAD'
  if (isHead) expect(text).toBe('')
  const code = isHead || status === 200 ? '' : expectRefusal(answer)
  if (!probe.isPlain) {
    expect([200, 400, 401, 404, 405]).toContain(status)
    return
  }
  const { pathname } = new URL(probe.target, 'http://x')
  const here = ROUTES.filter(({ pattern }) => pattern.test(pathname))
  const operation = here.find((each) => each.method === (isHead ? 'GET' : method))
  if (operation === undefined) {
    expect(status).toBe(here.length === 0 ? 404 : 405)
    if (!isHead) expect(code).toBe(here.length === 0 ? 'NF01' : 'MA01')
    return
  }
  if (!probe.isAuthentic) {
    expect(status).toBe(401)
    if (!isHead) expect(code).toMatch(/^AU0[123]$/)
    return
  }
  expect([200, ...operation.errors]).toContain(status)
  if (status !== 200 || isHead) return
  expect(headers.get('content-type')).toBe('application/json')
  SCHEMAS[operation.response].parse(parseJson(text))
}
