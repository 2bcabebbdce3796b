import { createHash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { AppError, type ErrorKind } from '../../errors.ts'
import { json, refusal } from '../http/answers.ts'
import { ApiError } from '../http/api-error.ts'
import { CONTROL_PREFIX } from '../http/gate.ts'
import type { ControlCall, Controlled, ServerFacts } from './operation.ts'
import { CONTROL_OPERATIONS } from './operations.ts'
import { refused } from './valid.ts'

export interface ControlOptions extends Controlled {
  /** Bearer token; those of shops are not taken. */
  token: string
  server: ServerFacts
  newRequestId(): string
}

export function createControl({ token, newRequestId, ...surroundings }: ControlOptions): {
  fetch(request: Request): Promise<Response>
} {
  const app = new Hono()
  app.use(async ({ req }, next) => {
    if (!isSame(req.raw.headers.get('Authorization') ?? '', `Bearer ${token}`)) {
      throw ApiError.of(401, 'CT01', 'Not the token of the control interface', {
        'WWW-Authenticate': 'Bearer',
      })
    }
    await next()
  })
  for (const { method, path, answer } of CONTROL_OPERATIONS) {
    app.on(method, CONTROL_PREFIX + path, async (context) =>
      json(200, await answer(callOf(context, surroundings))),
    )
  }
  for (const path of new Set(CONTROL_OPERATIONS.map((one) => one.path))) {
    const allow = CONTROL_OPERATIONS.filter((one) => one.path === path).map(({ method }) => method)
    app.all(CONTROL_PREFIX + path, ({ req }) => {
      throw ApiError.of(405, 'MA01', `${req.method} is not allowed here`, {
        Allow: allow.join(', '),
      })
    })
  }
  app.notFound(({ req }) => refusal(ApiError.of(404, 'NF01', `No such path: ${req.path}`), newRequestId()))
  app.onError((error) => refusal(toApiError(error), newRequestId()))
  return { fetch: async (request) => app.fetch(request) }
}

function callOf({ req }: Context, surroundings: Omit<ControlOptions, 'token' | 'newRequestId'>): ControlCall {
  return {
    ...surroundings,
    params: new URL(req.url).searchParams,
    part: (name) => req.param(name) ?? '',
    body: async () => {
      const text = await req.text()
      try {
        return text === '' ? undefined : JSON.parse(text)
      } catch {
        throw ApiError.of(400, 'VA01', 'The body is not JSON')
      }
    },
  }
}

/** The token's holder may know the cause: its message is told here too. */
function toApiError(error: Error): Error {
  if (!(error instanceof AppError)) return error
  const { status, code } = REFUSALS[error.kind] ?? ({ status: 500, code: 'IE01' } as const)
  if (error.details.length > 0) return refused(status, code, error.details)
  return ApiError.of(status, code, [error.message, ...error.hints].join('; '))
}

const REFUSALS: Readonly<Partial<Record<ErrorKind, { status: 400 | 404; code: string }>>> = {
  usage: { status: 400, code: 'VA01' },
  'not-found': { status: 404, code: 'CT02' },
  rejected: { status: 400, code: 'CT03' },
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
