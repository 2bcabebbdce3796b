import { expect, test } from 'vitest'
import { createApp, OPERATIONS } from '../../../../src/lib/sandbox/http/app.ts'
import { openApiDocument } from '../../../../src/lib/sandbox/openapi/document.ts'
import { errorBodySchema } from '../../../../src/lib/wire/tracking.ts'
import { type Answer, NOW, received, testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const { sandbox, request } = await testSandbox({ returns: 120 })

const newest = (await request('/returns?limit=1')).body.returns[0]
const [firstShop = '', secondShop = ''] = valuesOf(sandbox.shops(), 'code')

function expectError(answer: Answer, status: number, code: string) {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(errorBodySchema.parse(answer.body).errors?.[0]?.code).toBe(code)
  expect(Object.keys(answer.body)).toEqual(['errors', 'status', 'requestId'])
  expect(answer.body.status).toBe(status)
  expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
}

test.each(['/', '/nothing', '/returns/', '/returns/1/nothing', '/returns/1/refunds/1'])(
  'the path %s is unknown',
  async (path) => {
    expectError(await request(path), 404, 'NF01')
  },
)

test('paths without the prefix are unknown', async () => {
  const response = await sandbox.fetch(received('http://sandbox.test/returns'))
  expect(response.status).toBe(404)
})

test('a wrong method is answered with the methods that the path accepts', async () => {
  const api = Object.entries(openApiDocument('http://x').paths).map(([path, item]): [string, string[]] => [
    `/integration/v1${path.replace(/\{\w+\}/g, '1')}`,
    Object.keys(item).map((method) => method.toUpperCase()),
  ])
  const others = ['/', '/openapi.json', '/labels/1.pdf'].map((path): [string, string[]] => [path, ['GET']])
  expect(api.length).toBeGreaterThan(8)
  for (const [path, methods] of [...api, ...others]) {
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const refused = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE'].filter(
      (method) => !allowed.includes(method),
    )
    for (const method of refused) {
      const answer = await sandbox.fetch(received(`http://sandbox.test${path}`, { method }))
      const allow = answer.headers.get('allow')?.split(', ').sort()
      expect([method, path, answer.status, allow]).toEqual([method, path, 405, allowed.sort()])
      expect(answer.headers.get('x-request-id')).toMatch(/./)
      if (method !== 'HEAD')
        expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ code: 'MA01' }], status: 405 })
    }
  }
})

test('HEAD answers as GET, whose body the server leaves out', async () => {
  const answer = await request('/returns', { method: 'HEAD' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.body).toEqual((await request('/returns')).body)
  expect((await request('/returns/1', { method: 'HEAD' })).status).toBe(404)
})

test.each(['/', '/openapi.json'])('HEAD %s is answered too', async (path) => {
  const answer = await sandbox.fetch(received(`http://sandbox.test${path}`, { method: 'HEAD' }))
  expect(answer.status).toBe(200)
})

test('each answer has a request id of its own', async () => {
  const ids = await Promise.all([request('/returns'), request('/returns'), request('/nothing')])
  expect(new Set(ids.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3)
  for (const { headers } of ids) expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/)
})

test.each([
  ['no token', '', 'AU01', 'Bearer'],
  ['an invalid token', 'Bearer rubbish', 'AU02', 'Bearer error="invalid_token"'],
  [
    'an expired token',
    `Bearer ${sandbox.issueToken({ lifetimeSeconds: -1 })}`,
    'AU03',
    'Bearer error="invalid_token"',
  ],
])('authentication checks the token: %s', async (_, authorization, code, challenge) => {
  for (const { method, path } of OPERATIONS) {
    const answer = await request(path.replace(/:\w+/g, '1'), { method, headers: { authorization } })
    expectError(answer, 401, code)
    expect(answer.headers.get('www-authenticate')).toBe(challenge)
  }
})

const withShops = (shops: string[]) => ({
  headers: { authorization: `Bearer ${sandbox.issueToken({ shops })}` },
})
const codesIn = (answer: Answer) => new Set(valuesOf(answer.body.returns, 'shopCode'))

test('a list without shop_code has all shops of the token', async () => {
  expect(codesIn(await request('/returns', withShops([firstShop])))).toEqual(new Set([firstShop]))
  expect(codesIn(await request('/returns', withShops([firstShop, secondShop])))).toEqual(
    new Set([firstShop, secondShop]),
  )
})

test('a list with shop_code has that shop', async () => {
  const answer = await request(`/returns?shop_code=${secondShop}`, withShops([firstShop, secondShop]))
  expect(codesIn(answer)).toEqual(new Set([secondShop]))
})

test('a shop outside the token is refused with SC02', async () => {
  for (const path of ['/returns', `/returns/${newest.id}`, `/returns/${newest.id}/transportations`]) {
    expectError(await request(`${path}?shop_code=${secondShop}`, withShops([firstShop])), 400, 'SC02')
  }
})

test("another shop's return is not found", async () => {
  const others = valuesOf(sandbox.shops(), 'code')
  const without = withShops(others.filter((code) => code !== newest.shopCode))
  for (const part of ['', '/transportations', '/transportations/1', '/refunds']) {
    expectError(await request(`/returns/${newest.id}${part}`, without), 404, 'RT01')
  }
  const other = others.find((code) => code !== newest.shopCode)
  expectError(await request(`/returns/${newest.id}?shop_code=${other}`), 404, 'RT01')
})

test.each(['1', '0', 'abc', '99999999999999999999', '100000001x', '%F0%9F%93%A6'])(
  'return %s is not found',
  async (id) => {
    for (const part of ['', '/transportations', '/transportations/1', '/refunds']) {
      expectError(await request(`/returns/${id}${part}`), 404, 'RT01')
    }
  },
)

test('a transportation of another return is not found', async () => {
  const [first, second] = (await request('/returns?limit=2&status=CLOSED')).body.returns
  expect(
    (await request(`/returns/${first.id}/transportations/${first.activeTransportation.id}`)).status,
  ).toBe(200)
  const crossed = `/returns/${first.id}/transportations/${second.activeTransportation.id}`
  expectError(await request(crossed), 404, 'TP01')
})

test('an unexpected failure reveals no details', async () => {
  const fail = () => {
    throw new Error('the disk is on fire')
  }
  const app = createApp({
    store: {
      read: fail,
      write: fail,
      get meta() {
        return fail()
      },
    },
    clock: { now: () => NOW },
    rules: fail,
    dataHeaders: () => ({}),
    sleep: async () => {},
  })
  const response = await app.fetch(received('http://sandbox.test/integration/v1/returns'))
  expect(response.status).toBe(500)
  expect(JSON.parse(response.text)).toEqual({
    errors: [{ code: 'IE01', message: 'Internal error' }],
    status: 500,
    requestId: expect.stringMatching(/^req_[\da-f-]{36}$/),
  })
})
