import { at } from '../../wire/raw.ts'
import { all, answers, type CheckedPlatform, type CheckRun, once, type Runs } from '../check.ts'
import {
  each,
  get,
  must,
  mustBe,
  mustHaveErrors,
  type ProbedRequest,
  seen,
  toLabels,
  toLabelUpdate,
  toMethods,
  toPudos,
  toTracking,
} from '../expect.ts'

const NO_SUCH = 'conformance-no-such-id'

const READS: readonly ProbedRequest[] = [
  get('/returns'),
  get(`/returns/${NO_SUCH}`),
  get(`/returns/${NO_SUCH}/transportations`),
  get(`/returns/${NO_SUCH}/transportations/${NO_SUCH}`),
  get(`/returns/${NO_SUCH}/refunds`),
  get('/shipping_labels', { client_shipment_id: NO_SUCH }),
  toMethods({}),
  toPudos({}),
]

/** Incomplete, so that they change nothing even if the platform accepts them. */
const WRITES: readonly ProbedRequest[] = [toLabels({}), toLabelUpdate({}), toTracking({})]

async function answered(platform: CheckedPlatform, requests: readonly ProbedRequest[]) {
  const found = []
  for (const request of requests)
    found.push({ to: `${request.method} ${request.path}`, answer: await platform.send(request) })
  return found
}

const refusedAll =
  (requests: readonly ProbedRequest[]): CheckRun =>
  async (platform) => {
    const found = await answered(
      platform,
      requests.map((request) => ({ ...request, authorization: () => undefined })),
    )
    return each(found, 'operations', ({ to, answer }) => answer.status !== 401 && seen(answer, to))
  }

const listedWith = (authorization: (token: string) => string | undefined): ProbedRequest => ({
  ...get('/returns', { limit: 1 }),
  authorization,
})
const NO_TOKEN = listedWith(() => undefined)

const encoded = (text: string) => Buffer.from(text).toString('base64url')

const FORGERIES: Record<string, (parts: string[], token: string) => string> = {
  garbage: () => 'Bearer not-a-token',
  empty: () => 'Bearer ',
  signature: ([header, payload, signature = '']) => {
    // The last character may hold unused bits.
    const middle = Math.floor(signature.length / 2)
    const other = signature[middle] === 'A' ? 'B' : 'A'
    return `Bearer ${header}.${payload}.${signature.slice(0, middle)}${other}${signature.slice(middle + 1)}`
  },
  payload: ([header, payload = '', signature]) => {
    const claims = Buffer.from(payload, 'base64url').toString()
    return `Bearer ${header}.${encoded(claims.replace('{', '{"conformance":true,'))}.${signature}`
  },
  unsigned: ([, payload]) => `Bearer ${encoded('{"alg":"none","typ":"JWT"}')}.${payload}.`,
  scheme: (_, token) => `Basic ${token}`,
}

const several = once((platform) =>
  answered(platform, [
    get('/returns'),
    get('/returns', { limit: 501 }),
    NO_TOKEN,
    get(`/returns/${NO_SUCH}`),
    get('/conformance-no-such-path'),
    get('/return_methods'),
  ]),
)

const refusals = async (platform: CheckedPlatform) =>
  (await several(platform)).filter(({ answer }) => answer.status >= 400)

/** Spec §5, §7. */
export const ACCESS_CHECKS: Runs = {
  'auth.token': async (platform) => mustBe(await platform.returns(), '200'),
  'auth.no-token': refusedAll(READS),
  'auth.no-token-writes': refusedAll(WRITES),
  ...Object.fromEntries(
    Object.entries(FORGERIES).map(([id, forge]) => [
      `auth.${id}`,
      answers(
        listedWith((token) => forge(token.split('.'), token)),
        '401',
      ),
    ]),
  ),
  'auth.codes': async (platform) => {
    const missing = await answers(NO_TOKEN, '401 AU01')(platform)
    const garbage = listedWith(() => 'Bearer not-a-token')
    return `${missing}, ${await answers(garbage, '401 AU02')(platform)}`
  },
  'auth.challenge': async (platform) => {
    const challenge = (await platform.send(NO_TOKEN)).headers['www-authenticate'] ?? 'no such header'
    return must(/^Bearer\b/i.test(challenge), challenge)
  },
  'errors.content-type': all(several, 'answers', ({ to, answer }) => {
    const type = answer.headers['content-type'] ?? 'no content type'
    return !/^application\/json\s*(;|$)/i.test(type) && `${type} in the answer to ${to}`
  }),
  'errors.form': async (platform) => {
    const words = (await refusals(platform)).map(({ to, answer }) => mustHaveErrors(answer, to))
    return `${words.length} refusals`
  },
  'errors.status': all(refusals, 'refusals', ({ to, answer: { status, body } }) => {
    const inBody = JSON.stringify(at(body, 'status'))
    return inBody !== `${status}` && `HTTP ${status} to ${to} says status ${inBody}`
  }),
  'errors.request-id': async (platform) => {
    const before = new Set()
    return each(await refusals(platform), 'refusals', ({ to, answer: { headers, body } }) => {
      const [header, inBody] = [headers['x-request-id'], at(body, 'requestId')]
      const isOwn = header && header === inBody && before.size < before.add(header).size
      return !isOwn && `${header} and ${inBody} in the answer to ${to}`
    })
  },
  'errors.methods': async (platform) => {
    const paths = new Set([...READS, ...WRITES].map(({ path }) => path))
    const found = await answered(
      platform,
      [...paths].map((path) => ({ method: 'PATCH', path, body: {} })),
    )
    return each(
      found,
      'paths',
      ({ to, answer }) =>
        (answer.status !== 405 || !answer.headers.allow) &&
        `${seen(answer, to)}, Allow ${answer.headers.allow}`,
    )
  },
}
