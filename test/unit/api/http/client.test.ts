import net from 'node:net'
import { expect, it } from 'vitest'
import type { Exchange, HttpRequest } from '../../../../src/lib/api/http/request.ts'
import type { ErrorKind } from '../../../../src/lib/errors.ts'
import { stringifyJson } from '../../../../src/lib/wire/json.ts'
import { fixture } from '../../../helpers/fixture.ts'
import { expectRejection, failureOf } from '../../../helpers/rejections.ts'
import { type Answer, listening, scriptServer } from '../../../helpers/script-server.ts'
import { testHttp } from '../../../helpers/test-http.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

type RetryInfo = Parameters<NonNullable<HttpOptions['onRetry']>>[0]

type HttpOptions = NonNullable<Parameters<typeof testHttp>[1]>

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'

function client(baseUrl: string, options: HttpOptions = {}) {
  const waits: number[] = []
  const retries: RetryInfo[] = []
  const exchanges: Exchange[] = []
  const http = testHttp(baseUrl, {
    token: TOKEN,
    retries: 2,
    random: () => 0.5,
    sleep: async (ms) => void waits.push(ms),
    now: () => waits.reduce((sum, ms) => sum + ms, Date.parse('2026-03-01T10:00:00Z')),
    onRetry: (info) => retries.push(info),
    observers: [{ finished: (exchange) => exchanges.push(exchange) }],
    ...options,
  })
  return { http, waits, retries, exchanges }
}

/** A client of a server with a script, and the requests that the server got. */
async function against(script: Parameters<typeof scriptServer>[0], options?: HttpOptions) {
  const { baseUrl, requests } = await scriptServer(script)
  return { ...client(baseUrl, options), requests }
}

const read: HttpRequest = { method: 'GET', path: '/returns' }
const write: HttpRequest = { method: 'POST', path: '/shipping_trackings', body: { shipmentId: 'R#-1' } }

it('an answer’s bytes that are not UTF-8 are read as replacement characters, and a byte-order mark as nothing', async () => {
  const bytes = Buffer.concat([Buffer.from('\ufeff'), Buffer.from('["\xe9"]', 'latin1')])
  const { http } = await against([{ body: bytes }])
  const { body } = await http.request(read)
  expect(body).toEqual(['\ufffd'])
})

it('a request carries the token, the user agent and only the query values that are there', async () => {
  const server = await scriptServer([{ body: { ok: true }, headers: { 'x-request-id': 'r1' } }])
  const { http } = client(`${server.baseUrl}/integration/v1/`)
  const query = { name: 'R#-1 & co', limit: 5, page: undefined }
  const answer = await http.request({ method: 'GET', path: '/returns', query })
  expect(answer).toMatchObject({ status: 200, body: { ok: true }, requestId: 'r1' })
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    path: '/integration/v1/returns',
    headers: { authorization: `Bearer ${TOKEN}`, 'user-agent': 'rma-test', accept: 'application/json' },
  })
  expect([...(server.requests[0]?.query ?? [])]).toEqual([
    ['name', 'R#-1 & co'],
    ['limit', '5'],
  ])
})

it('a request sends a body as JSON', async () => {
  const { http, requests } = await against([{ body: {} }])
  await http.request(write)
  expect(requests[0]).toMatchObject({
    method: 'POST',
    json: write.body,
    headers: { 'content-type': 'application/json' },
  })
})

it('an answer keeps numbers exactly as they were sent, compressed or not', async () => {
  const text = '{"a":12345678901234567890.10,"b":1.5}'
  const { http, requests } = await against([{ body: text }, { body: text, gzip: true }])
  for (const answer of [await http.request(read), await http.request(read)]) {
    expect(answer.text).toBe(text)
    expect(stringifyJson(answer.body)).toBe(text)
  }
  expect(requests[0]?.headers['accept-encoding']).toMatch(/gzip.*br/)
})

it('a request never leaves the origin, whatever the path looks like', async () => {
  const { http, requests } = await against([{}, {}])
  await http.request({ method: 'GET', path: '//elsewhere.example/x' })
  await http.request({ method: 'GET', path: 'returns?limit=1' })
  expect(valuesOf(requests, 'url')).toEqual(['/elsewhere.example/x', '/returns?limit=1'])
})

