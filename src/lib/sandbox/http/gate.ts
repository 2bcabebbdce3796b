import type { StoredFaults } from '../faults/faults.ts'
import { ApiError, type Reply, refusal } from './answers.ts'
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

export interface GateOptions {
  app(request: ReceivedRequest): Promise<Reply>
  /** The control interface: not logged, limited or hit by faults. */
  control(request: ReceivedRequest): Promise<Reply>
  faults: StoredFaults
  log: RequestLog
  limiter?: RateLimiter | undefined
  /** Wall time of the log and of `Retry-After` dates. */
  clock: Clock
  newRequestId(): string
  marks(): Readonly<Record<string, string>>
  prefix: string
}

export const CONTROL_PREFIX = '/__sandbox'

interface Course {
  requestId: string | null
  faultId: string | null
  log(): void
}

/** Stands between the wire and the platform: log, size of bodies, rate limit, faults, in this order. */
export function createGate(options: GateOptions): Handler {
  const { control, newRequestId } = options
  const marked = (reply: Reply | undefined) => {
    reply?.mark(options.marks)
    return reply
  }
  const markedRefusal = (error: unknown, requestId: string) => {
    const reply = refusal(error, requestId)
    try {
      return marked(reply)
    } catch (cause) {
      const message = `The sandbox can't read its data: ${cause instanceof Error ? cause.message : cause}`
      return reply.status === 413 ? reply : refusal(ApiError.of(500, 'IE01', message), requestId)
    }
  }
  return async (head, exchange) => {
    const path = pathOf(exchange.incoming.url ?? '/', options.prefix)
    const isControl = path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`)
    const course = isControl ? undefined : follow(exchange, path, options)
    const { method } = exchange.incoming
    try {
      const body = method === 'GET' || method === 'HEAD' ? '' : await readBody(exchange.incoming)
      if (body === undefined) return undefined
      const request = { ...head, text: async () => body }
      return marked(
        course === undefined
          ? await control(request)
          : await answer(request, exchange, path, course, options),
      )
    } catch (error) {
      const requestId = newRequestId()
      if (course !== undefined) course.requestId = requestId
      const reply = markedRefusal(error, requestId)
      if (reply?.status !== 413) return reply
      answerEarly(reply, exchange)
      return undefined
    }
  }
}

async function answer(
  request: ReceivedRequest,
  exchange: ServerExchange,
  path: string,
  course: Course,
  { app, clock, faults, limiter, newRequestId }: GateOptions,
): Promise<Reply | undefined> {
  const named = (reply: Reply) => {
    course.requestId = reply.headers.get('X-Request-Id')
    return reply
  }
  const { headers, method = 'GET' } = exchange.incoming
  const verdict = limiter?.take(headers.authorization ?? '', performance.now())
  const limits = limiter && verdict ? rateLimitHeaders(limiter.rate, verdict) : undefined
  if (verdict?.isAllowed === false) {
    const message = `More than ${limiter?.rate.limit} requests in ${(limiter?.rate.windowMs ?? 0) / 1000} s`
    return named(refusal(ApiError.of(429, 'RL01', message, limits), newRequestId()))
  }
  const commit = async () => {
    const reply = named(await app(request))
    for (const name in limits) reply.headers.set(name, limits[name] ?? '')
    return reply
  }
  // To wait for nothing would be another turn of the queue.
  const counted = faults.next(method, path)
  const hit = counted && (await counted)
  if (hit === undefined) return commit()
  course.faultId = hit.fault.id
  const { inflict } = await import('../faults/apply-fault.ts')
  const reply = await inflict({
    hit,
    exchange,
    commit,
    requestId: newRequestId(),
    now: clock.now(),
    onSilence: () => course.log(),
  })
  return reply && named(reply)
}

/** Logs a request when its answer has ended, or before, when it is known that there will be none. */
function follow({ incoming, outgoing }: ServerExchange, path: string, { clock, log }: GateOptions): Course {
  const began = clock.now()
  const started = performance.now()
  const { socket, method = 'GET' } = incoming
  const sentBefore = socket.bytesWritten
  let isLogged = false
  const course: Course = {
    requestId: null,
    faultId: null,
    log: () => {
      if (isLogged) return
      isLogged = true
      const isAnswered = outgoing.headersSent
      log.add({
        time: began,
        method,
        path,
        status: isAnswered ? outgoing.statusCode : null,
        durationMs: Math.round((performance.now() - started) * 1000) / 1000,
        requestId: course.requestId,
        faultId: course.faultId,
        bytes: socket.bytesWritten - sentBefore,
      })
    },
  }
  outgoing.once('close', course.log)
  return course
}

/** Path without query and API prefix; also of a proxy's form, a whole URL. */
function pathOf(url: string, prefix: string): string {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  const end = target.search(/[?#]/)
  const path = end === -1 ? target : target.slice(0, end)
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}
