import { expect, test } from 'vitest'
import type { NewReturn } from '../../../../src/lib/sandbox/returns/new-return.ts'
import { checkNewReturn } from '../../../../src/lib/sandbox/scenarios/scenario.ts'
import { type Return, returnSchema } from '../../../../src/lib/wire/returns.ts'
import { asTyped } from '../../../helpers/command-line.ts'
import { SHOP } from '../../../helpers/label-requests.ts'
import { clientOf, testSandbox } from '../../../helpers/sandbox-client.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

const DAY = 86_400
const { sandbox } = await testSandbox({ returns: 300 })
const { control } = sandbox
/** With a token of the time that it is by now. */
const client = () => clientOf(sandbox)

let orders = 0
const create = (wanted: Partial<NewReturn> = {}) => {
  orders += 1
  return control.createReturn({ shop: SHOP, orderName: `T${orders}`, ...wanted })
}
const decide = (action: Parameters<typeof control.decide>[0], { name }: Return) =>
  control.decide(action, name)
const report = async ({ name, shopCode }: Return, trackingStatus: string) => {
  const body = JSON.stringify({ shopCode, shipmentId: name, trackingStatus })
  const { status } = await client().request('/shipping_trackings', { method: 'POST', body })
  expect(status).toBe(200)
}
const refundsOf = async (record: Return) =>
  (await client().refundsOf(record)).map(({ refundMode, status }) => `${refundMode} ${status}`)
const refused = (promise: Promise<unknown>, kind: string, text: string) =>
  expect(promise).rejects.toMatchObject({ kind, message: expect.stringContaining(text) })

test('a new return waits for its parcel, and is found like any other', async () => {
  const record = await create({ orderName: 'NEW-1' })
  returnSchema.parse(record)
  expect(record).toMatchObject({
    shopCode: SHOP,
    name: 'R#-NEW-1',
    createdAt: '2026-04-15 12:00:00Z',
    status: 'PENDING',
    totalReturnFee: 0,
    totalReturnAmount: 49.95,
    totalTax: 8.67,
    totalRefund: 49.95,
    ecommerceOrder: { name: 'NEW-1' },
    activeTransportation: { status: 'REQUESTED', clientReference: 'P#R#LUMNEW-1' },
  })
  expect(record.returnLineItems).toHaveLength(1)
  expect(await refundsOf(record)).toEqual(['POST_VALIDATION PENDING'])
  const { request } = client()
  const newest = (await request('/returns?limit=1')).body.returns
  expect(newest).toEqual([record])
  for (const query of ['name=R%23-NEW-1', 'ecommerce_order=NEW-1', 'created_from=2026-04-15T12:00:00']) {
    expect((await request(`/returns?${query}`)).body.returns).toEqual([record])
  }
  expect((await request(`/returns/${record.id}`)).body).toEqual(record)
})

test('a new return whose name is that of a second return of another order takes the next free number', async () => {
  const { request } = client()
  const named = asTyped(async (orders) => {
    const made: Return[] = []
    for (const orderName of orders) made.push(await create({ orderName }))
    return made
  })
  const returns = [...(await named`COL COL-2 COL COL-2 COL`), ...(await named`ROW ROW ROW-2`)]
  expect(returns.map(({ name, merchantReturnName }) => `${name} ${merchantReturnName}`)).toEqual([
    'R#-COL COL-R1',
    'R#-COL-2 COL-2-R1',
    'R#-COL-3 COL-R3',
    'R#-COL-2-2 COL-2-R2',
    'R#-COL-4 COL-R4',
    'R#-ROW ROW-R1',
    'R#-ROW-2 ROW-R2',
    'R#-ROW-2-2 ROW-2-R2',
  ])
  // Each by each of its names, and no other with it.
  const ids = ['name', 'merchantReturnName'] as const
  for (const [at, record] of returns.entries()) {
    for (const id of ids) {
      const carrierTrackingCode = `${id}-${at}`
      const types = { name: 'RETURN_NAME', merchantReturnName: 'MERCHANT_RETURN_NAME' }
      const shippingLabels = [{ carrierTrackingCode }]
      const update = { shopCode: SHOP, shipmentId: record[id], shipmentIdType: types[id], shippingLabels }
      const init = { method: 'PUT', body: JSON.stringify(update) }
      expect((await request('/shipping_labels', init)).status).toBe(200)
      const all = await Promise.all(returns.map(async (one) => (await request(`/returns/${one.id}`)).body))
      const having = all.filter((one) => one.activeTransportation.carrierReference === carrierTrackingCode)
      expect(valuesOf(having, 'name')).toEqual([record.name])
    }
    await report(record, 'SHIPPING_IN_PROGRESS')
    const list = (await request(`/returns?name=${encodeURIComponent(record.name)}`)).body.returns
    expect(list).toMatchObject([{ id: record.id, status: 'RECEPTION_IN_PROGRESS' }])
  }
})

