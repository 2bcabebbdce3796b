import { expect, it } from 'vitest'
import type { ResultChange } from '../../../src/lib/api/paginate.ts'
import { createReturnsApi, type Extent } from '../../../src/lib/api/returns.ts'
import { SpecDeviations } from '../../../src/lib/wire/read.ts'
import { expectRejection } from '../../helpers/rejections.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import { testHttp } from '../../helpers/test-http.ts'

type ReturnsApiOptions = Parameters<typeof createReturnsApi>[1]

async function open(script: Parameters<typeof scriptServer>[0], options: Partial<ReturnsApiOptions> = {}) {
  const server = await scriptServer(script)
  const deviations = new SpecDeviations()
  return { api: createReturnsApi(testHttp(server.baseUrl), { deviations, ...options }), server, deviations }
}

async function collect<T>(records: AsyncIterable<T>) {
  const all: T[] = []
  for await (const record of records) all.push(record)
  return all
}

const address = { line1: 'a', city: 'b', postalCode: 'c', countryCode: 'ES' }
const party = { fullName: 'a', email: 'b', phone: 'c', address }
const complete = (id: string, rest = {}) => ({
  id,
  shopCode: 'acme',
  name: `R#-${id}`,
  totalReturnFee: 1,
  totalReturnAmount: 2,
  currency: 'EUR',
  customer: party,
  ecommerceOrder: { id: 'o' },
  origin: party,
  destination: party,
  returnLineItems: [],
  ...rest,
})
const page = (ids: string[], totalRecords = ids.length, totalPages = 1) => ({
  body: { returns: ids.map((id) => complete(id)), pageInfo: { totalRecords, totalPages } },
})

it.each([
  ['a return', complete('2'), 'get'],
  ['refunds', { refunds: [{ returnId: '2' }] }, 'refunds'],
  ['refunds with longer ids', { refunds: [{ returnId: '2', id: 'LU-101' }] }, 'refunds'],
] as const)('refuses %s of another id than was asked for', async (_what, body, method) => {
  const { api } = await open([{ body }])
  await expectRejection(api[method]('LU-1'), 'contract', expect.stringContaining('another return than LU-1'))
})

it('a list without options sends no query', async () => {
  const { api, server, deviations } = await open([page(['1', '2'])])
  const listing = api.list({})
  expect(listing.rest()).toEqual({})
  expect((await collect(listing)).map(({ id }) => id)).toEqual(['1', '2'])
  expect(listing.rest()).toEqual({ pageInfo: { totalRecords: 2, totalPages: 1 } })
  expect(server.requests[0]?.url).toBe('/returns')
  expect(deviations.entries()).toEqual([])
})

it('a list sends every filter by its name', async () => {
  const { api, server } = await open([page([])], { shop: 'acme', timeZone: 'Europe/Madrid' })
  await api.listPage(
    {
      name: 'R#-1',
      status: 'PENDING',
      order: '7',
      createdFrom: 'a',
      createdTo: 'b',
      updatedFrom: 'c',
      updatedTo: 'd',
      refundedFrom: 'e',
      refundedTo: 'f',
    },
    10,
    2,
  )
  expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
    shop_code: 'acme',
    name: 'R#-1',
    status: 'PENDING',
    ecommerce_order: '7',
    created_from: 'a',
    created_to: 'b',
    updated_from: 'c',
    updated_to: 'd',
    refunded_from: 'e',
    refunded_to: 'f',
    limit: '10',
    page: '2',
    time_zone: 'Europe/Madrid',
  })
})

it.each<[Extent, string[], number]>([
  [{ limit: 20 }, ['limit=20'], 20],
  [{ page: 3 }, ['page=3'], 100],
  [{ page: 3, limit: 50 }, ['limit=50&page=3'], 50],
  [{ limit: 1_200 }, ['limit=400&page=1', 'limit=400&page=2', 'limit=400&page=3'], 1_200],
  [{ all: true }, ['limit=500&page=1', 'limit=500&page=2', 'limit=500&page=3'], 1_200],
])('a list with %o asks for the pages %j', async (extent, expected, count) => {
  const total = 1_200
  const { api, server } = await open(({ query }) => {
    const limit = Number(query.get('limit') ?? 100)
    const start = (Number(query.get('page') ?? 1) - 1) * limit
    const ids = Array.from({ length: Math.max(0, Math.min(limit, total - start)) }, (_, index) =>
      String(start + index),
    )
    return page(ids, total, Math.ceil(total / limit))
  })
  const moved: ResultChange[] = []
  const found = await collect(api.list({}, { ...extent, onResultChanged: (info) => moved.push(info) }))
  expect(server.requests.map(({ query }) => String(query))).toEqual(expected)
  expect(found).toHaveLength(count)
  expect(moved).toEqual([])
})

it('a limit within one page goes on where the service caps pages', async () => {
  const { api, server } = await open(({ query }) => {
    const start = (Number(query.get('page') ?? 1) - 1) * 50
    return page(
      Array.from({ length: 50 }, (_, index) => String(start + index)),
      150,
      3,
    )
  })
  const onResultChanged = (info: ResultChange) => expect(info).toBeUndefined()
  expect(await collect(api.list({}, { limit: 60, onResultChanged }))).toHaveLength(60)
  expect(server.requests.map(({ query }) => String(query))).toEqual(['limit=60', 'limit=60&page=2'])
})

