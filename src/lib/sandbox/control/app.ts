import { createHash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { AppError, type ErrorDetail, type ErrorKind } from '../../errors.ts'
import type { Decision, SandboxActions } from '../actions/sandbox-actions.ts'
import { SHOPS } from '../demo/catalogue.ts'
import { readFault, readFaults } from '../faults/fault.ts'
import type { StoredFaults } from '../faults/faults.ts'
import { ApiError, json, newRequestId, type Reply, refusal } from '../http/answers.ts'
import { CONTROL_PREFIX } from '../http/gate.ts'
import type { Platform } from '../http/platform.ts'
import { Routes } from '../http/platform.ts'
import { type ReceivedRequest, urlOf } from '../http/received-request.ts'
import { type RequestLog, STATUS_FILTER } from '../http/request-log.ts'
import { DECISIONS } from '../returns/lifecycle.ts'
import type { PlayedStep } from '../scenarios/play.ts'
import { checkNewReturn } from '../scenarios/scenario.ts'

export interface Controlled {
  platform: Platform
  world: SandboxActions
  faults: StoredFaults
  log: RequestLog
  issueToken(wanted: { shops?: readonly string[] | undefined; lifetimeSeconds?: number | undefined }): string
  reset(wanted: { seed?: number | undefined; returns?: number | undefined }): Promise<void>
  play(scenario: unknown): Promise<PlayedStep[]>
}

interface ControlCall extends Controlled {
  params: URLSearchParams
  part(name: string): string
  /** Returns undefined if there is no body. */
  body(): Promise<unknown>
  server: ServerFacts
}

interface ServerFacts {
  startedAt: string
  rateLimit?: string | undefined
}

interface ControlOperation {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  path: string
  answer(call: ControlCall): object | Promise<object>
}

function valid<T>(read: z.ZodSafeParseResult<T>): T {
  if (read.success) return read.data
  throw invalidInput(read.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}

const invalidInput = (problems: readonly ErrorDetail[]) => refused(400, 'VA01', problems)

function refused(status: ApiError['status'], code: string, problems: readonly ErrorDetail[]): ApiError {
  const message = ({ path, message: says }: ErrorDetail) => `${path || 'The body'} ${says}`
  return new ApiError(
    status,
    problems.map((one) => ({ code, message: message(one) })),
  )
}

const SERVER_OPERATIONS: readonly ControlOperation[] = [
  {
    method: 'GET',
    path: '/status',
    answer: ({ platform, server, faults, log }) => ({
      ...server,
      now: new Date(platform.clock.now()).toISOString(),
      shops: SHOPS.map(({ code }) => code),
      requests: log.total,
      faults: faults.list().length,
    }),
  },
  {
    method: 'GET',
    path: '/requests',
    answer: ({ log, params }) => {
      const { last, after, ...filter } = valid(filterSchema.safeParse(Object.fromEntries(params)))
      return { requests: log.read({ last, after, ...filter }), total: log.total }
    },
  },
  {
    method: 'POST',
    path: '/tokens',
    answer: async ({ body, issueToken }) => ({
      token: issueToken(valid(tokenSchema.safeParse((await body()) ?? {}))),
    }),
  },
  {
    method: 'POST',
    path: '/reset',
    answer: async ({ body, reset }) => {
      await reset(valid(resetSchema.safeParse((await body()) ?? {})))
      return { reset: true }
    },
  },
]

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const filterSchema = z.strictObject({
  last: count.optional(),
  after: count.optional(),
  status: z.string().regex(STATUS_FILTER, 'must look like 404, 5xx or none').optional(),
  route: z
    .string()
    .regex(/^\S+ \S+$/, 'must be a method or *, a space and a path')
    .optional(),
})

const tokenSchema = z.strictObject({
  shops: z.array(z.string()).optional(),
  lifetimeSeconds: z.int('must be a whole number').min(1, 'must be 1 at least').optional(),
})

const resetSchema = z.strictObject({ seed: z.number().optional(), returns: z.number().optional() })

const FAULT_OPERATIONS: readonly ControlOperation[] = [
  { method: 'GET', path: '/faults', answer: ({ faults }) => ({ faults: faults.list() }) },
  {
    method: 'PUT',
    path: '/faults',
    answer: async ({ body, faults }) => {
      const read = readFaults(await body())
      if ('problems' in read) throw invalidInput(read.problems)
      return { faults: await faults.set(read.faults) }
    },
  },
  {
    method: 'POST',
    path: '/faults',
    answer: async ({ body, faults }) => {
      const read = readFault(await body())
      if ('problems' in read) throw invalidInput(read.problems)
      return faults.add(read.fault)
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    answer: async ({ faults }) => {
      await faults.clear()
      return { faults: [] }
    },
  },
  {
    method: 'DELETE',
    path: '/faults/:faultId',
    answer: async ({ faults, part }) => {
      await faults.remove(part('faultId'))
      return { faults: faults.list() }
    },
  },
]

const advanceSchema = z.strictObject({
  seconds: z.int('must be a whole number').min(1, 'must be 1 at least'),
})

const WORLD_OPERATIONS: readonly ControlOperation[] = [
  {
    method: 'POST',
    path: '/advance',
    answer: async ({ body, world }) =>
      world.advance(valid(advanceSchema.safeParse((await body()) ?? {})).seconds),
  },
  {
    method: 'POST',
    path: '/returns',
    answer: async ({ body, world }) => world.createReturn(checkNewReturn(await body())),
  },
  ...(Object.keys(DECISIONS) as Decision[]).map(
    (decision): ControlOperation => ({
      method: 'POST',
      path: `/returns/:returnRef/${decision}`,
      answer: ({ part, world }) => world.decide(decision, part('returnRef')),
    }),
  ),
  {
    method: 'POST',
    path: '/refunds/:refundId/execute',
    answer: ({ part, world }) => world.executeRefund(part('refundId')),
  },
  {
    method: 'POST',
    path: '/play',
    answer: async ({ body, play }) => {
      const steps = await play(await body())
      return { passed: steps.every(({ outcome }) => outcome === 'done'), steps }
    },
  },
]

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  ...SERVER_OPERATIONS,
  ...FAULT_OPERATIONS,
  ...WORLD_OPERATIONS,
]

interface ControlOptions extends Controlled {
  token: string
  server: ServerFacts
}

/** Monitoring has no token. The headers of each answer are read from the data. */
const HEALTH_PATH = `${CONTROL_PREFIX}/health`

export function createControl({ token, ...surroundings }: ControlOptions): {
  fetch(request: ReceivedRequest): Promise<Reply>
} {
  const routes = new Routes()
  for (const { method, path, answer } of CONTROL_OPERATIONS) {
    routes.add(method, CONTROL_PREFIX + path, async (request, part) =>
      json(200, await answer(callOf(request, part, surroundings))),
    )
  }
  routes.add('GET', HEALTH_PATH, () => json(200, { status: 'ok' }))
  return {
    fetch: async (request) => {
      try {
        const isOpen = urlOf(request).pathname === HEALTH_PATH
        if (!isOpen && !isSame(request.headers.get('Authorization') ?? '', `Bearer ${token}`)) {
          throw ApiError.of(401, 'CT01', 'Not the token of the control interface', {
            'WWW-Authenticate': 'Bearer',
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
  request: ReceivedRequest,
  part: ControlCall['part'],
  surroundings: Omit<ControlOptions, 'token'>,
): ControlCall {
  return {
    ...surroundings,
    params: urlOf(request).searchParams,
    part,
    body: async () => {
      const text = await request.text()
      try {
        return text === '' ? undefined : JSON.parse(text)
      } catch {
        throw ApiError.of(400, 'VA01', 'The body is not JSON')
      }
    },
  }
}

/** The token's holder may know the cause. */
function toApiError(error: unknown): unknown {
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