test('a new return of the same order has the next name and the same customer', async () => {
  const first = await create({ orderName: 'TWO' })
  const second = await create({ orderName: 'TWO' })
  const elsewhere = await create({ orderName: 'TWO', shop: 'HARROW-UK' })
  expect([first.name, second.name, elsewhere.name]).toEqual(['R#-TWO', 'R#-TWO-2', 'R#-TWO'])
  expect([second.ecommerceOrder, second.customer]).toEqual([first.ecommerceOrder, first.customer])
  expect(Number(second.id)).toBe(Number(first.id) + 1)
})

test('the client reference follows the order, with a later number if that is taken', async () => {
  const made: Return[] = []
  for (const orderName of ['7001', '7001-1', '7001-02', '7001', '7001-2', '7002-2', '7002', '7002'])
    made.push(await create({ orderName }))
  expect(made.map(({ activeTransportation }) => activeTransportation?.clientReference?.slice(7))).toEqual([
    ...['7001', '7001-1', '7001-02', '7001-2', '7001-2-2', '7002-2', '7002', '7002-3'],
  ])
})

test('a new return has the given items, with one refund per mode and way of paying', async () => {
  const [one, two] = (await client().allReturns())
    .filter(({ shopCode }) => shopCode === SHOP)
    .flatMap(({ returnLineItems }) => returnLineItems)
  const record = await create({
    carrierServiceCode: 'SEUR_PICKUP_24',
    fee: 3.5,
    lines: [
      { sku: one?.sku, price: 20, discount: 2.5, quantity: 2, refundMode: 'INSTANT' },
      { price: 10, refundMode: 'MANUAL', refundType: 'GIFT_CARD' },
      { sku: two?.sku, price: 30, exchange: { sku: String(one?.sku), price: 45.5 } },
    ],
  })
  expect(record).toMatchObject({ totalReturnAmount: 75, totalReturnFee: 3.5, totalRefund: 71.5 })
  expect(record.activeTransportation).toMatchObject({
    carrierServiceCode: 'SEUR_PICKUP_24',
    pickupDate: '2026-04-16',
  })
  expect(record.returnLineItems[0]).toMatchObject({ sku: one?.sku, paid: 17.5, returnAmount: 35 })
  expect(record.returnLineItems[2]).toMatchObject({ sku: two?.sku, refundType: 'EXCHANGE', price: 30 })
  expect(record.returnLineItems[2]?.exchangeLineItems).toMatchObject([
    { sku: one?.sku, productName: one?.productName, price: 45.5, quantity: 1 },
  ])
  expect(await refundsOf(record)).toEqual(['INSTANT EXECUTED', 'MANUAL PENDING', 'POST_VALIDATION PENDING'])
  const refunds = await client().refundsOf(record)
  expect(refunds.map(({ amount, fee }) => [amount, fee])).toEqual([
    [31.5, 3.5],
    [10, 0],
    [30, 0],
  ])
})

