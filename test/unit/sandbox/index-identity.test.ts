import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { SANDBOX_HEADER, SANDBOX_TIME_HEADER } from '../../../src/lib/wire/read.ts'
import { newFolder } from '../../helpers/files.ts'
import { NOW, received, testSandbox } from '../../helpers/sandbox-client.ts'

const folder = newFolder()
const marksOf = ({ headers }: { headers: Headers }) => [
  headers.get(SANDBOX_HEADER),
  headers.get(SANDBOX_TIME_HEADER),
]

test.each([':memory:', join(folder, 'sandbox.db')])(
  'the id of the data outlives a restart and the move of the clock, and not a reset: %s',
  async (file) => {
    const one = await testSandbox({ file, returns: 5 })
    const [id, time] = marksOf(await one.request('/returns'))
    expect([id, time]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), new Date(NOW).toISOString()])
    await one.sandbox.control.advance(90)
    expect(marksOf(await one.request('/returns'))).toEqual([id, new Date(NOW + 90_000).toISOString()])
    if (file !== ':memory:') {
      const two = await testSandbox({ file })
      expect(marksOf(await two.request('/returns'))[0]).toBe(id)
      two.sandbox.close()
    }
    await one.sandbox.reset({ returns: 5 })
    const [other, now] = marksOf(await one.request('/returns'))
    expect(other).not.toBe(id)
    expect(now).toBe(new Date(NOW).toISOString())
    one.sandbox.close()
  },
)

test('every answer over the wire says that it is of a sandbox, whoever gives it', async () => {
  const { sandbox, listen } = await testSandbox({ returns: 5 })
  const listener = await listen({ rateLimit: { limit: 2, windowMs: 60_000 } })
  const { origin, port } = new URL(listener.baseUrl)
  const ask = (path: string, init: RequestInit = {}) => fetch(origin + path, init)
  const [id] = marksOf(await ask('/'))
  expect(id).toEqual(expect.any(String))
  const authorization = `Bearer ${sandbox.issueToken()}`
  await sandbox.faults.add({ route: 'GET /returns', kind: 'html', count: 1 })
  for (const [status, path, init] of [
    [502, '/integration/v1/returns', { headers: { authorization } }],
    [405, '/integration/v1/returns', { method: 'PATCH', headers: { authorization } }],
    [429, '/integration/v1/returns', { headers: { authorization } }],
    [413, '/integration/v1/pudos', { method: 'POST', body: 'x'.repeat(11_000_000) }],
    [401, '/integration/v1/returns', { headers: { authorization: 'Bearer x' } }],
    [404, '/nothing', {}],
    [401, '/__sandbox/status', {}],
  ] as const) {
    const answer = await ask(path, init)
    expect([path, answer.status, marksOf(answer)]).toEqual([path, status, [id, new Date(NOW).toISOString()]])
  }
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('no HTTP\r\n\r\n')
  expect(await text(socket)).toContain(`${SANDBOX_HEADER}: ${id}`)
})

test('the page of the interface lets nothing load, run or frame it', async () => {
  const { sandbox } = await testSandbox({ returns: 5 })
  const { headers } = await sandbox.fetch(received('http://sandbox.test/'))
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/)
  expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual(['nosniff', 'DENY'])
})
