import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError, type ErrorKind } from '../../errors.ts'
import { ApiError, json, type Reply, refusal } from '../http/answers.ts'
import { CONTROL_PREFIX } from '../http/gate.ts'
import { type ReceivedRequest, urlOf } from '../http/received-request.ts'
import { Routes } from '../http/routes.ts'
import {
  CONTROL_OPERATIONS,
  type ControlCall,
  type Controlled,
  refused,
  type ServerFacts,
} from './operations.ts'

export interface ControlOptions extends Controlled {
  /** Bearer token; those of shops are not taken. */
  token: string
  server: ServerFacts
  newRequestId(): string
}

/** For what watches over a server, which has no token. The headers of each answer are read from the data. */
const HEALTH_PATH = `${CONTROL_PREFIX}/health`

export function createControl({ token, newRequestId, ...surroundings }: ControlOptions): {
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
  surroundings: Omit<ControlOptions, 'token' | 'newRequestId'>,
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

/** The token's holder may know the cause: its message is told here too. */
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
