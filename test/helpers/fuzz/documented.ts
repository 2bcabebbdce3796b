import assert from 'node:assert/strict'
import * as z from 'zod'
import { DESCRIBED_OPERATIONS, SCHEMAS } from '../../../src/lib/sandbox/openapi/document.ts'
import { parseJson } from '../../../src/lib/wire/json.ts'
import type { Probe } from './probes.ts'

const PREFIX = '/integration/v1'

/** Schema of every error answer, stricter than that of the client. */
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
  headers: { get(name: string): string | null | undefined }
  text: string
}

/** Asserts the documented error format. Returns the first code. */
export function expectRefusal({ status, headers, text }: Answered): string {
  assert.equal(headers.get('content-type'), 'application/json')
  const body = refusalSchema.parse(JSON.parse(text))
  assert.equal(body.status, status)
  assert.equal(body.requestId, headers.get('x-request-id'))
  if (status === 405) assert.match(headers.get('allow') ?? '', /^[A-Z]+(?:, [A-Z]+)*$/)
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Bearer/)
  return body.errors[0]?.code ?? ''
}

const ROUTES = DESCRIBED_OPERATIONS.map((operation) => ({
  ...operation,
  pattern: new RegExp(`^${PREFIX}${operation.path.replace(/:\w+/g, '[^/]+')}$`),
}))

/** Asserts that an answer matches the documentation. */
export function expectDocumented(probe: Probe, answer: Answered): void {
  const { status, headers, text } = answer
  assert.match(headers.get('x-request-id') ?? '', /^req_/)
  const method = probe.method.toLowerCase() === 'get' ? 'GET' : probe.method.toUpperCase()
  const isHead = method === 'HEAD'
  const code = isHead || status === 200 ? '' : expectRefusal(answer)
  if (!probe.isPlain) {
    assertOneOf(status, [200, 400, 401, 404, 405])
    return
  }
  const { pathname } = new URL(probe.target, 'http://x')
  const here = ROUTES.filter(({ pattern }) => pattern.test(pathname))
  const operation = here.find((each) => each.method === (isHead ? 'GET' : method))
  if (operation === undefined) {
    assert.equal(status, here.length === 0 ? 404 : 405)
    if (!isHead) assert.equal(code, here.length === 0 ? 'NF01' : 'MA01')
    return
  }
  if (!probe.isAuthentic) {
    assert.equal(status, 401)
    if (!isHead) assert.match(code, /^AU0[123]$/)
    return
  }
  assertOneOf(status, [200, ...operation.errors])
  if (status !== 200 || isHead) return
  assert.equal(headers.get('content-type'), 'application/json')
  SCHEMAS[operation.response].parse(parseJson(text))
}

function assertOneOf(status: number, documented: readonly number[]): void {
  assert(documented.includes(status), `${status} is not one of ${documented}`)
}
