import { type Context, Hono } from 'hono'
import { LABEL_OPERATIONS } from '../labels/operations.ts'
import { LABEL_FILES } from '../labels/sets.ts'
import { METHOD_OPERATIONS } from '../methods/operations.ts'
import { PUDO_OPERATIONS } from '../pudos/operations.ts'
import { RETURN_OPERATIONS } from '../returns/reads.ts'
import { TRACKING_OPERATIONS } from '../tracking/operations.ts'
import { failure, json } from './answers.ts'
import { ApiError } from './api-error.ts'
import { authenticate } from './auth.ts'
import type { Call, Operation, Platform } from './operation.ts'

/** Where the platform's paths begin (spec §9). */
export const PREFIX = '/integration/v1'

export const OPERATIONS: readonly Operation[] = [
  ...RETURN_OPERATIONS,
  ...LABEL_OPERATIONS,
  ...TRACKING_OPERATIONS,
  ...METHOD_OPERATIONS,
  ...PUDO_OPERATIONS,
]

export interface AppOptions extends Platform {
  newRequestId(): string
  marks(): Readonly<Record<string, string>>
}

type Env = { Variables: { requestId: string } }

export function createApp({ newRequestId, marks, ...platform }: AppOptions): {
  fetch(request: Request): Promise<Response>
} {
  const app = new Hono<Env>()

  app.use(async (context, next) => {
    context.set('requestId', newRequestId())
    await next()
    context.res.headers.set('X-Request-Id', context.get('requestId'))
    for (const [name, value] of Object.entries(marks())) context.res.headers.set(name, value)
  })
  for (const { method, path, answer } of OPERATIONS) {
    app.on(method, PREFIX + path, async (context) => json(200, await answer(callOf(context, platform))))
  }
  for (const [path, methods] of allowedMethods()) {
    app.all(PREFIX + path, ({ req }) => notAllowed(req.method, methods.join(', ')))
  }
  app.get(`${LABEL_FILES}/:file`, (context) => {
    const [key = '', extension] = context.req.param('file').split('.')
    const label = platform.store.read((data) => data.servedLabel(key))
    if (label === undefined || label.format.toLowerCase() !== extension) return context.notFound()
    return new Response(Buffer.from(label.document), {
      headers: { 'Content-Type': MEDIA_TYPES[label.format], 'X-Content-Type-Options': 'nosniff' },
    })
  })
  app.all(`${LABEL_FILES}/:file`, ({ req }) => notAllowed(req.method, 'GET, HEAD'))
  app.get('/openapi.json', async ({ req }) => {
    const { openApiDocument } = await import('../openapi/document.ts')
    return json(200, openApiDocument(new URL(req.url).origin + PREFIX))
  })
  app.get('/', async (context) => {
    const [{ openApiDocument }, { openApiPage }] = await Promise.all([
      import('../openapi/document.ts'),
      import('../openapi/page.ts'),
    ])
    const page = openApiPage(openApiDocument(new URL(context.req.url).origin + PREFIX))
    return context.html(page, 200, PAGE_HEADERS)
  })
  for (const path of ['/', '/openapi.json']) app.all(path, ({ req }) => notAllowed(req.method, 'GET, HEAD'))
  app.notFound(({ req, get }) =>
    failure(ApiError.of(404, 'NF01', `No such path: ${req.path}`), get('requestId')),
  )
  app.onError((error, { get }) => failure(error, get('requestId')))
  return { fetch: async (request) => app.fetch(request) }
}

const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

const MEDIA_TYPES = { PDF: 'application/pdf', ZPL: 'application/zpl', PNG: 'image/png' } as const

function callOf({ req }: Context<Env>, platform: Platform): Call {
  const now = platform.clock.now()
  const url = new URL(req.url)
  return {
    platform,
    tokenShops: authenticate(req.raw.headers.get('Authorization'), platform.store.secret, now),
    params: url.searchParams,
    part: (name) => req.param(name) ?? '',
    body: () => req.text(),
    origin: url.origin,
    now,
  }
}

function allowedMethods(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of OPERATIONS) {
    const known = methods.get(path) ?? []
    methods.set(path, [...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
  return methods
}

function notAllowed(method: string, allow: string): never {
  throw ApiError.of(405, 'MA01', `${method} is not allowed here`, { Allow: allow })
}
