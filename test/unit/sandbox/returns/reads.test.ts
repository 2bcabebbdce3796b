import { expect, test } from 'vitest'
import { returnListSchema } from '../../../../src/lib/wire/returns.ts'
import { parseServiceDate } from '../../../../src/lib/wire/time.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { pageOf } from '../../../helpers/script-server.ts'

const { request, allReturns } = await testSandbox({ returns: 700 })
const all = await allReturns()
const list = async (query: string) => returnListSchema.parse((await request(`/returns?${query}`)).body)
const names = async (query: string) => (await list(query)).returns.map((record) => record.name)
const wall = (date: unknown) => String(date).replace(' ', 'T').slice(0, 19)

test('a page without parameters has the last 100 created', async () => {
  const answer = await list('')
  expect(answer.returns).toEqual(all.slice(0, 100))
  expect(answer.pageInfo).toEqual({ totalRecords: 700, totalPages: 7 })
})

test('returns are listed newest first', () => {
  const keys = all.map((record) => `${record.createdAt} ${record.id}`)
  expect(keys).toEqual([...keys].sort().reverse())
})

test('the last page is short, and the page after it is empty', async () => {
  expect((await list('limit=300&page=3')).returns).toEqual(all.slice(600))
  expect(await list('limit=300&page=4')).toEqual({
    returns: [],
    pageInfo: { totalRecords: 700, totalPages: 3 },
  })
  expect((await list('limit=500&page=9007199254740991')).returns).toEqual([])
})

test('an empty page has a total of 0', async () => {
  expect(await list('name=nothing')).toEqual(pageOf([]))
})

const second = all.find((record) => record.name.endsWith('-2'))
const order = second?.ecommerceOrder
const pair = [`R#-${order?.name}-2`, `R#-${order?.name}`]

test('a filter by name finds one return', async () => {
  expect(await names(`name=${encodeURIComponent(pair[0] ?? '')}`)).toEqual([pair[0]])
  expect(await names(`name=${encodeURIComponent(pair[1] ?? '')}`)).toEqual([pair[1]])
})

test('a filter by order id or order name finds all its returns', async () => {
  expect(await names(`ecommerce_order=${order?.id}`)).toEqual(pair)
  expect(await names(`ecommerce_order=${order?.name}`)).toEqual(pair)
})

test.each(['R', 'LU', 'LU10', '%', "' OR 1=1", 'R#-'])('part of an order finds none: %s', async (text) => {
  expect(await names(`ecommerce_order=${encodeURIComponent(text)}`)).toEqual([])
})

test('filters by name and order are combined', async () => {
  const name = encodeURIComponent(pair[0] ?? '')
  expect(await names(`name=${name}&ecommerce_order=${order?.name}`)).toEqual([pair[0]])
  expect(await names(`name=${name}&ecommerce_order=${all[1]?.ecommerceOrder.name}`)).toEqual([])
  expect(await names(`name=${name}&shop_code=${second?.shopCode}`)).toEqual([pair[0]])
})

const some = all[333]

test('both bounds of a date range are inclusive, to the second', async () => {
  const at = wall(some?.createdAt)
  const next = new Date(Date.parse(`${at}Z`) + 1000).toISOString().slice(0, 19)
  const before = new Date(Date.parse(`${at}Z`) - 1000).toISOString().slice(0, 19)
  expect(await names(`created_from=${at}&created_to=${at}`)).toEqual([some?.name])
  expect(await names(`created_from=${next}&created_to=${next}`)).toEqual([])
  expect(await names(`created_from=${before}&created_to=${before}`)).toEqual([])
})

test('dates are wall times of the zone, in filters and in answers', async () => {
  const query = 'time_zone=Asia/Tokyo'
  const [record] = (await list(`${query}&limit=1`)).returns
  expect(record?.createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+09:00$/)
  expect(parseServiceDate(record?.createdAt ?? '')).toBe(parseServiceDate(all[0]?.createdAt ?? ''))
  const at = wall(record?.createdAt)
  expect(await names(`${query}&created_from=${at}&created_to=${at}`)).toEqual([record?.name])
  expect(await names(`created_from=${at}`)).toEqual([])
})

test('dates of transports and refunds are in the zone too', async () => {
  const [closed] = (await list('status=CLOSED&limit=1')).returns
  const zone = '?time_zone=Europe/Madrid'
  const answers = await Promise.all(
    ['', '/transportations', `/transportations/${closed?.activeTransportation?.id}`, '/refunds'].map((part) =>
      request(`/returns/${closed?.id}${part}${zone}`),
    ),
  )
  for (const { body } of answers) {
    const text = JSON.stringify(body)
    expect(text).toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0[12]:00"/)
    expect(text).not.toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ"/)
  }
})

test('a single read is the record of the list', async () => {
  for (const record of [all[0], all[99], all[650]]) {
    expect((await request(`/returns/${record?.id}`)).body).toEqual(record)
  }
})

test('texts of every script and with every sign are shown as they were reported', async () => {
  const client = await testSandbox({ returns: 30 })
  const awaited = (await client.allReturns()).find(
    ({ activeTransportation }) => activeTransportation?.status === 'REQUESTED',
  )
  for (const text of ['a "quoted"', '\\', 'Zustellér – 配送 🚚', 'ud800 \ud800', '\u007f\u0000\u001f']) {
    const body = {
      ...{ shopCode: awaited?.shopCode, shipmentId: awaited?.name, trackingStatus: 'SHIPPING_IN_PROGRESS' },
      ...{ carrierName: `x${text}x`, trackingNumber: `1${text}1`, trackingStatusDescription: `.${text}.` },
    }
    const init = { method: 'POST', body: JSON.stringify(body) }
    expect((await client.request('/shipping_trackings', init)).status).toBe(200)
    const { carrierName, trackingNumber: carrierReference } = body
    const { body: record } = await client.request(`/returns/${awaited?.id}`)
    expect(record.activeTransportation).toMatchObject({ carrierReference })
    const [transport] = await client.transportsOf(record)
    expect(transport).toMatchObject(record.activeTransportation)
    const description = body.trackingStatusDescription
    expect(transport?.trackingEvents?.at(-1)).toMatchObject({ carrierName, description })
    expect((await client.allReturns()).find(({ id }) => id === awaited?.id)).toEqual(record)
  }
})