test.each<[Partial<NewReturn>, string]>([
  [{ shop: 'NOWHERE' }, 'no shop NOWHERE'],
  [{ carrierServiceCode: 'PIGEON' }, 'no carrier service PIGEON'],
  [{ fee: 1_000_001 }, 'fee'],
  [{ lines: Array(100).fill({}) }, 'lines'],
  [{ lines: [{ sku: 'NOTHING' }] }, 'lines[0].sku'],
  [{ lines: [{}, { price: Number.NaN }] }, 'lines[1].price'],
  [{ lines: [{ price: 5, discount: 6 }] }, 'lines[0].discount'],
  [{ lines: [{ quantity: 1001 }] }, 'lines[0].quantity'],
  [{ lines: [{ exchange: { sku: 'NOTHING' } }] }, 'lines[0].exchange.sku'],
])('no return is created from %j', async (wanted, text) => {
  const count = async () => (await client().request('/returns?limit=1')).body.pageInfo.totalRecords
  const before = await count()
  await refused(create(wanted), 'usage', text)
  expect(await count()).toBe(before)
})

test.each([
  { orderName: ' ' },
  { fee: -1 },
  { lines: [] },
  { lines: [{ price: Number.NaN }] },
  { lines: [{ quantity: 0 }] },
  { lines: [{ quantity: 1.5 }] },
])('a wish for a return with %j is refused as it is read', (wanted) => {
  const read = () => checkNewReturn({ shop: SHOP, orderName: '1', ...wanted })
  expect(read).toThrow('This is not a return that can be made')
})

test('a new return can be the first of all', async () => {
  const empty = await testSandbox({ returns: 0 })
  const record = await empty.sandbox.control.createReturn({ shop: SHOP, orderName: '1' })
  expect((await empty.request('/returns')).body.returns).toEqual([record])
})

test('a return that is validated gets its transport and its early refund', async () => {
  const record = await create({ needsValidation: true, lines: [{ refundMode: 'PRE_VALIDATION' }] })
  expect([record.status, record.activeTransportation]).toEqual(['NEEDS_VALIDATION', undefined])
  expect(await refundsOf(record)).toEqual(['PRE_VALIDATION PENDING'])
  const approved = await decide('approve', record)
  expect(approved).toMatchObject({ status: 'PENDING', activeTransportation: { status: 'REQUESTED' } })
  expect(await refundsOf(record)).toEqual(['PRE_VALIDATION EXECUTED'])
  const unchecked = await create({ lines: [{ refundMode: 'PRE_VALIDATION' }] })
  expect(await refundsOf(unchecked)).toEqual(['PRE_VALIDATION EXECUTED'])
  await refused(decide('approve', record), 'rejected', `${record.name} is PENDING`)
})

test('demo returns take decisions too, by id as well', async () => {
  const waiting = (await client().allReturns()).find(({ status }) => status === 'NEEDS_VALIDATION')
  const approved = await control.decide('approve', String(waiting?.id))
  expect(approved.status).toBe('PENDING')
})

test.each([[true], [false]])(
  'a return is discarded with all that is open (validation: %s)',
  async (needsValidation) => {
    const record = await create({ needsValidation, lines: [{}, { refundMode: 'INSTANT' }] })
    const discarded = await decide('discard', record)
    expect(discarded.status).toBe('DISCARDED')
    expect(discarded.cancelledAt).toBe(discarded.updatedAt)
    expect(discarded.activeTransportation?.status).toBe(needsValidation ? undefined : 'SHIPPING_CANCELLED')
    expect(await client().transportsOf(record)).toHaveLength(needsValidation ? 0 : 1)
    expect(await refundsOf(record)).toEqual(['INSTANT EXECUTED'])
    await refused(decide('discard', record), 'rejected', 'is DISCARDED')
  },
)

