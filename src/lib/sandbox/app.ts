import { Hono } from 'hono'
import { ApiError } from './api-error.ts'
import { authenticate } from './auth.ts'
import type { Clock } from './clock.ts'
import { createLabels, getLabels, LABEL_FILES, type LabelCall, updateLabels } from './labels/operations.ts'
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
  store: Pick<Store, 'read' | 'write'>
  clock: Clock
  newRequestId(): string
  /** Part of an address that nobody can guess. */
  newKey(): string
  sleep(ms: number): Promise<void>
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
export function createApp({ store, clock, newRequestId, newKey, sleep }: AppOptions): {
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
    app.all(PREFIX + path, ({ req }) => notAllowed(req.method, 'GET, HEAD'))
  }

  const labelCall = (request: Request): LabelCall => {
    const secret = store.read((data) => data.secret)
    const tokenShops = authenticate(request.headers.get('Authorization'), secret, clock.now())
    return { store, tokenShops, origin: new URL(request.url).origin, now: clock.now(), newKey, sleep }
  }
  const labels = `${PREFIX}/shipping_labels`
  app.get(labels, ({ req }) => json(200, getLabels(labelCall(req.raw), new URL(req.url).searchParams)))
  app.post(labels, async ({ req }) => json(200, await createLabels(labelCall(req.raw), await req.text())))
  app.put(labels, async ({ req }) => json(200, await updateLabels(labelCall(req.raw), await req.text())))
  app.all(labels, ({ req }) => notAllowed(req.method, 'GET, HEAD, POST, PUT'))
  app.get(`${LABEL_FILES}/:file`, (context) => {
    const [key = '', extension] = context.req.param('file').split('.')
    const label = store.read((data) => data.servedLabel(key))
    if (label === undefined || label.format.toLowerCase() !== extension) return context.notFound()
    return new Response(Buffer.from(label.document), {
      headers: { 'Content-Type': MEDIA_TYPES[label.format] },
    })
  })
  app.all(`${LABEL_FILES}/:file`, ({ req }) => notAllowed(req.method, 'GET, HEAD'))
  app.notFound(({ req, get }) =>
    failure(new ApiError(404, [{ code: 'NF01', message: `No such path: ${req.path}` }]), get('requestId')),
  )
  app.onError((error, { get }) => failure(error, get('requestId')))
  return { fetch: async (request) => app.fetch(request) }
}

const MEDIA_TYPES = { PDF: 'application/pdf', ZPL: 'application/zpl', PNG: 'image/png' } as const

function notAllowed(method: string, allow: string): never {
  throw new ApiError(405, [{ code: 'MA01', message: `${method} is not allowed here` }], { Allow: allow })
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
