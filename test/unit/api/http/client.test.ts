import net from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttp } from '../../../../src/lib/api/http/client.ts'
import type { Exchange, HttpRequest } from '../../../../src/lib/api/http/request.ts'
import type { AppError, ErrorKind } from '../../../../src/lib/errors.ts'
import { stringifyJson } from '../../../../src/lib/wire/json.ts'
import { type Answer, listening, scriptServer } from '../../../helpers/script-server.ts'

type RetryInfo = Parameters<NonNullable<HttpOptions['onRetry']>>[0]

type HttpOptions = Parameters<typeof createHttp>[0]

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl'

function client(baseUrl: string, options: Partial<HttpOptions> = {}) {
  const waits: number[] = []
  const retries: RetryInfo[] = []
  const exchanges: Exchange[] = []
  const http = createHttp({
    baseUrl,
    token: TOKEN,
    timeoutMs: 2_000,
    retries: 2,
    userAgent: 'rma-test',
    env: {},
    random: () => 0.5,
    sleep: async (ms) => void waits.push(ms),
    now: () => Date.parse('2026-03-01T10:00:00Z'),
    onRetry: (info) => retries.push(info),
    observers: [{ finished: (exchange) => exchanges.push(exchange) }],
    ...options,
  })
  onTestFinished(() => http.close())
  return { http, waits, retries, exchanges }
}

const read: HttpRequest = { method: 'GET', path: '/returns' }
const write: HttpRequest = { method: 'POST', path: '/shipping_trackings', body: { shipmentId: 'R#-1' } }

async function failure(promise: Promise<unknown>): Promise<AppError> {
  return promise.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  )
}

describe('a request', () => {
  it('reads bytes that are not UTF-8 as replacement characters, and a byte-order mark as nothing', async () => {
    const bytes = Buffer.concat([Buffer.from('\ufeff'), Buffer.from('["\xe9"]', 'latin1')])
    const server = await scriptServer([{ body: bytes }])
    const { body } = await client(server.baseUrl).http.request(read)
    expect(body).toEqual(['\ufffd'])
  })

  it('carries the token, the user agent and only the query values that are there', async () => {
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

  it('sends a body as JSON', async () => {
    const server = await scriptServer([{ body: {} }])
    await client(server.baseUrl).http.request(write)
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      json: write.body,
      headers: { 'content-type': 'application/json' },
    })
  })

  it('keeps numbers exactly as they were sent, compressed or not', async () => {
    const text = '{"a":12345678901234567890.10,"b":1.5}'
    const server = await scriptServer([{ body: text }, { body: text, gzip: true }])
    const { http } = client(server.baseUrl)
    for (const answer of [await http.request(read), await http.request(read)]) {
      expect(answer.text).toBe(text)
      expect(stringifyJson(answer.body)).toBe(text)
    }
    expect(server.requests[0]?.headers['accept-encoding']).toMatch(/gzip.*br/)
  })

  it('never leaves the origin, whatever the path looks like', async () => {
    const server = await scriptServer([{}, {}])
    const { http } = client(server.baseUrl)
    await http.request({ method: 'GET', path: '//elsewhere.example/x' })
    await http.request({ method: 'GET', path: 'returns?limit=1' })
    expect(server.requests.map(({ url }) => url)).toEqual(['/elsewhere.example/x', '/returns?limit=1'])
  })

  it('reuses its connection', async () => {
    const server = await scriptServer(() => ({ body: {} }))
    const { http, exchanges } = client(server.baseUrl)
    for (let i = 0; i < 3; i += 1) await http.request(read)
    expect(exchanges).toHaveLength(3)
    expect(new Set(server.requests.map((request) => request.remotePort)).size).toBe(1)
  })

  it.each(['', 'two words', 'line\nbreak', 'übel'])(
    'refuses the token %j before anything is sent',
    (token) => {
      expect(() => createHttp({ ...bare, token })).toThrow(expect.objectContaining({ kind: 'auth' }))
    },
  )
  const bare = { baseUrl: 'http://127.0.0.1:9', timeoutMs: 1, retries: 0, userAgent: '', env: {} }
})

interface Case {
  name: string
  answers: Answer[]
  request?: HttpRequest
  kind: ErrorKind
  message: RegExp
  waits?: number[]
  hint?: RegExp
}

