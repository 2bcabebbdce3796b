import { readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { newFile } from '../../../helpers/files.ts'
import { caFile as CA, tlsPair as pem } from '../../../helpers/leaf-tls.ts'
import { httpAnswer, rawServer } from '../../../helpers/raw-server.ts'
import { expectRejection, failureOf } from '../../../helpers/rejections.ts'
import { closing, listening, scriptServer } from '../../../helpers/script-server.ts'
import { testHttp } from '../../../helpers/test-http.ts'

const get = (baseUrl: string, options: Parameters<typeof testHttp>[1] = {}) =>
  testHttp(baseUrl, { token: 'secret-token', ...options }).request({ method: 'GET', path: '/returns' })

/** Sends another answer when it is told to, on the connection that was used last. */
async function chattyServer() {
  const sockets = new Set<net.Socket>()
  const server = await rawServer(({ path }, socket) => {
    sockets.add(socket)
    socket.write(httpAnswer(200, JSON.stringify({ path })))
  })
  onTestFinished(() => server.close())
  const sendMore = async () => {
    const socket = [...sockets].at(-1)
    await new Promise((resolve) => socket?.write(httpAnswer(200, '{"path":"/more"}'), resolve))
  }
  return { ...server, sockets, sendMore }
}

/** A proxy that tunnels and forwards, and notes what it was asked for. */
async function proxyServer({ refuse }: { refuse?: number } = {}) {
  const asked: { line: string; authorization: string | undefined; token: string | undefined }[] = []
  const note = (request: http.IncomingMessage) =>
    asked.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers['proxy-authorization'],
      token: request.headers.authorization,
    })
  const server = http.createServer((request, response) => {
    note(request)
    if (refuse) return void response.writeHead(refuse).end()
    const onward = http.request(
      request.url ?? '',
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  server.on('connect', (request, socket) => {
    note(request)
    if (refuse) return void socket.end(`HTTP/1.1 ${refuse} No\r\n\r\n`)
    const [host, port] = (request.url ?? '').split(':')
    const onward = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => {})
    socket.on('close', () => onward.destroy())
  })
  const close = closing(server)
  const port = await listening(server)
  onTestFinished(close)
  return { url: `http://127.0.0.1:${port}`, port, asked, close }
}

it('a private authority is trusted with --ca-file, or with NODE_EXTRA_CA_CERTS', async () => {
  const server = await scriptServer([{ body: { ok: 1 } }, { body: { ok: 2 } }], { tls: pem('leaf') })
  expect((await get(server.baseUrl, { caFile: CA })).body).toEqual({ ok: 1 })
  expect((await get(server.baseUrl, { env: { NODE_EXTRA_CA_CERTS: CA } })).body).toEqual({ ok: 2 })
})

it('a CA file is used beside the environment, not instead of it', async () => {
  const server = await scriptServer([{}], { tls: pem('leaf') })
  const other = newFile('ca.pem', pem('wrong').cert)
  expect((await get(server.baseUrl, { caFile: other, env: { NODE_EXTRA_CA_CERTS: CA } })).status).toBe(200)
})

it.each([
  ['leaf', undefined, /not trusted/],
  ['wrong', CA, /made for another host/],
  ['expired', CA, /has expired/],
])('the certificate %s with CA file %s is refused, once, with the reason', async (name, caFile, reason) => {
  const server = await scriptServer([], { tls: pem(name) })
  const retries: unknown[] = []
  const options = { caFile, retries: 3, onRetry: (info: unknown) => retries.push(info) }
  const { hints } = await expectRejection(get(server.baseUrl, options), 'unavailable', reason)
  expect(hints.join()).toContain('--ca-file')
  expect(retries).toEqual([])
})

it('https:// to a port that speaks http:// is explained', async () => {
  const server = await scriptServer(() => ({}))
  const error = await failureOf(get(server.baseUrl.replace('http:', 'https:')))
  expect(error).toMatchObject({
    kind: expect.stringMatching(/unavailable|contract/),
    message: expect.stringContaining('secure connection'),
  })
})

const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
it.each([
  ['missing', () => '/nowhere/ca.pem', /ca\.pem does not exist/],
  ['a folder', () => tmpdir(), /can't be read \(EISDIR\)/],
  ['without a certificate', () => newFile('ca.pem', 'hello'), /no PEM certificate/],
  ['damaged', () => newFile('ca.pem', `${readFileSync(CA)}${damaged}`), /certificate 2 of 2 is damaged/],
])('a CA file that is %s is a config error', async (_, file, message) => {
  await expectRejection(get('https://127.0.0.1:9', { caFile: file() }), 'config', message)
})

it('https:// goes through the tunnel of a proxy, which sees no secret', async () => {
  const server = await scriptServer([{ body: { ok: true } }], { tls: pem('leaf') })
  const proxy = await proxyServer()
  const env = { HTTPS_PROXY: proxy.url.replace('//', '//user:p%40ss@') }
  expect((await get(server.baseUrl, { env, caFile: CA })).body).toEqual({ ok: true })
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
  expect(proxy.asked).toEqual([{ line: `CONNECT 127.0.0.1:${server.port}`, authorization, token: undefined }])
  expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
})

it('http:// is forwarded by a proxy', async () => {
  const server = await scriptServer([{ body: { ok: true } }])
  const proxy = await proxyServer()
  const answer = await get(`${server.baseUrl}/v1`, { env: { http_proxy: `127.0.0.1:${proxy.port}` } })
  expect(answer.body).toEqual({ ok: true })
  expect(proxy.asked).toMatchObject([{ line: `GET ${server.baseUrl}/v1/returns` }])
  expect(server.requests[0]?.headers.host).toBe(`127.0.0.1:${server.port}`)
})

it('NO_PROXY is honoured', async () => {
  const server = await scriptServer([{}])
  const env = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: 'example.com,127.0.0.1' }
  expect((await get(server.baseUrl, { env })).status).toBe(200)
})

it('the certificate is checked through a tunnel too', async () => {
  const server = await scriptServer([], { tls: pem('leaf') })
  const proxy = await proxyServer()
  const env = { https_proxy: proxy.url }
  await expectRejection(get(server.baseUrl, { env }), 'unavailable', /not trusted/)
})

it.each([407, 502])('a proxy that refuses the tunnel with %s is named', async (refuse) => {
  const proxy = await proxyServer({ refuse })
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const options = { env: { https_proxy: proxy.url }, retries: 1, sleep }
  const words = expect.stringContaining(`proxy ${proxy.url}`)
  const { message } = await expectRejection(get('https://api.example.com', options), 'unavailable', words)
  expect(message).toContain(`HTTP ${refuse}`)
  expect(waits).toHaveLength(refuse === 407 ? 0 : 1)
})

it('a proxy that asks for a password over http:// is named', async () => {
  const proxy = await proxyServer({ refuse: 407 })
  const answer = get('http://127.0.0.1:9', { env: { http_proxy: proxy.url } })
  await expectRejection(answer, 'unavailable', expect.stringContaining(`proxy ${proxy.url} asks`))
})

it('an unreachable proxy is named', async () => {
  const proxy = await proxyServer()
  await proxy.close()
  const answer = get('https://api.example.com', { env: { ALL_PROXY: proxy.url } })
  await expectRejection(answer, 'unavailable', expect.stringContaining(`proxy ${proxy.url}: the conn`))
})

it('a proxy that never answers runs into the time-out', async () => {
  const server = net.createServer((socket) => void onTestFinished(() => void socket.destroy()))
  const port = await listening(server)
  onTestFinished(() => void server.close())
  const env = { https_proxy: `http://127.0.0.1:${port}` }
  const answer = get('https://api.example.com', { env, timeoutMs: 100 })
  await expectRejection(answer, 'unavailable', /through the proxy .* in time/)
})

it('closes a kept connection that receives an unexpected answer, and ignores that answer', async () => {
  const { baseUrl, sockets, sendMore } = await chattyServer()
  const client = testHttp(baseUrl)
  for (const path of ['/a', '/b', '/c']) {
    expect((await client.request({ method: 'GET', path })).body).toEqual({ path })
    await sendMore()
    // A turn in which it arrives; the next request begins after it.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
  expect(sockets.size).toBe(3)
})