it('requests share a connection', async () => {
  const { http, exchanges, requests } = await against(() => ({ body: {} }))
  for (let i = 0; i < 3; i += 1) await http.request(read)
  expect(exchanges).toHaveLength(3)
  expect(new Set(valuesOf(requests, 'remotePort')).size).toBe(1)
})

interface Case {
  name: string
  /** The only answer, or one that comes several times. */
  answer: Answer
  times?: number
  answers?: Answer[]
  request?: 'write'
  kind: ErrorKind
  message: string
  waits?: number[]
  hint?: string
}

const CASES: Case[] = [
  ...fixture('http/failures.yaml'),
  {
    name: 'more headers than Node.js takes',
    answer: { headers: { 'x-long': 'x'.repeat(20_000) } },
    kind: 'contract',
    message: 'headers are too long',
    hint: '^$',
  },
  {
    name: 'JSON deeper than 1,000 levels',
    answer: { body: `${'['.repeat(1001)}${']'.repeat(1001)}` },
    kind: 'contract',
    message: 'deeper than 1000 levels',
  },
]

it.each(CASES)(
  'a request answered with $name is $kind',
  async ({ answer, answers, times = 1, kind, message, waits, ...one }) => {
    const { http, waits: waited } = await against(answers ?? Array<Answer>(times).fill(answer))
    const error = await expectRejection(http.request(one.request ? write : read), kind, RegExp(message))
    if (waits) expect(waited).toEqual(waits)
    if (one.hint) expect(error.hints.join('\n')).toMatch(new RegExp(one.hint))
    expect(`${error.message} ${error.hints}`).not.toContain(TOKEN)
  },
)

it.each([
  [read, 'unavailable', /No answer from http:\/\/127\.0\.0\.1:\d+ within 0\.1 s \(2 attempts\)/, 2],
  [write, 'unknown', /may or may not have happened: No answer from .* within 0\.1 s/, 1],
])('a server that accepts and never answers: %o', async (request, kind, message, attempts) => {
  const { http, requests } = await against(() => ({ fault: 'hang' }), { timeoutMs: 100, retries: 1 })
  await expectRejection(http.request(request), kind, message)
  expect(requests).toHaveLength(attempts)
})

it.each([read, write])('a refused connection is tried again and unavailable: $method', async (request) => {
  const { http, waits } = client(`http://127.0.0.1:${await closedPort()}`)
  const words = /Could not reach http:\/\/127\.0\.0\.1:\d+: .*refused/
  await expectRejection(http.request(request), 'unavailable', words)
  expect(waits).toEqual([250, 500])
})

it('an unknown host is unavailable', async () => {
  const { http } = client('https://no-such-host.invalid', { retries: 0 })
  await expectRejection(http.request(read), 'unavailable', /name/)
})

it('a refusal says that no token was given', async () => {
  const { http, requests } = await against([{ status: 401 }], { token: undefined })
  expect(await failureOf(http.request(read))).toMatchObject({
    message: expect.stringContaining('none was given'),
  })
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
})

it('an error has the details of the service and of the carrier', async () => {
  const carrierErrors = [{ carrierName: 'SBX', carrierService: 'STD', code: 7, message: 'bad postal code' }]
  const body = {
    errors: [{ code: 'LB02', message: 'refused', carrierErrors }, { code: 'VA01' }],
    requestId: 'in-body',
  }
  const { http } = await against([{ status: 400, body }])
  expect(await failureOf(http.request(write))).toMatchObject({
    status: 400,
    requestId: 'in-body',
    details: [
      { code: 'LB02', message: 'refused', carrierErrors: [{ ...carrierErrors[0], code: '7' }] },
      { code: 'VA01', message: 'no message' },
    ],
  })
})

it.each([
  [403, { message: 'forbidden by policy' }, 'forbidden by policy'],
  [400, { title: 'Bad request' }, 'Bad request'],
  [500, '<h1>Oops</h1>', '<h1>Oops</h1>'],
  [500, 'サービス停止中', 'サービス停止中'],
])("an error may have a gateway's own form, HTTP %i", async (status, body, message) => {
  const { http } = await against(() => ({ status, body }))
  const error = await failureOf(http.request(read))
  expect(error).toMatchObject({ status, details: [{ message }] })
})

