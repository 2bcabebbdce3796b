import { messageOf } from '../../errors.ts'
import type { StoredFaults } from '../faults/faults.ts'
import { ApiError, newRequestId, type Reply, refusal } from './answers.ts'
import { PREFIX } from './app.ts'
import type { Clock } from './platform.ts'
import { type RateLimiter, rateLimitHeaders } from './rate-limit.ts'
import {
  answerEarly,
  type Handler,
  type ReceivedRequest,
  readBody,
  type ServerExchange,
} from './received-request.ts'
import type { RequestLog } from './request-log.ts'

export interface MiddlewareOptions {
  app(request: ReceivedRequest): Promise<Reply>
  control(request: ReceivedRequest): Promise<Reply>
  faults: StoredFaults
  log: RequestLog
  limiter?: RateLimiter
  clock: Clock
  dataHeaders(): Readonly<Record<string, string>>
}

export const CONTROL_PREFIX = '/__sandbox'

interface PendingLog {
  path: string
  requestId: string | null
  faultId: string | null
  log(): void
}

/** Middleware, in this order: log, size of bodies, rate limit, faults. */
export function createMiddleware(options: MiddlewareOptions): Handler {
  return async (head, exchange) => {
    const { method } = exchange.incoming
    const { pathname } = head.url
    const path = pathname.startsWith(`${PREFIX}/`) ? pathname.slice(PREFIX.length) : pathname
    const isControl = path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`)
    const pending = isControl ? undefined : startLog(exchange, path, options)
    try {
      const body = method === 'GET' || method === 'HEAD' ? '' : await readBody(exchange.incoming)
      if (body === undefined) return undefined
      const request = { ...head, text: body }
      const reply = pending
        ? await answer(request, exchange, pending, options)
        : await options.control(request)
      reply?.addHeaders(options.dataHeaders())
      return reply
    } catch (error) {
      const requestId = newRequestId()
      if (pending) pending.requestId = requestId
      const reply = refusalWithHeaders(error, requestId, options)
      if (reply.status !== 413) return reply
      answerEarly(reply, exchange)
      return undefined
    }
  }
}

function refusalWithHeaders(error: unknown, requestId: string, { dataHeaders }: MiddlewareOptions) {
  const reply = refusal(error, requestId)
  try {
    reply.addHeaders(dataHeaders())
  } catch (cause) {
    const message = `The sandbox can't read its data: ${messageOf(cause)}`
    if (reply.status !== 413) return refusal(ApiError.of(500, 'IE01', message), requestId)
  }
  return reply
}

async function answer(
  request: ReceivedRequest,
  exchange: ServerExchange,
  pending: PendingLog,
  { app, clock, faults, limiter }: MiddlewareOptions,
) {
  const named = (reply: Reply) => {
    pending.requestId = reply.headers.get('x-request-id') ?? null
    return reply
  }
  const { headers, method = 'GET' } = exchange.incoming
  const admission = limiter?.take(headers.authorization ?? '', performance.now())
  const limits = limiter && admission ? rateLimitHeaders(limiter.rate, admission) : {}
  if (admission?.isAllowed === false) {
    const message = `More than ${limiter?.rate.limit} requests in ${(limiter?.rate.windowMs ?? 0) / 1000} s`
    return named(refusal(ApiError.of(429, 'RL01', message, limits), newRequestId()))
  }
  const commit = async () => {
    const reply = named(await app(request))
    for (const [name, value] of Object.entries(limits)) reply.headers.set(name, value)
    return reply
  }
  const hit = await faults.hitFor(method, pending.path)
  if (hit === undefined) return commit()
  pending.faultId = hit.fault.id
  const { applyFault } = await import('../faults/apply-fault.ts')
  const [requestId, now] = [newRequestId(), clock.now()]
  const reply = await applyFault({ hit, exchange, commit, requestId, now, onNoAnswer: pending.log })
  return reply && named(reply)
}

/** Logs a request when its answer has ended, or once there will be none. */
function startLog({ incoming, outgoing }: ServerExchange, path: string, { clock, log }: MiddlewareOptions) {
  const [time, started] = [clock.now(), performance.now()]
  const { socket, method = 'GET' } = incoming
  const sentBefore = socket.bytesWritten
  let isLogged = false
  const pending: PendingLog = {
    path,
    requestId: null,
    faultId: null,
    log: () => {
      if (isLogged) return
      isLogged = true
      log.add({
        time,
        method,
        path,
        status: outgoing.headersSent ? outgoing.statusCode : null,
        durationMs: Math.round((performance.now() - started) * 1000) / 1000,
        requestId: pending.requestId,
        faultId: pending.faultId,
        bytes: socket.bytesWritten - sentBefore,
      })
    },
  }
  outgoing.once('close', pending.log)
  return pending
}
