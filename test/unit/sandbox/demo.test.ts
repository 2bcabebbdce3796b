import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORT_TRANSITIONS,
  TRANSPORTATION_STATUSES,
} from '../../../src/lib/wire/enumerations.ts'
import { type Refund, refundListSchema } from '../../../src/lib/wire/refunds.ts'
import { type Return, returnSchema } from '../../../src/lib/wire/returns.ts'
import { parseServiceDate } from '../../../src/lib/wire/time.ts'
import { type Transportation, transportationListSchema } from '../../../src/lib/wire/transportations.ts'
import { asTyped } from '../../helpers/command-line.ts'
import { NOW, testSandbox } from '../../helpers/sandbox-client.ts'
import { pageOf } from '../../helpers/script-server.ts'
import { valuesOf } from '../../helpers/values-of.ts'

interface Story {
  record: Return
  transports: Transportation[]
  refunds: Refund[]
}

const { request, allReturns, transportsOf, refundsOf } = await testSandbox()
const stories: Story[] = []
for (const record of await allReturns()) {
  stories.push({ record, transports: await transportsOf(record), refunds: await refundsOf(record) })
}
const records = valuesOf(stories, 'record')
const lines = records.flatMap((record) => record.returnLineItems)
const transports = stories.flatMap((story) => story.transports)
const refunds = stories.flatMap((story) => story.refunds)

/** Ms, or NaN, which equals no time. */
const time = (date: unknown) =>
  typeof date === 'string' ? (parseServiceDate(date) ?? Number.NaN) : Number.NaN
/** Minor units as a whole number; fails for an amount with more decimals than the currency has. */
function minor(amount: unknown, currency: unknown): number {
  const factor = currency === 'JPY' || currency === 'KRW' ? 1 : 100
  const whole = Math.round(Number(amount) * factor)
  same(whole / factor, amount)
  return whole
}
/** Faults found by the running test. One assertion for each value would take longer than everything else here. */
const odd: unknown[] = []
const same = (found: unknown, wanted: unknown) => {
  if (!Object.is(found, wanted)) odd.push({ found, wanted })
}
const holds = (isFine: boolean, ...about: unknown[]) => {
  if (!isFine) odd.push(about)
}
const expectNothingOdd = () => expect(odd.splice(0)).toEqual([])
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const distinct = (values: unknown[]) =>
  new Set(values.filter((value) => value !== undefined && value !== null))

/** Examples in the documentation, and scripts of those who try rma out, name returns of the demo data. */
test('the demo data of a day stay the same until they are changed on purpose', () => {
  const digest = createHash('sha256').update(JSON.stringify(stories)).digest('hex').slice(0, 16)
  expect(digest).toBe('36202cef40c6e57e')
})

test('demo records keep to the schemas', () => {
  for (const story of stories) {
    returnSchema.parse(story.record)
    transportationListSchema.parse({ transportations: story.transports })
    refundListSchema.parse({ refunds: story.refunds })
  }
  expect(records).toHaveLength(1200)
})

test('demo records have unique ids and names', () => {
  for (const list of [records, transports, refunds, lines]) {
    expect(distinct(list.map(({ id }) => id)).size).toBe(list.length)
  }
  expect(distinct(valuesOf(records, 'name')).size).toBe(1200)
  expect(distinct(lines.map((line) => line.ecommerceLineItem?.lineItemId)).size).toBe(lines.length)
})

test('demo records show every status, mode, shop and currency', () => {
  expect(distinct(valuesOf(records, 'status'))).toEqual(new Set(RETURN_STATUSES))
  expect(distinct(valuesOf(transports, 'status'))).toEqual(new Set(TRANSPORTATION_STATUSES))
  expect(distinct(valuesOf(refunds, 'status'))).toEqual(new Set(REFUND_STATUSES))
  expect(distinct(valuesOf(lines, 'refundMode'))).toEqual(new Set(REFUND_MODES))
  expect(distinct(valuesOf(lines, 'refundType'))).toEqual(new Set(REFUND_TYPES))
  expect(distinct(valuesOf(records, 'shopCode')).size).toBe(5)
  expect(distinct(valuesOf(records, 'baseCurrency'))).toEqual(new Set(['EUR', 'GBP', 'USD', 'JPY', 'SEK']))
  expect(distinct(valuesOf(records, 'currency')).size).toBeGreaterThan(8)
  expect(distinct(records.map(({ customer }) => customer.address?.countryCode)).size).toBeGreaterThan(12)
  expect(distinct(valuesOf(transports, 'serviceType')).size).toBe(5)
  expect(records.some(({ customer }) => /[À-ž]/.test(customer.fullName))).toBe(true)
  expect(records.some(({ customer }) => /\p{Script=Han}/u.test(customer.fullName))).toBe(true)
  expect(stories.filter((story) => story.transports.length > 1).length).toBeGreaterThan(20)
  expect(lines.filter((line) => line.exchangeLineItems !== undefined).length).toBeGreaterThan(30)
  expect(records.filter((record) => record.customerIban !== undefined).length).toBeGreaterThan(30)
})