test('a parcel that the driver was to fetch is called off as such', async () => {
  const record = await create({ carrierServiceCode: 'SEUR_PICKUP_24' })
  await report(record, 'PICK_UP_IN_PROGRESS')
  expect((await decide('discard', record)).activeTransportation?.status).toBe('PICK_UP_CANCELLED')
})

test('the warehouse takes its steps one after the other', async () => {
  const record = await create()
  for (const step of ['receive', 'check', 'close'] as const)
    await refused(decide(step, record), 'rejected', 'PENDING')
  await report(record, 'SHIPPING_COMPLETED')
  expect((await decide('receive', record)).status).toBe('RECEIVED')
  expect(await refundsOf(record)).toEqual(['POST_VALIDATION PENDING'])
  expect((await decide('check', record)).status).toBe('CHECKED')
  expect(await refundsOf(record)).toEqual(['POST_VALIDATION EXECUTED'])
  await refused(decide('check', record), 'rejected', 'CHECKED')
  expect((await decide('close', record)).status).toBe('CLOSED')
  await refused(decide('discard', record), 'rejected', 'CLOSED')
})

test('a refund is executed by hand, once', async () => {
  const record = await create({ lines: [{ refundMode: 'MANUAL' }] })
  const [refund] = await client().refundsOf(record)
  const id = String(refund?.id)
  await control.executeRefund(id)
  expect(await refundsOf(record)).toEqual(['MANUAL EXECUTED'])
  await refused(control.executeRefund(id), 'rejected', id)
  for (const unknown of ['', 'x', '0', `${id}9`, String(Number(id) + 1)]) {
    await refused(control.executeRefund(unknown), 'not-found', unknown)
  }
})

test('a decision about a missing return is refused with its name', async () => {
  for (const ref of ['R#-NOTHING', '7', '']) await refused(control.decide('check', ref), 'not-found', ref)
})

test('a delivered return that nobody checks keeps its state and its open refund', async () => {
  const record = await create({ lines: [{ refundMode: 'POST_VALIDATION' }] })
  await report(record, 'SHIPPING_COMPLETED')
  await control.advance(90 * DAY)
  expect((await client().request(`/returns/${record.id}`)).body.status).toBe('RECEPTION_COMPLETED')
  expect(await refundsOf(record)).toEqual(['POST_VALIDATION PENDING'])
})

test('a lost parcel stays in transit until it arrives', async () => {
  const record = await create()
  await report(record, 'SHIPPING_IN_PROGRESS')
  await decide('lose-parcel', record)
  await control.advance(60 * DAY)
  const [transport] = await client().transportsOf(record)
  expect([transport?.status, transport?.trackingEvents?.length]).toEqual(['SHIPPING_IN_PROGRESS', 1])
  await report(record, 'SHIPPING_COMPLETED')
  expect((await client().request(`/returns/${record.id}`)).body.status).toBe('RECEPTION_COMPLETED')
  await refused(decide('lose-parcel', record), 'rejected', 'no parcel')
  await refused(decide('lose-parcel', await create({ needsValidation: true })), 'rejected', 'no parcel')
})

test('parcels of new returns travel as well', async () => {
  const made = await Promise.all(times(60, () => create()))
  await control.advance(40 * DAY)
  const statuses = new Map<string, number>()
  for (const { id } of made) {
    const { status, activeTransportation } = (await client().request(`/returns/${id}`)).body
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 'RECEPTION_COMPLETED')
      expect(activeTransportation.carrierReference).toMatch(/^[A-Z]{2}\d+$/)
  }
  expect(statuses.get('RECEPTION_COMPLETED')).toBeGreaterThan(40)
  // A tenth is never handed in.
  expect(statuses.get('EXPIRED')).toBeGreaterThan(2)
  expect(statuses.get('EXPIRED')).toBeLessThan(15)
  expect(statuses.get('PENDING')).toBeUndefined()
})