const busy = (headers = {}): Answer => ({ status: 429, headers })
const broken: Answer = { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Oops\x1b[2J</h1>' }

const switching: Answer = {
  raw: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
}

const casesOf = <Shared extends Partial<Case>>(shared: Shared, cases: Omit<Case, keyof Shared>[]) =>
  cases.map((one) => ({ ...shared, ...one }))

const CASES: Case[] = [
  {
    name: '401 with an empty body',
    answers: [{ status: 401 }],
    kind: 'auth',
    message: /did not accept the token/,
    hint: /auth login/,
  },
  {
    name: '404',
    answers: [{ status: 404, body: { errors: [{ code: 'RT01', message: 'no such return' }] } }],
    kind: 'not-found',
    message: /GET \/returns/,
  },
  {
    name: '404 of another server',
    answers: [{ status: 404, body: '<html>' }],
    kind: 'not-found',
    message: /GET/,
    hint: /base URL/,
  },
  ...casesOf({ kind: 'rejected' }, [
    {
      name: '400',
      answers: [{ status: 400, body: { errors: [{ code: 'VA01', message: 'limit' }] } }],
      message: /HTTP 400/,
    },
    { name: '405', answers: [{ status: 405, headers: { allow: 'GET' } }], message: /HTTP 405/ },
    {
      name: '200 with nothing but errors',
      answers: [{ body: { errors: [{ code: 'VA01', message: 'x' }], returns: [] } }],
      message: /rejected/,
    },
  ]),
  ...casesOf({ kind: 'unavailable' }, [
    {
      name: '429 in seconds',
      answers: [busy({ 'retry-after': '7' }), busy(), busy()],
      message: /limits the rate.*3 attempts/,
      hint: /^wait a while, or raise --retries$/,
      waits: [7_125, 500],
    },
    {
      name: '429 with a date',
      answers: [busy({ 'retry-after': 'Sun, 01 Mar 2026 10:00:03 GMT' }), busy(), busy()],
      message: /limits/,
      waits: [3_125, 500],
    },
    {
      name: '429 asking for too long',
      answers: [busy({ 'retry-after': '1200' })],
      message: /wait 20 minutes/,
      waits: [],
    },
    {
      name: '500 with HTML',
      answers: [broken, broken, broken],
      message: /HTTP 500 \(3 attempts\)/,
      waits: [250, 500],
    },
    { name: '501', answers: [{ status: 501 }], message: /HTTP 501/ },
    {
      name: 'a body cut in the middle',
      answers: [1, 2, 3].map(() => ({ fault: 'cut-body', body: { returns: [1, 2, 3] } })),
      message: /broke off \(3 attempts\)/,
      waits: [250, 500],
    },
    {
      name: 'a connection reset',
      answers: [1, 2, 3].map(() => ({ fault: 'reset' })),
      message: /broke off/,
      waits: [250, 500],
    },
    {
      name: 'half a header block',
      answers: [1, 2, 3].map(() => ({ fault: 'half-headers' })),
      message: /broke off/,
    },
  ]),
  ...casesOf({ kind: 'contract' }, [
    {
      name: '200 with HTML',
      answers: [{ body: '<html>\n captive\x1b[2J', headers: { 'content-type': 'text/html' } }],
      message: /HTTP 200, text\/html.*<html> captive\x1b\[2J/,
    },
    { name: 'a JSON text that ends early', answers: [{ body: '{"returns":[' }], message: /not JSON/ },
    {
      name: 'something that is not HTTP',
      answers: [{ raw: 'SSH-2.0-OpenSSH_9.2\r\n' }],
      message: /not HTTP/,
    },
    {
      name: 'a body not compressed as it says',
      answers: [{ body: 'plain', headers: { 'content-encoding': 'gzip' } }],
      message: /not compressed/,
    },
    {
      name: 'a redirect to another host',
      answers: [{ status: 302, headers: { location: 'https://evil.example/x?y' } }],
      message:
        /redirected to https:\/\/evil\.example \(HTTP 302\); not followed, the token was not sent there/,
      hint: /^if that is where the service lives now/,
    },
    { name: 'a redirect without a place', answers: [{ status: 301 }], message: /without saying where/ },
    { name: 'a status without meaning', answers: [{ status: 304 }], message: /304/ },
    { name: 'another protocol', answers: [switching], message: /another protocol/, waits: [] },
    {
      name: 'a body that is not Brotli',
      answers: [{ body: 'garbage not brotli xxxxxxxxx', headers: { 'content-encoding': 'br' } }],
      message: /not compressed/,
      waits: [],
    },
    {
      name: 'more headers than Node.js takes',
      answers: [{ headers: { 'x-long': 'x'.repeat(20_000) } }],
      message: /headers are too long/,
    },
    {
      name: 'JSON deeper than 1,000 levels',
      answers: [{ body: `${'['.repeat(1001)}${']'.repeat(1001)}` }],
      message: /deeper than 1000 levels/,
    },
  ]),
  {
    name: 'a redirect of a write',
    answers: [{ status: 307, headers: { location: '/elsewhere' } }],
    request: write,
    kind: 'contract',
    message: /not followed/,
  },
  { name: '401 on a write', answers: [{ status: 401 }], request: write, kind: 'auth', message: /token/ },
  ...casesOf({ kind: 'unknown', request: write }, [
    {
      name: '500 on a write',
      answers: [broken],
      message: /may or may not have happened.*HTTP 500 \(1 attempt\)/,
      hint: /look whether/,
    },
    { name: '502 on a write', answers: [{ status: 502 }], message: /502/ },
    { name: '504 on a write', answers: [{ status: 504 }], message: /may or may not/ },
    {
      name: '503 of the service on a write',
      answers: [{ status: 503, headers: { 'x-request-id': 'r' } }],
      message: /503/,
    },
    {
      name: '503 of a gateway on a write, with a time to come back',
      answers: [{ status: 503, headers: { 'retry-after': '1' } }],
      message: /503 \(1 attempt\)/,
    },
    {
      name: 'a page instead of an answer to a write',
      answers: [{ body: '<html>' }],
      message: /may or may not.*<html>/,
    },
    {
      name: 'a redirect of a write that may follow upon it',
      answers: [{ status: 303, headers: { location: '/elsewhere' } }],
      message: /not followed/,
    },
    { name: 'another protocol for a write', answers: [switching], message: /another protocol/ },
    { name: 'a reset after a write', answers: [{ fault: 'reset' }], message: /may or may not/ },
    {
      name: 'a cut answer to a write',
      answers: [{ fault: 'cut-body', body: { ok: true } }],
      message: /may or may not/,
    },
  ]),
  {
    name: '429 on a write',
    answers: [busy(), busy(), busy()],
    request: write,
    kind: 'unavailable',
    message: /3 attempts/,
  },
]

describe('what goes wrong', () => {
  it.each(CASES)('$name → $kind', async ({ answers, request = read, kind, message, waits, hint }) => {
    const server = await scriptServer(answers)
    const { http, waits: waited } = client(server.baseUrl)
    const error = await failure(http.request(request))
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) })
    if (waits) expect(waited).toEqual(waits)
    if (hint) expect(error.hints.join('\n')).toMatch(hint)
    expect(`${error.message} ${error.hints}`).not.toContain(TOKEN)
  })

  it.each([
    [read, 'unavailable', /No answer from http:\/\/127\.0\.0\.1:\d+ within 0\.1 s \(2 attempts\)/, 2],
    [write, 'unknown', /may or may not have happened: No answer from .* within 0\.1 s/, 1],
  ] as const)('a server that accepts and never answers: %o', async (request, kind, message, attempts) => {
    const server = await scriptServer(() => ({ fault: 'hang' }))
    const { http } = client(server.baseUrl, { timeoutMs: 100, retries: 1 })
    expect(await failure(http.request(request))).toMatchObject({
      kind,
      message: expect.stringMatching(message),
    })
    expect(server.requests).toHaveLength(attempts)
  })

  it.each([read, write])('a refused connection is tried again and unavailable: $method', async (request) => {
    const { http, waits } = client(`http://127.0.0.1:${await closedPort()}`)
    const error = await failure(http.request(request))
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/Could not reach .*refused/),
    })
    expect(waits).toEqual([250, 500])
  })

  it('an unknown host is unavailable', async () => {
    const { http } = client('https://no-such-host.invalid', { retries: 0 })
    expect(await failure(http.request(read))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/name/),
    })
  })

  it('says that no token was given', async () => {
    const server = await scriptServer([{ status: 401 }])
    const { http } = client(server.baseUrl, { token: undefined })
    expect(await failure(http.request(read))).toMatchObject({
      message: expect.stringMatching(/none was given/),
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('hands on the details of the service and of the carrier', async () => {
    const carrierErrors = [{ carrierName: 'SBX', carrierService: 'STD', code: 7, message: 'bad postal code' }]
    const body = {
      errors: [{ code: 'LB02', message: 'refused', carrierErrors }, { code: 'VA01' }],
      requestId: 'in-body',
    }
    const server = await scriptServer([{ status: 400, body }])
    expect(await failure(client(server.baseUrl).http.request(write))).toMatchObject({
      status: 400,
      requestId: 'in-body',
      details: [
        { code: 'LB02', message: 'refused', carrierErrors: [{ ...carrierErrors[0], code: '7' }] },
        { code: 'VA01', message: 'no message' },
      ],
    })
  })

  it("takes a gateway's own form of error", async () => {
    const server = await scriptServer([{ status: 403, body: { message: 'forbidden by policy' } }])
    const error = await failure(client(server.baseUrl).http.request(read))
    expect(error).toMatchObject({ kind: 'rejected', details: [{ message: 'forbidden by policy' }] })
  })
})

describe('what comes right', () => {
  it('a read after failures, each told and observed', async () => {
    const server = await scriptServer([
      { status: 503, headers: { 'retry-after': '1' } },
      { fault: 'reset' },
      { body: [1] },
    ])
    const { http, retries, exchanges } = client(server.baseUrl)
    expect((await http.request(read)).body).toEqual([1])
    expect(retries).toEqual([
      { method: 'GET', path: '/returns', attempt: 1, delayMs: 1_125, reason: 'HTTP 503' },
      { method: 'GET', path: '/returns', attempt: 2, delayMs: 500, reason: 'ECONNRESET' },
    ])
    expect(exchanges.map((one) => one.response?.status ?? one.failure?.code)).toEqual([
      503,
      'ECONNRESET',
      200,
    ])
  })

  it('a redirect to the same origin, but not for ever', async () => {
    const there = { status: 308, headers: { location: '/v2/returns' } }
    const server = await scriptServer([there, { body: { ok: 1 } }])
    expect((await client(server.baseUrl).http.request(read)).body).toEqual({ ok: 1 })
    expect(server.requests.map(({ path }) => path)).toEqual(['/returns', '/v2/returns'])

    const loop = await scriptServer(() => there)
    expect(await failure(client(loop.baseUrl).http.request(read))).toMatchObject({ kind: 'contract' })
    expect(loop.requests).toHaveLength(6)
  })

  it('an errors list beside a result is a result', async () => {
    const server = await scriptServer([{ body: { errors: [{ code: 'X' }], returns: [{}] } }])
    expect((await client(server.baseUrl).http.request(read)).status).toBe(200)
  })

  it('an answer without a body', async () => {
    const server = await scriptServer([{ status: 204 }])
    expect(await client(server.baseUrl).http.request(read)).toMatchObject({ status: 204, body: undefined })
  })
})

describe('an interruption', () => {
  it.each(['while the answer is awaited', 'during the pause before the next attempt'])('%s', async (when) => {
    const controller = new AbortController()
    const abort = () => controller.abort()
    const server = await scriptServer(() => {
      if (when.startsWith('while')) abort()
      return when.startsWith('while') ? { fault: 'hang' } : { status: 503, headers: { 'retry-after': '60' } }
    })
    // Longer than a test may take: the time-out must not be what ends it.
    const { http } = client(server.baseUrl, {
      sleep: undefined,
      timeoutMs: 60_000,
      onRetry: abort,
      signal: controller.signal,
    })
    expect(await failure(http.request(read))).toMatchObject({ kind: 'interrupted' })
    expect(server.requests).toHaveLength(1)
  })

  it('close ends what is under way, without another attempt', async () => {
    let close = () => {}
    const server = await scriptServer(() => {
      close()
      return { fault: 'hang' }
    })
    const { http } = client(server.baseUrl, { retries: 3, timeoutMs: 60_000 })
    close = http.close
    expect(await failure(http.request(read))).toMatchObject({ kind: 'interrupted' })
    expect(server.requests).toHaveLength(1)
  })
})

/** A port that nothing listens on: one that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = net.createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
