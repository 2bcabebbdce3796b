import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Reply } from '../../../../src/lib/sandbox/http/answers.ts'
import type { Handler } from '../../../../src/lib/sandbox/http/received-request.ts'
import { listen } from '../../../../src/lib/sandbox/http/server.ts'
import { connect } from '../../../../src/lib/sandbox/store/open.ts'
import { newFolder } from '../../../helpers/files.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'

const { sandbox } = await testSandbox({ returns: 30 })
const headers = { authorization: `Bearer ${sandbox.issueToken()}` }

/** Status, body, and the local port of the connection that was used. */
function fetchBy(
  agent: Agent,
  url: string,
  fields = headers,
): Promise<{ status: number; body: string; port: number }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: fields }, (response) => {
      const port = request.socket?.localPort ?? 0
      let body = ''
      response.setEncoding('utf8').on('data', (part) => {
        body += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, port }))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}

function keepAliveAgent() {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return agent
}

async function withServer(handler?: Handler) {
  const server = handler
    ? await listen(handler, { host: '127.0.0.1', port: 0 })
    : await sandbox.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  return server
}

test('answers over HTTP, several times on one connection', async () => {
  const { baseUrl } = await withServer()
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/integration\/v1$/)
  const agent = keepAliveAgent()
  const first = await fetchBy(agent, `${baseUrl}/returns?limit=3`)
  const second = await fetchBy(agent, `${baseUrl}/returns?limit=3`)
  expect(first.status).toBe(200)
  expect(JSON.parse(first.body).returns).toHaveLength(3)
  expect(second).toEqual(first)
})

test('data that can no longer be read are told of in each answer', async () => {
  const folder = newFolder()
  const own = await testSandbox({ file: join(folder, 'sandbox.db'), returns: 3 })
  onTestFinished(() => own.sandbox.close())
  const server = await own.listen()
  const db = await connect(join(folder, 'sandbox.db'))
  db.exec('DELETE FROM meta')
  db.close()
  const ask = (path: string, expected = {}) =>
    fetchBy(new Agent(), server.baseUrl.replace(/\/integration.*/, path), { ...headers, ...expected })
  for (const path of ['/integration/v1/returns', '/__sandbox/health']) {
    const { status, body } = await ask(path)
    expect([status, JSON.parse(body).errors]).toEqual([
      500,
      [{ code: 'IE01', message: "The sandbox can't read its data: The data file has no meta row" }],
    ])
  }
  expect((await ask('/', { expect: 'the unexpected' })).status).toBe(417)
})

test('HEAD has the length of GET but no body, and leaves the connection usable', async () => {
  const { baseUrl } = await withServer()
  const head = await fetch(`${baseUrl}/returns`, { method: 'HEAD', headers })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const whole = await fetch(`${baseUrl}/returns`, { headers })
  expect(whole.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'))
})

test('a port in use is a usage error that names it', async () => {
  const { baseUrl } = await withServer()
  const port = Number(new URL(baseUrl).port)
  const second = sandbox.listen({ host: '127.0.0.1', port })
  await expect(second).rejects.toThrow(`127.0.0.1:${port}: the port is in use`)
  await expect(second).rejects.toMatchObject({ kind: 'usage' })
})

test('closing ends idle connections at once', async () => {
  const server = await sandbox.listen({ host: '127.0.0.1', port: 0 })
  await fetchBy(keepAliveAgent(), `${server.baseUrl}/returns`)
  const started = performance.now()
  await server.close()
  // It would wait for 10 s, as the default limit is.
  expect(performance.now() - started).toBeLessThan(4500)
  await expect(fetchBy(keepAliveAgent(), `${server.baseUrl}/returns`)).rejects.toThrow('ECONNREFUSED')
})

test('closing waits for the answer to a request that has begun, and for no longer', async () => {
  let release = () => {}
  let arrived = () => {}
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const server = await withServer(
    () =>
      new Promise((resolve) => {
        release = () => resolve(new Reply('late', 200, {}))
        arrived()
      }),
  )
  const answer = fetchBy(keepAliveAgent(), server.baseUrl)
  await hasArrived
  let isClosed = false
  const closing = server.close().then(() => {
    isClosed = true
  })
  await delay(30)
  expect(isClosed).toBe(false)
  release()
  expect((await answer).body).toBe('late')
  const started = performance.now()
  await closing
  expect(performance.now() - started).toBeLessThan(4500)
})