test('names of returns are made from the order', () => {
  for (const { name, ecommerceOrder } of records) {
    expect([`R#-${ecommerceOrder.name}`, `R#-${ecommerceOrder.name}-2`]).toContain(name)
  }
})

test('names of second returns follow an earlier return of the same order and customer', () => {
  const seconds = records.filter((record) => record.name === `R#-${record.ecommerceOrder.name}-2`)
  expect(seconds.length).toBeGreaterThan(30)
  for (const second of seconds) {
    const first = records.find((record) => record.name === `R#-${second.ecommerceOrder.name}`)
    expect(first?.ecommerceOrder).toEqual(second.ecommerceOrder)
    expect(first?.customer).toEqual(second.customer)
    expect(time(first?.createdAt)).toBeLessThan(time(second.createdAt))
  }
})

test('names of transports carry the short code of the shop', () => {
  for (const { record, transports } of stories) {
    for (const { clientReference } of transports) {
      holds(/^P#R#(LUM|HRW|PNC|SRA|FJO)/.test(clientReference ?? ''), clientReference)
      const order = record.ecommerceOrder.name ?? ''
      same(clientReference?.slice(7, 7 + order.length), order)
    }
  }
  expectNothingOdd()
})

test('names of transports name one each, in the order in which those of an order were made', () => {
  const orders = new Map<string, { createdAt: number; end: string | undefined }[]>()
  for (const { record, transports } of stories) {
    const order = record.ecommerceOrder.name ?? ''
    for (const { clientReference, createdAt } of transports) {
      const end = clientReference?.slice(7 + order.length)
      orders.set(order, [...(orders.get(order) ?? []), { createdAt: time(createdAt), end }])
    }
  }
  const several = [...orders.values()].filter(({ length }) => length > 1)
  expect(several.length).toBeGreaterThan(30)
  for (const transports of orders.values()) {
    const sorted = transports.toSorted((a, b) => a.createdAt - b.createdAt)
    expect(valuesOf(sorted, 'end')).toEqual(transports.map((_, i) => (i === 0 ? '' : `-${i + 1}`)))
  }
})

test.each(['', 'base'])('amounts of lines add up (%s)', (prefix) => {
  const field = (record: Record<string, unknown>, name: string) =>
    record[prefix === '' ? name : `base${name[0]?.toUpperCase()}${name.slice(1)}`]
  for (const record of records) {
    const currency = field(record, 'currency')
    const amount = (of: Record<string, unknown>, name: string) => minor(field(of, name), currency)
    for (const line of record.returnLineItems) {
      same(field(line, 'currency'), currency)
      same(amount(line, 'paid'), amount(line, 'price') - amount(line, 'discount'))
      same(amount(line, 'returnAmount'), amount(line, 'paid') * Number(line.quantity))
      holds(amount(line, 'tax') > 0, amount(line, 'tax'))
      holds(amount(line, 'tax') < amount(line, 'paid'), amount(line, 'tax'))
    }
    const items = record.returnLineItems
    same(amount(record, 'totalReturnAmount'), sum(items.map((line) => amount(line, 'returnAmount'))))
    same(amount(record, 'totalTax'), sum(items.map((line) => amount(line, 'tax') * Number(line.quantity))))
    same(
      amount(record, 'totalRefund'),
      amount(record, 'totalReturnAmount') - amount(record, 'totalReturnFee'),
    )
    holds(amount(record, 'totalRefund') > 0, amount(record, 'totalRefund'))
  }
  expectNothingOdd()
})

test('amounts are equal where both currencies are the same', () => {
  const local = records.filter((record) => record.currency === record.baseCurrency)
  for (const record of local) expect(record.baseTotalRefund).toBe(record.totalRefund)
  expect(local.length).toBeGreaterThan(400)
  expect(local.length).toBeLessThan(1100)
})

test('amounts of refunds add up to the return', () => {
  for (const { record, refunds } of stories) {
    for (const refund of refunds) {
      same(
        minor(refund.amount, refund.currency) + minor(refund.fee, refund.currency),
        sum((refund.lineItems ?? []).map((line) => minor(line.amount, refund.currency))),
      )
      holds(Number(refund.amount) > 0, Number(refund.amount))
    }
    const covered = refunds.flatMap((refund) => refund.lineItems ?? [])
    if (covered.length < record.returnLineItems.length) continue
    same(
      sum(refunds.map((refund) => minor(refund.amount, record.currency))),
      minor(record.totalRefund, record.currency),
    )
    same(
      sum(refunds.map((refund) => minor(refund.baseAmount, record.baseCurrency))),
      minor(record.baseTotalRefund, record.baseCurrency),
    )
  }
  expectNothingOdd()
})

test('histories of transports follow the table, update by update', () => {
  for (const transport of transports) {
    let status: (typeof TRANSPORTATION_STATUSES)[number] = 'REQUESTED'
    let last = time(transport.createdAt)
    for (const event of transport.trackingEvents ?? []) {
      const next = TRANSPORTATION_STATUSES.find((known) => known === event.status)
      holds(next !== undefined && TRANSPORT_TRANSITIONS[status].includes(next), [status, event.status])
      status = next ?? status
      holds(time(event.date) > last, time(event.date))
      holds(time(event.receivedAt) >= time(event.date), time(event.receivedAt))
      holds(event.description !== '', event)
      last = time(event.receivedAt)
    }
    same(transport.status, status)
    same(time(transport.updatedAt), last)
    same(transport.pickupDate !== undefined, transport.serviceType === 'pick-up')
  }
  expectNothingOdd()
})

test('a new transport starts when the previous one ends, and at no other time', () => {
  for (const { record, transports } of stories) {
    for (const [i, transport] of transports.entries()) {
      const next = transports[i + 1]
      if (next === undefined) continue
      expect(TRANSPORT_TRANSITIONS[transport.status ?? 'REQUESTED']).toEqual([])
      expect(transport.status).not.toBe('SHIPPING_COMPLETED')
      expect(time(next.createdAt)).toBe(time(transport.updatedAt))
    }
    const last = transports.at(-1) ?? {}
    const { updatedAt, trackingEvents, shippingLabels, formerShippingLabels, ...active } = last
    expect(record.activeTransportation).toEqual(transports.length === 0 ? undefined : active)
  }
})

test('each return ends in a state that fits its transports', () => {
  const inOrder = ['RECEPTION_COMPLETED', 'RECEIVED', 'CHECKED', 'CLOSED']
  for (const { record, transports } of stories) {
    const statuses = transports.flatMap((t) => (t.trackingEvents ?? []).map((event) => event.status))
    const { status = '' } = record
    expect(statuses.includes('SHIPPING_COMPLETED')).toBe(inOrder.includes(status ?? ''))
    if (status === 'RECEPTION_IN_PROGRESS') expect(statuses).toContain('SHIPPING_IN_PROGRESS')
    if (status === 'PENDING' || status === 'EXPIRED') expect(statuses).not.toContain('SHIPPING_IN_PROGRESS')
    if (status === 'NEEDS_VALIDATION') expect(transports).toEqual([])
    if (status === 'EXPIRED') expect(transports.at(-1)?.status).toBe('SHIPPING_CANCELLED')
    expect(record.cancelledAt !== undefined).toBe(status === 'DISCARDED')
  }
})

test('demo dates lie in the 400 days before seeding, the newest just before it', () => {
  const anchor = Math.floor(NOW / 86_400_000) * 86_400_000
  for (const { record, transports } of stories) {
    holds(time(record.createdAt) > anchor - 401 * 86_400_000, time(record.createdAt))
    holds(time(record.updatedAt) >= time(record.createdAt), time(record.updatedAt))
    holds(time(record.updatedAt) <= anchor, time(record.updatedAt))
    for (const transport of transports) {
      holds(time(transport.createdAt) >= time(record.createdAt), time(transport.createdAt))
      holds(time(transport.updatedAt) <= time(record.updatedAt), time(transport.updatedAt))
    }
  }
  expectNothingOdd()
  expect(time(records[0]?.createdAt)).toBeGreaterThan(anchor - 10 * 3_600_000)
})

/** When a mode was due, as the rest of the story has it; undefined if not yet. */
function due({ record, transports }: Story, mode: string): number | undefined {
  const events = transports.flatMap((transport) => transport.trackingEvents ?? [])
  const received = asTyped((statuses) => {
    const event = events.find(({ status }) => statuses.includes(status ?? ''))
    return event === undefined ? undefined : time(event.receivedAt)
  })
  if (mode === 'INSTANT') return time(record.createdAt)
  if (mode === 'PRE_VALIDATION')
    return transports[0] === undefined ? undefined : time(transports[0].createdAt)
  if (mode === 'DROP_OFF') return received`PICK_UP_COMPLETED SHIPPING_IN_PROGRESS`
  if (mode === 'SHIPPING_IN_PROGRESS' || mode === 'SHIPPING_COMPLETED') return received`${mode}`
  return undefined
}
const told = stories.flatMap((story) => story.refunds.map((refund) => ({ story, refund })))
const ofModes = (...modes: string[]) => told.filter(({ refund }) => modes.includes(refund.refundMode ?? ''))

test('refunds have a date and a reference exactly if they are executed', () => {
  for (const { story, refund } of told) {
    same(refund.executedAt !== undefined, refund.status === 'EXECUTED')
    same(refund.externalReference !== undefined, refund.status === 'EXECUTED')
    same(refund.createdAt, story.record.createdAt)
  }
  expectNothingOdd()
  expect(refunds.filter(({ status }) => status === 'FAILED').length).toBeLessThan(refunds.length / 20)
})

test('refunds are executed at the moment that their mode names', () => {
  const modes = ['INSTANT', 'PRE_VALIDATION', 'DROP_OFF', 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED']
  for (const { story, refund } of ofModes(...modes)) {
    const at = due(story, refund.refundMode ?? '')
    same(refund.status !== 'PENDING', at !== undefined)
    if (refund.status === 'EXECUTED') same(time(refund.executedAt), at)
  }
  expectNothingOdd()
})

test('refunds after validation are executed when the return is checked', () => {
  for (const { story, refund } of ofModes('POST_VALIDATION')) {
    const { status, updatedAt } = story.record
    expect(refund.status !== 'PENDING').toBe(status === 'CHECKED' || status === 'CLOSED')
    if (status === 'CHECKED' && refund.status === 'EXECUTED') expect(refund.executedAt).toBe(updatedAt)
  }
})

test('manual refunds of the demo data are not executed yet', () => {
  for (const { refund } of ofModes('MANUAL')) expect(refund.status).toBe('PENDING')
})

test('refunds cover each item once, except in returns that were called off', () => {
  for (const { record, refunds } of stories) {
    const paid = refunds.flatMap((refund) => (refund.lineItems ?? []).map((line) => line.returnLineItemId))
    expect(new Set(paid).size).toBe(paid.length)
    const isCalledOff = record.status === 'DISCARDED' || record.status === 'EXPIRED'
    if (!isCalledOff) expect(new Set(paid)).toEqual(new Set(record.returnLineItems.map((line) => line.id)))
    else expect(refunds.filter(({ status }) => status === 'PENDING')).toEqual([])
  }
})

test('refunds on drop-off are for parcels that are dropped off', () => {
  for (const record of records) {
    const isDropOff = record.returnLineItems.some((line) => line.refundMode === 'DROP_OFF')
    if (isDropOff && record.activeTransportation) {
      expect(record.activeTransportation.serviceType).toMatch(/^drop-off/)
    }
  }
})

const POSTAL_CODES: [countries: string, form: RegExp][] = [
  ['ES FR IT DE US MX KR FI', /^\d{5}$/],
  ['NO DK', /^\d{4}$/],
  ['PT', /^\d{4}-\d{3}$/],
  ['GB', /^[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}$/],
  ['IE', /^[A-Z]\d[\dW] [A-Z\d]{4}$/],
  ['CA', /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d$/],
  ['JP', /^\d{3}-\d{4}$/],
  ['SE', /^\d{3} \d{2}$/],
  ['PL', /^\d{2}-\d{3}$/],
]

test('addresses and phones have the form of their country', () => {
  for (const { customer, origin, destination } of records) {
    for (const party of [customer, origin, destination]) {
      const { countryCode = '?', postalCode, line1 } = party.address ?? {}
      const form = POSTAL_CODES.find(([countries]) => countries.includes(countryCode))?.[1]
      holds(form?.test(`${postalCode}`) === true, party.address)
      holds(/^\+[1-9]\d{8,14}$/.test(`${party.phone}`), party.phone)
      holds(
        /^[a-z][a-z-]*(\.[a-z]+\d+)?@([a-z]+\.)?example\.(com|org|net)$/.test(party.email ?? ''),
        party.email,
      )
      holds(line1?.includes('{') === false, party.address)
    }
  }
  expectNothingOdd()
})

test('barcodes and IBANs have the right check digits', () => {
  for (const { barcode } of lines) {
    holds(/^\d{13}$/.test(barcode ?? ''), barcode)
    same(sum([...barcode].map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 3))) % 10, 0)
  }
  for (const { customerIban, accountHolderName, customer } of records) {
    same(accountHolderName, customerIban === undefined ? undefined : customer.fullName)
    if (typeof customerIban !== 'string') continue
    const moved = customerIban.slice(4) + customerIban.slice(0, 4)
    same(BigInt(moved.replace(/[A-Z]/g, (c) => String(c.charCodeAt(0) - 55))) % 97n, 1n)
  }
  expectNothingOdd()
})

