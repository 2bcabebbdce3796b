import { LABEL_FILES } from '../labels/sets.ts'
import { RETURN_OPERATIONS } from '../returns/reads.ts'
import { ApiError, json, newRequestId, Reply, refusal } from './answers.ts'
import { authenticate } from './auth.ts'
import { type Call, type Operation, type Platform, Routes } from './platform.ts'
import { invalid, type ReceivedRequest } from './received-request.ts'

export const PREFIX = '/integration/v1'

export const OPERATIONS: readonly Operation[] = [
  ...RETURN_OPERATIONS,
  // Loaded at first use, since zod and the points are large.
  lazy('GET', '/shipping_labels', async () => (await import('../labels/operations.ts')).getLabels),
  lazy('POST', '/shipping_labels', async () => (await import('../labels/operations.ts')).createLabels),
  lazy('PUT', '/shipping_labels', async () => (await import('../labels/operations.ts')).updateLabels),
  lazy('POST', '/shipping_trackings', async () => (await import('../tracking/operations.ts')).postTracking),
  lazy('POST', '/return_methods', async () => (await import('../methods/calculate.ts')).returnMethods),
  lazy('POST', '/pudos', async () => (await import('../pudos/search.ts')).answerPudoSearch),
]

function lazy(
  method: Operation['method'],
  path: string,
  load: () => Promise<Operation['answer']>,
): Operation {
  return { method, path, answer: async (call) => (await load())(call) }
}

interface AppOptions extends Platform {
  dataHeaders(): Readonly<Record<string, string>>
}

export function createApp({ dataHeaders, ...platform }: AppOptions) {
  const routes = new Routes()
  for (const { method, path, answer } of OPERATIONS) {
    routes.add(method, PREFIX + path, async (request, pathParam) =>
      json(200, await answer(callOf(request, pathParam, platform))),
    )
  }
  routes.add('GET', `${LABEL_FILES}/:file`, (_request, pathParam) => labelFile(pathParam('file'), platform))
  routes.add('GET', '/openapi.json', async ({ url }) => {
    const { openApiDocument } = await import('../openapi/document.ts')
    return json(200, openApiDocument(url.origin + PREFIX))
  })
  routes.add('GET', '/', async ({ url }) => {
    const { openApiPage } = await import('../openapi/page.ts')
    return new Reply(openApiPage(url.origin + PREFIX), 200, PAGE_HEADERS)
  })
  return {
    fetch: async (request: ReceivedRequest) => {
      const requestId = newRequestId()
      const reply = await routes.answer(request).catch((error: unknown) => refusal(error, requestId))
      reply.headers.set('x-request-id', requestId)
      reply.addHeaders(dataHeaders())
      return reply
    },
  }
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=UTF-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const MEDIA_TYPES = { PDF: 'application/pdf', ZPL: 'application/zpl', PNG: 'image/png' } as const

function labelFile(file: string, { store }: Platform) {
  const [key = '', extension] = file.split('.')
  const label = store.read((data) => data.servedLabel(key))
  if (label === undefined || label.format.toLowerCase() !== extension) {
    throw ApiError.of(404, 'NF01', `No such path: ${LABEL_FILES}/${file}`)
  }
  return new Reply(Buffer.from(label.document), 200, {
    'content-type': MEDIA_TYPES[label.format],
    'x-content-type-options': 'nosniff',
  })
}

function callOf(
  { headers, text, url }: ReceivedRequest,
  pathParam: Call['pathParam'],
  platform: Platform,
): Call {
  const now = platform.clock.now()
  return {
    platform,
    tokenShops: authenticate(headers.get('Authorization'), platform.store.meta.secret, now),
    url,
    pathParam,
    // Spec §1. A missing type is accepted.
    body: () => {
      const isJson = /^\s*(?:application\/json\s*(?:;.*)?)?$/i.test(headers.get('Content-Type') ?? '')
      if (!isJson) throw invalid(['Content-Type: must be application/json'])
      return text
    },
    now,
  }
}
