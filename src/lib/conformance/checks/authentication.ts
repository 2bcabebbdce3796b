import { assumed, type Check, spec, writing } from '../check.ts'
import { each, must } from '../observed.ts'
import type { World } from '../platform-view.ts'
import { errorsOf, mustAnswer, type ProbedRequest, seen } from '../probe.ts'

const NONE = () => undefined
const NO_SUCH = 'conformance-no-such-id'

const READ_REQUESTS: readonly ProbedRequest[] = [
  { method: 'GET', path: '/returns' },
  { method: 'GET', path: `/returns/${NO_SUCH}` },
  { method: 'GET', path: `/returns/${NO_SUCH}/transportations` },
  { method: 'GET', path: `/returns/${NO_SUCH}/transportations/${NO_SUCH}` },
  { method: 'GET', path: `/returns/${NO_SUCH}/refunds` },
  { method: 'GET', path: '/shipping_labels', query: { client_shipment_id: NO_SUCH } },
  { method: 'POST', path: '/return_methods', body: {}, isRead: true },
  { method: 'POST', path: '/pudos', body: {}, isRead: true },
]

/** Incomplete requests: they change nothing even if they are let in. */
const WRITE_REQUESTS: readonly ProbedRequest[] = [
  { method: 'POST', path: '/shipping_labels', body: {} },
  { method: 'PUT', path: '/shipping_labels', body: {} },
  { method: 'POST', path: '/shipping_trackings', body: {} },
]

export const OPERATION_PATHS = new Set([...READ_REQUESTS, ...WRITE_REQUESTS].map(({ path }) => path))

async function allRefused(world: World, requests: readonly ProbedRequest[]): Promise<string> {
  const answers = []
  for (const request of requests) {
    answers.push({ request, answer: await world.send({ ...request, authorization: NONE }) })
  }
  return each(answers, 'operations', ({ request: { method, path }, answer }) =>
    answer.status === 401 ? undefined : `${seen(answer)} to ${method} ${path}`,
  )
}

const withHeader = (world: World, authorization: (token: string) => string | undefined) =>
  world.send({ method: 'GET', path: '/returns', query: { limit: 1 }, authorization })

/** Changed in the middle of its signature. */
function tampered(token: string): string {
  const start = token.lastIndexOf('.') + 1
  const middle = start + Math.floor((token.length - start) / 2)
  const other = token[middle] === 'A' ? 'B' : 'A'
  return `${token.slice(0, middle)}${other}${token.slice(middle + 1)}`
}

/** Spec §5. */
export const AUTHENTICATION_CHECKS: readonly Check[] = [
  spec('auth.token', '§5', 'The token is accepted', async (world) => mustAnswer(await world.returns(), 200)),
  spec('auth.no-token', '§5', 'Without a token every read is refused with 401', (world) =>
    allRefused(world, READ_REQUESTS),
  ),
  ...writing(
    spec('auth.no-token-writes', '§5', 'Without a token every write is refused with 401', (world) =>
      allRefused(world, WRITE_REQUESTS),
    ),
  ),
  spec('auth.garbage', '§5', 'A token that is none is refused with 401', async (world) =>
    mustAnswer(await withHeader(world, () => 'Bearer not-a-token'), 401),
  ),
  spec('auth.signature', '§5', 'A token with a wrong signature is refused with 401', async (world) =>
    mustAnswer(await withHeader(world, (token) => `Bearer ${tampered(token)}`), 401),
  ),
  spec('auth.scheme', '§5', 'The token in another scheme than Bearer is refused with 401', async (world) =>
    mustAnswer(await withHeader(world, (token) => `Basic ${token}`), 401),
  ),
  assumed('auth.codes', '§7', 'A missing token is AU01, an invalid one AU02', async (world) => {
    const none = await withHeader(world, NONE)
    const bad = await withHeader(world, () => 'Bearer not-a-token')
    const [first, second] = [none, bad].map(({ body }) => errorsOf(body)[0]?.code ?? 'no code')
    must(first === 'AU01' && second === 'AU02', `${first} without a token, ${second} for an invalid one`)
    return `${first}, ${second}`
  }),
  assumed('auth.challenge', '§5', 'A 401 says WWW-Authenticate: Bearer', async (world) => {
    const challenge = (await withHeader(world, NONE)).headers['www-authenticate']
    must(/^Bearer\b/i.test(challenge ?? ''), challenge ?? 'no such header')
    return challenge ?? ''
  }),
]