test('each barcode belongs to one SKU', () => {
  const pairs = distinct(lines.map(({ sku, barcode }) => `${sku} ${barcode}`))
  expect(distinct(valuesOf(lines, 'barcode')).size).toBe(pairs.size)
  expect(distinct(valuesOf(lines, 'sku')).size).toBe(pairs.size)
})

test('exchanges are for another variant of the same product', () => {
  for (const line of lines) {
    expect(line.exchangeLineItems !== undefined).toBe(line.refundType === 'EXCHANGE')
    for (const wanted of line.exchangeLineItems ?? []) {
      expect(wanted.ecommerceProductId).toBe(line.ecommerceLineItem?.productId)
      expect(wanted.quantity).toBe(line.quantity)
    }
  }
})

const DAY = 86_400_000
async function firstPage(options: { seed?: number; returns?: number; at?: number }): Promise<string> {
  const { at = NOW, seed, returns = 50 } = options
  const other = await testSandbox({ seed, returns, clock: { now: () => at } })
  const { body } = await other.request('/returns')
  return JSON.stringify(body)
}

test('seed, count and day determine all demo data', async () => {
  const reference = await firstPage({})
  expect(await firstPage({ at: NOW + 11 * 3_600_000 })).toBe(reference)
  expect(await firstPage({ seed: 1 })).toBe(reference)
  for (const other of [{ seed: 2 }, { at: NOW + DAY }, { returns: 51 }]) {
    expect(await firstPage(other)).not.toBe(reference)
  }
})

