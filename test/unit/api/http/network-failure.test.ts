import net from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { isRefusal, networkFailure } from '../../../../src/lib/api/http/network-failure.ts'
import { caFile, leafTls } from '../../../helpers/leaf-tls.ts'
import { failureOf } from '../../../helpers/rejections.ts'
import { listening, scriptServer } from '../../../helpers/script-server.ts'
import { testHttp } from '../../../helpers/test-http.ts'

const failed = (message: string, more = {}) => Object.assign(new Error(message), more)
/** Error of the system as got passes it on. */
const wrapped = (cause: Error, more = {}) => Object.assign(new Error(cause.message, { cause }), more)
const connected = { timings: { socket: 1, connect: 2 } }
const secure = { timings: { socket: 1, connect: 2, secureConnect: 3 } }
const tls = { options: { url: new URL('https://x.example') } }
const plain = { options: { url: new URL('http://x.example') } }

it.each<[string, unknown]>([
  ['an unknown host', wrapped(failed('x', { syscall: 'getaddrinfo', code: 'ENOTFOUND' }))],
  ['a refused connection', wrapped(failed('x', { syscall: 'connect', code: 'ECONNREFUSED' }))],
  [
    'each address refused',
    wrapped(failed('', { code: 'ECONNREFUSED', errors: [failed('', { syscall: 'connect' })] })),
  ],
  ['no connection in time', failed('late', { code: 'ETIMEDOUT', timings: { socket: 1 } })],
  ['no socket at all', failed('socket hang up', { code: 'ECONNRESET', timings: {} })],
  ['a certificate', failed('x', { code: 'CERT_HAS_EXPIRED', ...connected, ...tls })],
  ['a reset during the handshake', failed('x', { code: 'ECONNRESET', ...connected, ...tls })],
  ['a proxy that refuses', failed('Bad response: 502')],
])('a write certainly did not happen: %s', (_name, error) => {
  expect(networkFailure(error).phase).toBe('before-send')
})

it.each([
  ['a failure that nobody can place', failed('?')],
  ['no error at all', 'text'],
  ['an answer that is too long for a text', failed('x', { code: 'ERR_STRING_TOO_LONG' })],
  ['a reset', failed('x', { code: 'ECONNRESET', ...connected, ...plain })],
  ['a reset after the handshake', failed('x', { code: 'ECONNRESET', ...secure, ...tls })],
  ['TLS that fails later', failed('x', { code: 'ERR_SSL_BAD_RECORD', ...secure, ...tls })],
  ['a failed read', wrapped(failed('x', { syscall: 'read', code: 'ETIMEDOUT' }), connected)],
  [
    'one address refused, another broken',
    failed('', { errors: [failed('', { syscall: 'connect' }), failed('', { syscall: 'read' })] }),
  ],
  ['no answer in time', failed('late', { code: 'ETIMEDOUT', ...connected })],
  ['a reset on a connection used before', failed('x', { code: 'ECONNRESET', timings: { socket: 1 } })],
])('a write may have been carried out after %s', (_name, error) => {
  expect(networkFailure(error).phase).toBe('after-send')
})

it.each([
  [400, true],
  [404, true],
  [408, false],
  [301, false],
  [303, false],
  [307, true],
  [308, true],
  [500, false],
  [503, false],
])('an answer of %i refuses: %s', (status, refuses) => {
  expect(isRefusal(status)).toBe(refuses)
})

it('a POST is sent again if the server hangs up during the handshake', async () => {
  let connections = 0
  const server = net.createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    socket.once('data', () => socket.destroy())
  })
  const port = await listening(server)
  onTestFinished(() => void server.close())
  const error = await failureOfPost(client(`https://127.0.0.1:${port}`))
  expect([error.kind, connections]).toEqual(['unavailable', 3])
})

it.each([0, 1])('a POST may have happened if TLS breaks off after %i requests', async (before) => {
  const server = await scriptServer(
    ({ method }) => (method === 'GET' ? { body: {} } : { fault: 'half-headers' }),
    { tls: leafTls },
  )
  const http = client(server.baseUrl, caFile)
  for (let sent = 0; sent < before; sent += 1) await http.request({ method: 'GET', path: '/x' })
  expect((await failureOfPost(http)).kind).toBe('unknown')
  expect(server.requests).toHaveLength(before + 1)
  expect(new Set(server.requests.map(({ remotePort }) => remotePort)).size).toBe(1)
})

const client = (baseUrl: string, caFile?: string) =>
  testHttp(baseUrl, { timeoutMs: 5000, retries: 2, caFile })

const failureOfPost = (http: ReturnType<typeof testHttp>) =>
  failureOf(http.request({ method: 'POST', path: '/x', body: {} }))
