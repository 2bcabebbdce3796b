import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openConnections } from '../../../../src/lib/api/http/connections.ts'
import { DesyncGuard } from '../../../../src/lib/api/http/desync-guard.ts'
import type { Transport } from '../../../../src/lib/api/http/transport.ts'
import { at } from '../../../../src/lib/wire/raw.ts'
import { listening, scriptServer } from '../../../helpers/script-server.ts'

const TIMEOUT_MS = 200
const plain: Transport['request'] = (url, options) => http.request(url, options)

function connectionsOf(request = plain, timeoutMs = 5000) {
  const { signal } = new AbortController()
  return openConnections(Promise.resolve({ request, desyncGuard: new DesyncGuard([]), close() {} }), {
    timeoutMs,
    signal,
  })
}

it('a token that a refusal echoes is hidden in its text and its JSON', async () => {
  const body = { errors: [{ message: 'bad header Bearer tok-1' }] }
  const server = await scriptServer([
    { status: 400, body },
    { status: 200, body },
  ])
  const connections = await connectionsOf()
  const headers = { authorization: 'Bearer tok-1' }
  const url = new URL(`${server.baseUrl}/x`)
  const sent = { method: 'GET' as const, url, headers, body: undefined, attempt: 1, startedAt: 0 }
  const refusal = await connections.receive(sent, { maxBytes: 1000 })
  expect(refusal).toMatchObject({ body: { errors: [{ message: 'bad header Bearer [token]' }] } })
  expect(JSON.stringify(refusal)).not.toContain('tok-1')
  expect(await connections.receive(sent, { maxBytes: 1000 })).toMatchObject({ body })
})

it('Node.js gets only the used options of a request, and none of the forty others of got', async () => {
  const server = await scriptServer([{ body: '{}' }, { body: '{}' }])
  const given: string[][] = []
  const request: Transport['request'] = (url, { method, headers, ...others }) => {
    given.push(Object.keys(others))
    return http.request(url, { method, headers })
  }
  const connections = await connectionsOf(request)
  const url = new URL(`${server.baseUrl}/x`)
  for (const method of ['GET', 'POST'] as const) {
    const body = method === 'POST' ? '{}' : undefined
    const sent = { method, url, headers: { accept: 'text/plain' }, body, attempt: 1, startedAt: 0 }
    expect(await connections.receive(sent, { maxBytes: 1000 })).toMatchObject({ status: 200, text: '{}' })
  }
  expect(given).toEqual([[], []])
  expect(server.requests.map((one) => [one.method, one.headers.accept])).toEqual([
    ['GET', 'text/plain'],
    ['POST', 'text/plain'],
  ])
})

it('a request tells its body length in bytes, and none without a body', async () => {
  const server = await scriptServer(() => ({ body: '{}' }))
  const connections = await connectionsOf()
  const same = { url: new URL(server.baseUrl), headers: { accept: 'text/plain' }, attempt: 1, startedAt: 0 }
  for (const body of ['"é"', '"longer"', undefined]) {
    const method = body === undefined ? 'GET' : 'POST'
    await connections.receive({ ...same, method, body }, { maxBytes: 1000 })
  }
  expect(server.requests.map(({ headers }) => headers['content-length'])).toEqual(['4', '8', undefined])
})

async function lineTo(baseUrl: string) {
  const connections = await connectionsOf(plain, TIMEOUT_MS)
  const sent = { method: 'GET', url: new URL(baseUrl), headers: {}, body: undefined, attempt: 1 } as const
  return () => connections.receive({ ...sent, startedAt: 0 }, { maxBytes: 1000 })
}

it('each request has its own time limit', async () => {
  const server = await scriptServer((_request, index) => (index === 1 ? { body: '{}' } : { fault: 'hang' }))
  const get = await lineTo(server.baseUrl)
  const timed = async () => {
    const began = performance.now()
    const code = await get().then(
      () => undefined,
      (error) => at(error, 'code'),
    )
    return { code, ms: performance.now() - began }
  }
  const first = timed()
  await delay(TIMEOUT_MS / 2)
  expect((await timed()).code).toBeUndefined()
  for (const { code, ms } of await Promise.all([first, timed()])) {
    expect(code).toBe('ETIMEDOUT')
    expect(ms).toBeGreaterThan(TIMEOUT_MS - 5)
  }
})

it('an answer that came in time counts, even if the process was busy', async () => {
  const server = http.createServer((_request, response) => {
    response.on('finish', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMEOUT_MS * 2))
    response.end('{}')
  })
  onTestFinished(() => void server.close().closeAllConnections())
  const port = await listening(server)
  const get = await lineTo(`http://127.0.0.1:${port}`)
  expect(await get()).toMatchObject({ status: 200, text: '{}' })
})

it.each([
  [2 ** 20, 1, undefined, 0],
  [2 ** 20 + 1, 1, 'it is larger than 1 MiB', 0],
  [2 ** 24 + 2 ** 20, 32, undefined, 1],
])(
  'an answer of %i bytes, %i MiB allowed, ends with the error %s and is called long %i times',
  async (bytes, mib, message, times) => {
    const server = await scriptServer([{ body: Buffer.alloc(bytes, ' ') }])
    const onLongAnswer = vi.fn()
    const url = new URL(server.baseUrl)
    const sent = { method: 'GET', url, headers: {}, body: undefined, attempt: 1, startedAt: 0 } as const
    const received = (await connectionsOf()).receive(sent, { maxBytes: mib * 2 ** 20, onLongAnswer })
    expect(
      await received.then(
        () => undefined,
        (error) => at(error, 'message'),
      ),
    ).toBe(message)
    expect(onLongAnswer).toHaveBeenCalledTimes(times)
  },
)
