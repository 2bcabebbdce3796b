import { afterEach, expect, test } from 'vitest'
import { CONTROL_OPERATIONS } from '../../../../src/lib/sandbox/control/app.ts'
import { NOW, testSandbox } from '../../../helpers/sandbox-client.ts'
import { send } from '../../../helpers/wire-client.ts'

const { sandbox, listen } = await testSandbox({ returns: 20 })
const listener = await listen({ rateLimit: { limit: 1, windowMs: 60_000 } })
afterEach(() => sandbox.faults.clear())

async function control(method: string, path: string, body?: unknown, token = listener.controlToken) {
  const answer = await send(listener.controlUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) }
}

test.each(Object.keys(CONTROL_OPERATIONS).map((operation) => operation.split(' ')))(
  '%s %s accepts only the control token',
  async (method, path) => {
    for (const token of ['', 'x', sandbox.issueToken(), `${listener.controlToken}x`]) {
      const { status, body } = await control(method, path, undefined, token)
      expect([status, body.errors[0].code, body.status]).toEqual([401, 'CT01', 401])
    }
  },
)

test('the control token gives no access to the platform', async () => {
  const answer = await send(`${listener.baseUrl}/returns`, {
    headers: { authorization: `Bearer ${listener.controlToken}` },
  })
  expect(JSON.parse(answer.text).errors[0].code).toBe('AU02')
})

test('control requests are neither limited nor logged nor hit by faults', async () => {
  await sandbox.faults.set([{ route: '* *', kind: 'reset' }])
  const before = sandbox.requests().length
  for (const path of ['/status', '/health', '/status']) expect((await control('GET', path)).status).toBe(200)
  expect(sandbox.requests()).toHaveLength(before)
  expect(sandbox.faults.list()[0]?.seen).toBe(0)
})

test('only /health is answered without a token', async () => {
  const { status, headers, text } = await send(`${listener.controlUrl}/health`)
  expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok' }])
  expect(headers['x-rma-sandbox']).toMatch(/^\w+$/)
  for (const path of ['/health/', '/healthy', '/status']) {
    expect([path, (await send(listener.controlUrl + path)).status]).toEqual([path, 401])
  }
})

test('/status tells clock, shops, limit and counts', async () => {
  expect((await control('GET', '/status')).body).toEqual({
    startedAt: new Date(NOW).toISOString(),
    rateLimit: '1/60s',
    now: new Date(NOW).toISOString(),
    shops: sandbox.shops().map(({ code }) => code),
    requests: sandbox.requests().length,
    faults: 0,
  })
})

test('faults are set, added, listed, removed and cleared', async () => {
  const route = 'POST /shipping_trackings'
  const set = await control('PUT', '/faults', { faults: [{ id: 'a', route, kind: 'reset', rate: 0.5 }] })
  const a = { id: 'a', route, kind: 'reset', rate: 0.5, after: 0, seed: 1, seen: 0, hits: 0 }
  expect(set.body).toEqual({ faults: [a] })
  const added = await control('POST', '/faults', { route, kind: '500' })
  expect(added.body).toMatchObject({ id: 'fault-1', rate: 1 })
  expect((await control('GET', '/faults')).body.faults).toMatchObject([{ id: 'a' }, { id: 'fault-1' }])
  expect((await control('DELETE', '/faults/a')).body.faults).toMatchObject([{ id: 'fault-1' }])
  expect(await control('DELETE', '/faults/a')).toMatchObject({
    status: 404,
    body: { errors: [{ code: 'CT02' }] },
  })
  expect((await control('DELETE', '/faults')).body).toEqual({ faults: [] })
  expect(sandbox.faults.list()).toEqual([])
})

test.each([
  ['PUT', '/faults', '{', 400, 'not JSON'],
  ['PUT', '/faults', undefined, 400, 'must be a list of faults'],
  ['PUT', '/faults', [{ route: '* *', kind: 'x' }], 400, 'faults[0].kind must be one of'],
  ['POST', '/faults', { route: '* *', kind: 'reset', rate: 2 }, 400, 'rate must be from 0 to 1'],
  ['GET', '/requests?last=many', undefined, 400, 'last must be a whole number'],
  ['GET', '/requests?status=9', undefined, 400, 'status must look like'],
  ['GET', '/requests?newest=1', undefined, 400, 'newest'],
  ['POST', '/reset', { returns: -1 }, 400, 'returns: -1'],
  ['GET', '/nothing', undefined, 404, 'No such path'],
  ['PATCH', '/faults', undefined, 405, 'PATCH is not allowed'],
])('%s %s with %j: %d', async (method, path, body, status, message) => {
  const answer = await control(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({ status, requestId: answer.headers['x-request-id'] })
  expect(answer.body.errors[0].message).toMatch(message)
  if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD, PUT, POST, DELETE')
  expect(sandbox.faults.list()).toEqual([])
})

test('/requests filters the log, and a reset keeps it', async () => {
  await send(`${listener.baseUrl}/returns`, { headers: { authorization: `Bearer ${sandbox.issueToken()}` } })
  await send(`${listener.baseUrl}/nothing`, { headers: { authorization: 'Bearer other' } })
  await expect.poll(() => sandbox.requests({ route: 'GET /nothing' }).length).toBe(1)
  const { requests, total } = (await control('GET', '/requests?last=1&status=404&route=GET%20*')).body
  expect(requests).toMatchObject([{ path: '/nothing', status: 404 }])
  expect((await control('POST', '/reset', { returns: 7, seed: 3 })).body).toEqual({ reset: true })
  const headers = { authorization: `Bearer ${sandbox.issueToken({ subject: 'after' })}` }
  const { text } = await send(`${listener.baseUrl}/returns`, { headers })
  expect(JSON.parse(text).pageInfo.totalRecords).toBe(7)
  expect((await control('GET', '/status')).body.requests).toBe(total + 1)
})