it.each([
  ['an id comes twice', ['1', '1', '2']],
  ['the service counts more', ['1', '2']],
])('a single page is shown as it came, though %s', async (_what, ids) => {
  const { api, server } = await open([page(ids, 3, 1)])
  const onResultChanged = (info: ResultChange) => expect(info).toBeUndefined()
  const found = await collect(api.list({}, { limit: 100, onResultChanged }))
  expect(found).toMatchObject(ids.map((id) => ({ id })))
  expect(server.requests).toHaveLength(1)
})

it('records of a list are kept as sent, and deviations are noted', async () => {
  const odd = {
    ...complete('1'),
    totalTax: '1.20',
    status: 'LOST',
    customer: { fullName: 'A' },
    extra: { x: null },
  }
  const { api, deviations } = await open([{ body: { returns: [odd, 7] } }])
  expect(await collect(api.list({}))).toEqual([odd, 7])
  const found = deviations.entries().map(({ path, problem }) => [path, problem])
  expect(found).toEqual(
    expect.arrayContaining([
      ['returns[].customer.email', 'missing'],
      ['returns[].status', 'unknown-value'],
      ['pageInfo', 'missing'],
    ]),
  )
})

it('listPage returns the objects of a page, as far as they fit', async () => {
  const odd = { ...complete('1'), status: 'LOST', currency: 7, customer: 'A' }
  const { api } = await open([{ body: { returns: [null, odd, 7, []] } }])
  const { records, received } = await api.listPage({})
  expect(received).toBe(4)
  expect(records).toEqual([{ ...odd, currency: '7', customer: undefined }])
})

it.each([{}, [], { returns: { a: 1 } }, 'text', null])('%j is refused as a list of returns', async (body) => {
  const { api } = await open([
    { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  ])
  await expectRejection(api.listPage({}), 'contract', /shape.*HTTP 200, application\/json/)
})

it('sentPage returns each return as sent, and notes deviations once', async () => {
  const odd = { ...complete('1'), createdAt: '2026-03-01 10:00:00Z', status: 'LOST' }
  const good = `{"createdAt":"2026-03-01 10:00:00Z","createdAt":"\\u0032026"}`
  const body = `{"returns":[${JSON.stringify(odd)},${good},7],"pageInfo":{"totalRecords":3}}`
  const { api, deviations } = await open([{ body, headers: { 'content-type': 'application/json' } }])
  const { records, received, totalRecords } = await api.sentPage({}, 4, 1)
  expect([received, totalRecords]).toEqual([3, 3])
  expect(records).toEqual([odd, { createdAt: '2026' }])
  expect(deviations.entries()).toContainEqual({
    path: 'returns[].status',
    problem: 'unknown-value',
    values: ['LOST'],
    records: 1,
  })
})

it('totals of a list may be sent as text', async () => {
  const { api } = await open([
    { body: { returns: [complete('1')], pageInfo: { totalRecords: '1', totalPages: '1' } } },
  ])
  const moved: ResultChange[] = []
  await collect(api.list({}, { all: true, onResultChanged: (info) => moved.push(info) }))
  expect(moved).toEqual([])
})

it('a return is read by its encoded id', async () => {
  const { api, server } = await open([{ body: complete('a/b#c') }])
  expect(await api.get('a/b#c')).toEqual(complete('a/b#c'))
  expect(server.requests[0]?.url).toBe('/returns/a%2Fb%23c')
})

it.each(['', '.', '..'])('%j is not taken for the id of a return', async (id) => {
  const { api } = await open([])
  await expectRejection(api.get(id), 'usage')
})

it.each([[], 'text', null, 5])('%j is refused as a return', async (body) => {
  const { api } = await open([{ body: JSON.stringify(body) }])
  await expectRejection(api.get('1'), 'contract')
})

it('an answer without a body is reported as such', async () => {
  const { api } = await open([{ status: 204 }])
  await expect(api.get('1')).rejects.toThrow('expected an object, found nothing (HTTP 204')
})

it.each(['transportations', 'refunds'] as const)('%s are read in an object or bare', async (kind) => {
  const { api, server } = await open([
    { body: { [kind]: [{ id: 'x' }, null] } },
    { body: [{ id: 'x' }, null] },
    { body: {} },
  ])
  for (let times = 0; times < 2; times += 1) {
    expect(await api[kind]('1')).toEqual({ records: [{ id: 'x' }], sent: [{ id: 'x' }, null], rest: {} })
  }
  await expectRejection(api[kind]('1'), 'contract')
  expect(server.requests[0]?.url).toBe(`/returns/1/${kind}`)
})

it('one transportation is read, with its deviations', async () => {
  const { api, server, deviations } = await open([{ body: { id: 't1', status: 'TELEPORTED' } }])
  expect(await api.transportation('1', 't/1')).toEqual({ id: 't1', status: 'TELEPORTED' })
  expect(server.requests[0]?.url).toBe('/returns/1/transportations/t%2F1')
  expect(deviations.entries()).toMatchObject([{ path: 'transportations[].status', values: ['TELEPORTED'] }])
})