test.each([2, 3, 12345])('demo data of seed %i have every state too', async (seed) => {
  const other = await testSandbox({ seed })
  for (const status of RETURN_STATUSES) {
    const { body } = await other.request(`/returns?status=${status}&limit=1`)
    expect(body.pageInfo.totalRecords).toBeGreaterThan(0)
  }
})

test('the demo data may have no returns at all', async () => {
  expect(JSON.parse(await firstPage({ returns: 0 }))).toEqual(pageOf([]))
})

test('a label that a return shows can be downloaded, by its transport or its client reference', async () => {
  const shown = records.filter(({ activeTransportation: one }) => one?.carrierLabel)
  const kindOf = ({ status, activeTransportation: one }: Return) => `${one?.carrierServiceCode} ${status}`
  // Each takes some 20 ms to draw, so that of those that are alike one is enough.
  const byKind = new Map(shown.map((record) => [kindOf(record), record]))
  expect(byKind.size).toBeGreaterThan(30)
  for (const [index, { name, shopCode, activeTransportation: one }] of [...byKind.values()].entries()) {
    const id = index % 2 === 0 ? `${name}-T${one?.id}` : `${one?.clientReference}`
    const query = new URLSearchParams({ client_shipment_id: id, shopCode })
    const { status, body } = await request(`/shipping_labels?${query}`)
    const labels =
      status === 200 ? body.flatMap((set: { shippingLabels: object[] }) => set.shippingLabels) : []
    const label = {
      carrierTrackingCode: one?.carrierReference,
      base64: expect.stringMatching(/^[\w+/]{100}/),
    }
    expect([id, labels]).toEqual([id, expect.arrayContaining([expect.objectContaining(label)])])
  }
})
