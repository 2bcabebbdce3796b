import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listen } from '../../../../src/lib/sandbox/http/server.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { bodyOf, send, sendRaw } from '../../../helpers/wire-client.ts'

const { sandbox, listen: listenAt } = await testSandbox({ returns: 5 })
const listener = await listenAt()
/** Gives up so soon that on a busy machine it would give up requests that are whole, too. */
const impatient = await listenAt({ limits: { headersMs: 150, requestMs: 300 } })
const authorization = `Bearer ${sandbox.issueToken({ shops: [sandbox.shops()[0]?.code ?? ''] })}`
const post = `POST /integration/v1/shipping_labels HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`

/** The one raw answer has the documented form, and the server still answers others. */
async function expectRefusal(raw: string, status: number, code: string) {
  expect(raw).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const body = JSON.parse(bodyOf(raw))
  expect(body).toEqual({
    errors: [{ code, message: expect.any(String) }],
    status,
    requestId: expect.stringMatching(/^req_/),
  })
  expect(raw.toLowerCase()).toContain(`x-request-id: ${body.requestId}`)
  expect((await send(`${listener.baseUrl}/returns`, { headers: { authorization } })).status).toBe(200)
}

test.each([
  ['rubbish', ['rubbish\r\n\r\n'], 400, 'RQ01'],
  ['a TLS handshake', [Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252])], 400, 'RQ01'],
  ['no Host', ['GET /integration/v1/returns HTTP/1.1\r\nConnection: close\r\n\r\n'], 400, 'RQ01'],
  ['a bad Host', ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'], 400, 'RQ01'],
  ['a bad path', ['GET \\ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'], 400, 'RQ01'],
  ['both lengths', [`${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n`], 400, 'RQ01'],
  ['a bad chunk', [`${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`], 400, 'RQ01'],
  ['an unknown expectation', [`${post}Expect: miracles\r\nContent-Length: 0\r\n\r\n`], 417, 'RQ01'],
  ['long headers', [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`], 431, 'RQ04'],
  ['many headers', [`GET / HTTP/1.1\r\nHost: x\r\n${'X-A: 1\r\n'.repeat(150)}\r\n`], 431, 'RQ04'],
  ['half a head', ['GET /integration/v1/returns HTTP/1.1\r\nHost:'], 408, 'RQ02'],
  ['half a body', [`${post}Content-Length: 100\r\n\r\n{"half":`], 408, 'RQ02'],
  ['too long by its own account', [`${post}Content-Length: 20000000\r\n\r\n`], 413, 'RQ03'],
  ['JSON that is none', [`${post}Content-Length: 5\r\nConnection: close\r\n\r\n{"a":`], 400, 'VA01'],
])('the server refuses what is not a request: %s', async (_name, parts, status, code) => {
  const { baseUrl } = status === 408 ? impatient : listener
  await expectRefusal(await sendRaw(baseUrl, ...parts), status, code)
})

test('a body over the limit is refused, even if the client sends all of it before reading', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 32)
  const framed = Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')])
  const raw = await sendRaw(
    listener.baseUrl,
    `${post}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array<Buffer>(12).fill(framed),
    '0\r\n\r\n',
  )
  await expectRefusal(raw, 413, 'RQ03')
  expect(sandbox.requests({ status: '413' }).at(-1)).toMatchObject({
    method: 'POST',
    path: '/shipping_labels',
  })
})

test('a body of ten megabytes is read', async () => {
  const answer = await send(`${listener.baseUrl}/shipping_labels`, {
    method: 'POST',
    headers: { authorization },
    body: Buffer.alloc(10 * 1024 * 1024, 32),
  })
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text).errors[0].code).toBe('VA01')
})

test('a client that drips its head byte by byte gets a 408', async () => {
  const text = 'GET /integration/v1/returns HTTP/1.1\r\nHost: x\r\nX-Slow: '
  const raw = await new Promise<string>((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(impatient.baseUrl).port), '127.0.0.1')
    const drip = setInterval(() => socket.write('a'), 20)
    socket.write(text)
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve(answer)
    })
  })
  await expectRefusal(raw, 408, 'RQ02')
})

test.each([
  ['of Latin-1', {}, Buffer.from('{"shipmentId":"U-Ñ"}', 'latin1'), 'body: not UTF-8'],
  ['of a text type', { 'content-type': 'text/plain' }, '{}', 'Content-Type: must be application/json'],
  [
    'of the type that curl gives without a header',
    { 'content-type': 'application/x-www-form-urlencoded' },
    '{}',
    'Content-Type: must be application/json',
  ],
  [
    'of a type that begins like JSON',
    { 'content-type': 'application/json5' },
    '{}',
    'Content-Type: must be application/json',
  ],
  [
    'that is compressed',
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    gzipSync('{}'),
    'Content-Encoding: gzip is not taken',
  ],
])('a body %s is refused and named', async (_what, fields, body, message) => {
  const headers = { authorization, ...fields }
  const answer = await send(`${listener.baseUrl}/shipping_trackings`, { method: 'POST', headers, body })
  expect([answer.status, JSON.parse(answer.text).errors]).toEqual([400, [{ code: 'VA01', message }]])
})

test.each<Record<string, string>>([{}, { 'content-type': 'Application/JSON; charset=utf-8' }])(
  'a body with the headers %j is read as JSON',
  async (fields) => {
    const headers = { authorization, ...fields }
    const { text } = await send(`${listener.baseUrl}/shipping_trackings`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect(JSON.parse(text).errors[0].message).toBe('shipmentId: is missing')
  },
)

test('a request followed by rubbish is answered before the rubbish is refused', async () => {
  const raw = await sendRaw(
    listener.baseUrl,
    `GET /integration/v1/returns?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\nrubbish\r\n\r\n`,
  )
  expect(raw.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', ''])(
  'the server listens at %j only with leave',
  async (host) => {
    await expect(sandbox.listen({ host, port: 0 })).rejects.toMatchObject({
      kind: 'usage',
      hints: expect.arrayContaining([expect.stringContaining('--allow-remote')]),
    })
  },
)

test.each(['127.0.0.1', '127.1.2.3', 'localhost', '0.0.0.0'])(
  'the server listens at %s without leave',
  async (host) => {
    const other = await listenAt({ host, allowRemote: host === '0.0.0.0' })
    expect((await send(`${other.baseUrl}/returns`, { headers: { authorization } })).status).toBe(200)
  },
)

test('closing waits for what is in flight, but not for ever', async () => {
  const slow = await listen(() => new Promise(() => {}), {
    host: '127.0.0.1',
    port: 0,
    limits: { closeMs: 60 },
  })
  const hanging = send(slow.baseUrl).catch((error: Error) => error.message)
  await delay(30)
  const started = performance.now()
  await slow.close()
  expect(performance.now() - started).toBeGreaterThan(50)
  // The default limit is 10 s.
  expect(performance.now() - started).toBeLessThan(5000)
  expect(await hanging).toBe('socket hang up')
})
