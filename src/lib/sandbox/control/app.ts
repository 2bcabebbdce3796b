import { hash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { AppError, type ErrorDetail, type ErrorKind } from '../../errors.ts'
import type { SandboxActions } from '../actions/sandbox-actions.ts'
import { SHOP_CODES } from '../demo/catalogue.ts'
import { readFault, readFaults } from '../faults/fault.ts'
import type { StoredFaults } from '../faults/faults.ts'
import { ApiError, json, newRequestId, refusal } from '../http/answers.ts'
import { CONTROL_PREFIX } from '../http/middleware.ts'
import { type Platform, Routes } from '../http/platform.ts'
import type { ReceivedRequest } from '../http/received-request.ts'
import type { RequestLog } from '../http/request-log.ts'
import { DECISIONS } from '../returns/lifecycle.ts'
import type { PlayedStep } from '../scenarios/play.ts'
import { checkNewReturn } from '../scenarios/scenario.ts'

export interface Controlled {
  platform: Platform
  actions: SandboxActions
  faults: StoredFaults
  log: RequestLog
  issueToken(wanted: { shops?: readonly string[]; lifetimeSeconds?: number }): string
  reset(wanted: { seed?: number; returns?: number }): Promise<void>
  play(scenario: unknown): Promise<PlayedStep[]>
}

type ControlCall = ReturnType<typeof callOf>

function valid<S extends z.ZodType>(schema: S, document: unknown = {}) {
  const { data, error } = schema.safeParse(document)
  if (!error) return data
  const problems = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw refused(400, 'VA01', problems)
}

function refused(status: ApiError['status'], code: string, problems: readonly ErrorDetail[]) {
  return new ApiError(
    status,
    problems.map(({ path, message }) => ({ code, message: `${path || 'The body'} ${message}` })),
  )
}

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const STATUS_FILTER = /^(?:none|[1-5](?:xx|\d\d))$/i

const filterSchema = z.strictObject({
  last: count.optional(),
  after: count.optional(),
  status: z.string().regex(STATUS_FILTER, 'must look like 404, 5xx or none').optional(),
  route: z
    .string()
    .regex(/^\S+ \S+$/, 'must be a method or *, a space and a path')
    .optional(),
})

const seconds = z.int('must be a whole number').min(1, 'must be 1 at least')

const tokenSchema = z.strictObject({
  shops: z.array(z.string()).min(1).optional(),
  lifetimeSeconds: seconds.optional(),
})

const resetSchema = z.strictObject({ seed: z.number().optional(), returns: z.number().optional() })

const advanceSchema = z.strictObject({ seconds })

export const CONTROL_OPERATIONS: Readonly<Record<string, (call: ControlCall) => object | Promise<object>>> = {
  'GET /status': ({ platform, server, faults, log }) => ({
    ...server,
    now: new Date(platform.clock.now()).toISOString(),
    shops: SHOP_CODES,
    requests: log.total,
    faults: faults.list().length,
  }),
  'GET /requests': ({ log, params }) => ({
    requests: log.read(valid(filterSchema, Object.fromEntries(params))),
    total: log.total,
  }),
  'POST /tokens': ({ body, issueToken }) => ({ token: issueToken(valid(tokenSchema, body())) }),
  'POST /reset': async ({ body, reset }) => {
    await reset(valid(resetSchema, body()))
    return { reset: true }
  },
  'GET /faults': ({ faults }) => ({ faults: faults.list() }),
  'PUT /faults': async ({ body, faults }) => ({ faults: await faults.set(readFaults(body())) }),
  'POST /faults': async ({ body, faults }) => Object(await faults.add(readFault(body()))),
  'DELETE /faults': async ({ faults }) => {
    await faults.clear()
    return { faults: [] }
  },
  'DELETE /faults/:faultId': async ({ faults, pathParam }) => {
    await faults.remove(pathParam('faultId'))
    return { faults: faults.list() }
  },
  'POST /advance': ({ body, actions }) => actions.advance(valid(advanceSchema, body()).seconds),
  'POST /returns': ({ body, actions }) => actions.createReturn(checkNewReturn(body())),
  ...Object.fromEntries(
    (Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]).map((decision) => [
      `POST /returns/:returnRef/${decision}`,
      ({ pathParam, actions }) => actions.decide(decision, pathParam('returnRef')),
    ]),
  ),
  'POST /refunds/:refundId/execute': ({ pathParam, actions }) => actions.executeRefund(pathParam('refundId')),
  'POST /play': async ({ body, play }) => {
    const steps = await play(body())
    return { passed: steps.every(({ outcome }) => outcome === 'done'), steps }
  },
}

interface ControlOptions extends Controlled {
  token: string
  server: { startedAt: string; rateLimit?: string }
}

/** Needs no token, for monitoring. Reads the data for its headers. */
const HEALTH_PATH = `${CONTROL_PREFIX}/health`

export function createControl({ token, ...dependencies }: ControlOptions) {
  const routes = new Routes()
  for (const [operation, answer] of Object.entries(CONTROL_OPERATIONS)) {
    const [method = '', path = ''] = operation.split(' ')
    routes.add(method, CONTROL_PREFIX + path, async (request, pathParam) =>
      json(200, await answer(callOf(request, pathParam, dependencies))),
    )
  }
  routes.add('GET', HEALTH_PATH, () => json(200, { status: 'ok' }))
  return {
    fetch: async (request: ReceivedRequest) => {
      try {
        const isOpen = request.url.pathname === HEALTH_PATH
        if (!isOpen && !isSame(request.headers.get('Authorization') ?? '', `Bearer ${token}`)) {
          throw ApiError.of(401, 'CT01', 'Not the token of the control interface', {
            'www-authenticate': 'Bearer',
          })
        }
        return await routes.answer(request)
      } catch (error) {
        return refusal(toApiError(error), newRequestId())
      }
    },
  }
}

function callOf(
  { text, url }: ReceivedRequest,
  pathParam: (name: string) => string,
  dependencies: Omit<ControlOptions, 'token'>,
) {
  return {
    ...dependencies,
    params: url.searchParams,
    pathParam,
    body: (): unknown => {
      try {
        return text === '' ? undefined : JSON.parse(text)
      } catch {
        throw ApiError.of(400, 'VA01', 'The body is not JSON')
      }
    },
  }
}

/** Shows causes, as only holders of the token come here. */
function toApiError(error: unknown) {
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

function isSame(one: string, other: string) {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(one), digest(other))
}
