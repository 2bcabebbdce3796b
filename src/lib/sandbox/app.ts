import { Hono } from 'hono'
import { ApiError } from './api-error.ts'
import { authenticate } from './auth.ts'
import type { Clock } from './clock.ts'
import {
  getReturn,
  getTransportation,
  listRefunds,
  listReturns,
  listTransportations,
  type ReadRequest,
} from './returns/reads.ts'
import type { Snapshot, Store } from './store/store.ts'

/** Where the platform's paths begin (spec §9). */
export const PREFIX = '/integration/v1'

export interface AppOptions {
  store: Pick<Store, 'read'>
  clock: Clock
  newRequestId(): string
}

type Read = (request: ReadRequest, returnId: string, partId: string) => object

/** Every path with what a GET of it answers. */
const READS: Readonly<Record<string, Read>> = {
  '/returns': listReturns,
  '/returns/:returnId': getReturn,
  '/returns/:returnId/transportations': listTransportations,
  '/returns/:returnId/transportations/:partId': getTransportation,
  '/returns/:returnId/refunds': listRefunds,
}

/** The platform as an HTTP application: routes, authentication, and the one place that writes errors. */
export function createApp({ store, clock, newRequestId }: AppOptions): {
  fetch(request: Request): Promise<Response>
} {
  type Env = { Variables: { requestId: string } }
  const app = new Hono<Env>()

  app.use(async (context, next) => {
    context.set('requestId', newRequestId())
    await next()
    context.res.headers.set('X-Request-Id', context.get('requestId'))
  })
  for (const [path, read] of Object.entries(READS)) {
    app.get(PREFIX + path, (context) => {
      const { req } = context
      const answer = (data: Snapshot): object => {
        const tokenShops = authenticate(req.raw.headers.get('Authorization'), data.secret, clock.now())
        const params = new URL(req.url).searchParams
        return read({ data, tokenShops, params }, req.param('returnId') ?? '', req.param('partId') ?? '')
      }
      return json(200, store.read(answer))
    })
    app.all(PREFIX + path, ({ req }) => {
      throw new ApiError(405, [{ code: 'MA01', message: `${req.method} is not allowed here` }], {
        Allow: 'GET, HEAD',
      })
    })
  }
  app.notFound(({ req, get }) =>
    failure(new ApiError(404, [{ code: 'NF01', message: `No such path: ${req.path}` }]), get('requestId')),
  )
  app.onError((error, { get }) => failure(error, get('requestId')))
  return { fetch: async (request) => app.fetch(request) }
}

/** An error as the service writes it (spec §7); of an unexpected one nothing is told. */
function failure(error: Error, requestId: string): Response {
  const known =
    error instanceof ApiError ? error : new ApiError(500, [{ code: 'IE01', message: 'Internal error' }])
  return json(known.status, { errors: known.errors, status: known.status, requestId }, known.headers)
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}