it('an empty object says nothing about a failure', async () => {
  const { http } = await against(() => ({ status: 500, body: {} }))
  const error = await failureOf(http.request(read))
  expect(error).toMatchObject({ status: 500, details: [], message: expect.stringContaining('HTTP 500') })
})

it('a read succeeds after failures, each of which is reported', async () => {
  const { http, retries, exchanges } = await against([
    { status: 503, headers: { 'retry-after': '1' } },
    { fault: 'reset' },
    { body: [1] },
  ])
  expect((await http.request(read)).body).toEqual([1])
  expect(retries).toEqual([
    { method: 'GET', path: '/returns', attempt: 1, delayMs: 1_125, reason: 'HTTP 503' },
    { method: 'GET', path: '/returns', attempt: 2, delayMs: 500, reason: 'the connection broke off' },
  ])
  expect(exchanges.map((one) => one.response?.status ?? one.failure?.code)).toEqual([503, 'ECONNRESET', 200])
})

it('a write is sent while reads wait for a rate limit, because it follows its look at once', async () => {
  const server = await scriptServer(({ method }) =>
    method === 'GET' && server.requests.length === 1
      ? { status: 429, headers: { 'retry-after': '60' } }
      : { body: [1] },
  )
  const wakes: (() => void)[] = []
  const { http } = client(server.baseUrl, {
    now: () => 0,
    sleep: () => new Promise((wake) => void wakes.push(wake)),
  })
  const refused = http.request(read)
  await expect.poll(() => wakes.length).toBe(1)
  const next = http.request(read)
  expect((await http.request(write)).body).toEqual([1])
  expect(valuesOf(server.requests, 'method')).toEqual(['GET', 'POST'])
  for (const wake of wakes) wake()
  expect(valuesOf(await Promise.all([refused, next]), 'body')).toEqual([[1], [1]])
})

it('a redirect to the same origin is followed, but not for ever', async () => {
  const there = { status: 308, headers: { location: '/v2/returns' } }
  const server = await scriptServer([there, { body: { ok: 1 } }])
  const { http, exchanges } = client(server.baseUrl)
  expect((await http.request(read)).body).toEqual({ ok: 1 })
  expect(valuesOf(server.requests, 'path')).toEqual(['/returns', '/v2/returns'])
  // The query of another address may be a signature.
  expect(exchanges.map(({ request }) => request.hidesQuery)).toEqual([false, true])

  const loop = await scriptServer(() => there)
  await expectRejection(client(loop.baseUrl).http.request(read), 'contract')
  expect(loop.requests).toHaveLength(6)
})

it('an errors list beside a result is a result', async () => {
  const { http } = await against([{ body: { errors: [{ code: 'X' }], returns: [{}] } }])
  expect((await http.request(read)).status).toBe(200)
})

it('an answer without a body is read', async () => {
  const { http } = await against([{ status: 204 }])
  expect(await http.request(read)).toMatchObject({ status: 204, body: undefined })
})

it.each(['while the answer is awaited', 'during the pause before the next attempt'])(
  'an interruption ends a request at once, without another attempt: %s',
  async (when) => {
    const controller = new AbortController()
    const abort = () => controller.abort()
    // Longer than a test may take: the time-out must not be what ends it.
    const { http, requests } = await against(
      () => {
        if (when.startsWith('while')) abort()
        return when.startsWith('while')
          ? { fault: 'hang' }
          : { status: 503, headers: { 'retry-after': '60' } }
      },
      {
        sleep: undefined,
        timeoutMs: 60_000,
        onRetry: abort,
        signal: controller.signal,
      },
    )
    await expectRejection(http.request(read), 'interrupted')
    expect(requests).toHaveLength(1)
  },
)

it('close ends requests under way, without another attempt', async () => {
  let close = () => {}
  const { http, requests } = await against(
    () => {
      close()
      return { fault: 'hang' }
    },
    { retries: 3, timeoutMs: 60_000 },
  )
  close = http.close
  await expectRejection(http.request(read), 'interrupted')
  expect(requests).toHaveLength(1)
})

/** A port that nothing listens on: one that was free a moment ago. */
async function closedPort() {
  const server = net.createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
