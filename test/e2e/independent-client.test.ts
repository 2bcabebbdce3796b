import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixture } from '../helpers/fixture.ts'
import { type Json, type Server, startServer } from '../helpers/independent-client/server.ts'
import {
  ACKNOWLEDGEMENT,
  LABEL_SET,
  METHODS,
  pathsOf,
  problemsOf,
  RETURN,
  RETURN_LIST,
  RETURN_STATES,
} from '../helpers/independent-client/shapes.ts'
import { valuesOf } from '../helpers/values-of.ts'

/*
 * A client that knows nothing but the service's document and the requests in test/fixtures/wire, written from it by
 * hand: no line of the sources has a part in it, so that client and sandbox can't be wrong together unnoticed.
 */

let server: Server
let returns: Json[]

beforeAll(async () => {
  server = await startServer()
  returns = (await get('/returns?limit=500')).returns
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

async function get(path: string) {
  const { status, headers, body } = await server.request('GET', path)
  expect([path, status, body.errors]).toEqual([path, 200, undefined])
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  return body
}

async function send(method: string, path: string, body: object) {
  const answer = await server.request(method, path, body)
  expect([answer.status, answer.body.errors]).toEqual([200, undefined])
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  return answer.body
}

const instant = (text: string) => Date.parse(text.replace(' ', 'T'))
const wall = (text: string) => text.slice(0, 19).replace(' ', 'T')
const cents = (amount: number) => Math.round(amount * 100)
const underWay = (...states: string[]) => {
  const found = returns.find(({ activeTransportation }) => states.includes(activeTransportation?.status))
  if (!found) throw new Error(`no return is ${states.join(' or ')}`)
  return found
}

describe('GET /returns (4.7)', () => {
  it('a list without parameters is the last 100 in the documented form', async () => {
    const page = await get('/returns')
    expect(problemsOf(page, RETURN_LIST, 'page')).toEqual([])
    expect(page.returns).toHaveLength(100)
    expect(page.pageInfo).toEqual({ totalRecords: 300, totalPages: 3 })
    const oldest = Math.min(...page.returns.map(({ createdAt }: Json) => instant(createdAt)))
    const ids = new Set(valuesOf(page.returns, 'id'))
    const others = returns.filter(({ id }) => !ids.has(id))
    expect(others).toHaveLength(200)
    expect(others.every(({ createdAt }) => instant(createdAt) <= oldest)).toBe(true)
  })

  it('records match the documentation field by field, and every documented field occurs', () => {
    const met = new Set<string>()
    const problems = returns.flatMap((record) => problemsOf(record, RETURN, 'return', met))
    expect(problems).toEqual([])
    expect(pathsOf(RETURN, 'return').filter((path) => !met.has(path))).toEqual([])
  })

  it('amounts and names as documented (2.1, 2.2, 2.4)', () => {
    for (const one of returns) {
      expect(cents(one.totalRefund)).toBe(cents(one.totalReturnAmount - one.totalReturnFee))
      expect(cents(one.baseTotalRefund)).toBe(cents(one.baseTotalReturnAmount - one.baseTotalReturnFee))
      expect(one.name.startsWith(`R#-${one.ecommerceOrder.name}`)).toBe(true)
      for (const item of one.returnLineItems) expect(cents(item.paid)).toBe(cents(item.price - item.discount))
      const { clientReference = 'P#R#' } = one.activeTransportation ?? {}
      expect(clientReference).toMatch(/^P#R#/)
      if (one.activeTransportation?.pickupDate) expect(one.activeTransportation.serviceType).toBe('pick-up')
    }
  })

  it('limit and page', async () => {
    const pages = []
    for (const page of [1, 2, 3]) pages.push(await get(`/returns?limit=140&page=${page}`))
    expect(pages.map((page) => page.returns.length)).toEqual([140, 140, 20])
    expect(pages.map((page) => page.pageInfo.totalPages)).toEqual([3, 3, 3])
    expect(pages.flatMap((page) => page.returns)).toEqual(returns)
    expect((await server.request('GET', '/returns?limit=501')).status).toBe(400)
  })

  it('status, name, ecommerce_order and shop_code filter the list', async () => {
    for (const status of RETURN_STATES) {
      const expected = returns.filter((one) => one.status === status)
      expect((await get(`/returns?limit=500&status=${status}`)).returns).toEqual(expected)
    }
    const [one] = returns
    const { name, shopCode, ecommerceOrder } = one
    const named = await get(`/returns?name=${encodeURIComponent(name)}&shop_code=${shopCode}`)
    expect(named.returns).toEqual([one])
    const ordered = await get(`/returns?ecommerce_order=${ecommerceOrder.id}&shop_code=${shopCode}`)
    expect(ordered.returns).toEqual(
      returns.filter((each) => each.ecommerceOrder.id === ecommerceOrder.id && each.shopCode === shopCode),
    )
    const ofShop = await get(`/returns?limit=500&shop_code=${shopCode}`)
    expect(ofShop.returns).toEqual(returns.filter((each) => each.shopCode === shopCode))
  })

  it('created, updated and refunded ranges filter the list', async () => {
    const [from, to] = ['2026-01-01T00:00:00', '2030-01-01T00:00:00']
    for (const [what, field] of [
      ['created', 'createdAt'],
      ['updated', 'updatedAt'],
    ] as const) {
      const middle = returns[150][field]
      const after = await get(`/returns?limit=500&${what}_from=${wall(middle)}&${what}_to=${to}`)
      expect(after.returns).toEqual(returns.filter((one) => instant(one[field]) >= instant(middle)))
    }
    const refunded = await get(`/returns?limit=500&refunded_from=${from}&refunded_to=${to}`)
    expect(refunded.returns.length).toBeGreaterThan(0)
    expect(refunded.returns.length).toBeLessThan(300)
  })

  it('time_zone puts all dates of the answer into the zone', async () => {
    const there = (await get('/returns?limit=500&time_zone=Asia/Tokyo')).returns
    for (const [index, one] of returns.entries()) {
      expect(there[index].createdAt).toMatch(/\+09:00$/)
      expect(instant(there[index].createdAt)).toBe(instant(one.createdAt))
      expect(instant(there[index].updatedAt)).toBe(instant(one.updatedAt))
    }
    const { name, createdAt } = there[100]
    const second = wall(createdAt)
    const found = await get(`/returns?time_zone=Asia/Tokyo&created_from=${second}&created_to=${second}`)
    expect(valuesOf(found.returns, 'name')).toContain(name)
  })
})

it('a return, its transportations, one of them and its refunds can be read (4.8)', async () => {
  const one = underWay('SHIPPING_COMPLETED')
  expect((await get(`/returns/${one.id}`)).id).toBe(one.id)
  const active = one.activeTransportation.id
  expect(JSON.stringify(await get(`/returns/${one.id}/transportations`))).toContain(active)
  expect((await get(`/returns/${one.id}/transportations/${active}`)).id).toBe(active)
  expect(typeof (await get(`/returns/${one.id}/refunds`))).toBe('object')
})

/** A whole request of 4.6 for the items of a return. */
function methodsRequest({ shopCode, currency, customer, returnLineItems }: Json) {
  const whole = fixture('wire/methods-request.full.json')
  const [lineItem] = whole.ecommerceOrder.lineItems
  const [fulfillment] = whole.ecommerceOrder.fulfillments
  const { line1, city, postalCode, countryCode } = customer.address
  const day = new Date().toISOString().slice(0, 10)
  const lines: Json[] = returnLineItems.map(({ sku, quantity }: Json, index: number) => ({
    id: `line-${index}`,
    sku,
    quantity,
  }))
  return {
    ...whole,
    shopCode,
    currencyCode: currency,
    ecommerceOrder: {
      ...whole.ecommerceOrder,
      lineItems: lines.map((line) => ({ ...lineItem, ...line })),
      fulfillments: [
        {
          ...fulfillment,
          fulfilledAt: day,
          deliverAt: day,
          fulfillmentLineItems: lines.map(({ id, quantity }) => ({ lineItemid: id, quantity })),
        },
      ],
    },
    originAddress: { ...whole.originAddress, line1, city, postalCode, countryCode },
    returnLineItems: lines.map((line) => ({ ...whole.returnLineItems[0], ...line })),
  }
}

/** Methods for a return of which there are some with a carrier. */
async function someMethods() {
  for (const one of returns.slice(0, 40)) {
    const { returnMethods } = await send('POST', '/return_methods', methodsRequest(one))
    const dropOffs = returnMethods.filter((method: Json) => method.serviceType === 'drop-off')
    if (dropOffs.length > 0) return { one, returnMethods, dropOffs }
  }
  throw new Error('no method at all')
}

describe('POST /return_methods (4.6)', () => {
  it('a complete request for methods gets the documented form, in its currency', async () => {
    const met = new Set<string>()
    for (const one of returns.slice(0, 40)) {
      const answer = await send('POST', '/return_methods', methodsRequest(one))
      expect(problemsOf(answer, METHODS, 'answer', met)).toEqual([])
      for (const method of answer.returnMethods) expect(method.currencyCode).toBe(one.currency)
    }
    expect([...met]).toEqual(
      expect.arrayContaining([
        'answer.returnMethods[].returnFee',
        'answer.returnMethods[].carrierService.code',
        'answer.returnMethods[].destinationLocation.postalCode',
        'answer.returnMethods[].promotions[].promoType',
      ]),
    )
  })

  it.each(['currencyCode', 'originAddress', 'returnLineItems', 'client'])(
    'without %s: 400 with errors',
    async (field) => {
      const request = { ...methodsRequest(returns[0]), [field]: undefined }
      const { status, body } = await server.request('POST', '/return_methods', request)
      expect(status).toBe(400)
      for (const { code, message } of body.errors) {
        expect(code).toMatch(/^[A-Z]{2}\d+$/)
        expect(message).toContain(field)
      }
    },
  )

  it('405 for another method', async () => {
    expect((await server.request('GET', '/return_methods')).status).toBe(405)
  })
})

describe('POST /pudos (4.5)', () => {
  it('points of the methods’ carriers are found, and coordinates override the address', async () => {
    const { one, dropOffs } = await someMethods()
    const { line1, city, postalCode, countryCode } = one.customer.address
    const whole = {
      shopCode: one.shopCode,
      carrierServices: dropOffs.map(({ carrierService }: Json) => ({ code: carrierService.code })),
      limit: 5,
      address: line1,
      city,
      postalCode,
      countryCode,
      range: 25,
    }
    const results = await send('POST', '/pudos', whole)
    expect(Array.isArray(results)).toBe(true)
    expect(results).toHaveLength(whole.carrierServices.length)
    for (const { carrierCode, carrierExternalCode, pudoPoints } of results) {
      expect([typeof carrierCode, typeof carrierExternalCode]).toEqual(['string', 'string'])
      expect(pudoPoints.length).toBeLessThanOrEqual(5)
    }
    expect(results.flatMap(({ pudoPoints }: Json) => pudoPoints).length).toBeGreaterThan(0)
    const coordinates = { latitude: 40.4168, longitude: -3.7038 }
    const here = { shopCode: one.shopCode, carrierServices: whole.carrierServices, limit: 5, ...coordinates }
    expect(await send('POST', '/pudos', { ...whole, range: undefined, ...coordinates })).toEqual(
      await send('POST', '/pudos', here),
    )
  })

  it('a search without address and geolocation is refused', async () => {
    const { one, dropOffs } = await someMethods()
    const carrierServices = dropOffs.map(({ carrierService }: Json) => ({ code: carrierService.code }))
    const request = { shopCode: one.shopCode, carrierServices }
    expect((await server.request('POST', '/pudos', request)).status).toBe(400)
  })
})

/** A whole request of 4.2; `carrierServiceCode` is one that a return of the shop went by. */
const labelRequest = (one: Json, clientShipmentId: string): Json => ({
  ...fixture('wire/label-request.full.json'),
  shopCode: one.shopCode,
  clientShipmentId,
  carrierServiceCode: one.activeTransportation.carrierServiceCode,
  shipper: one.destination,
  origin: { ...one.origin, code: 'O1' },
  destination: { ...one.destination, code: 'D1' },
})

describe('/shipping_labels (4.2, 4.3, 4.4)', () => {
  const bytesOf = (set: Json) => Buffer.from(set.shippingLabels[0].base64, 'base64').toString('latin1')

  it('a complete request makes a label, which is then found', async () => {
    const one = underWay('SHIPPING_COMPLETED')
    const request = labelRequest(one, 'IND-1')
    const set = await send('POST', '/shipping_labels', request)
    expect(problemsOf(set, LABEL_SET, 'set')).toEqual([])
    expect(set).toMatchObject({
      clientShipmentId: 'IND-1',
      carrierServiceCode: request.carrierServiceCode,
      carrierCode: one.activeTransportation.carrierCode,
    })
    expect(bytesOf(set)).toMatch(/^%PDF-/)
    const found = await get(`/shipping_labels?client_shipment_id=IND-1&shopCode=${one.shopCode}`)
    expect(found).toEqual([set])
  })

  it('ZPL labels and the earlier revision with customsInfo are supported', async () => {
    const { carrierOptions, tags, parcels, ...request } = labelRequest(
      underWay('SHIPPING_COMPLETED'),
      'IND-2',
    )
    const set = await send('POST', '/shipping_labels', {
      ...request,
      labelFormat: 'ZPL',
      parcels: parcels.map(({ items, ...parcel }: Json) => parcel),
      customsInfo: parcels.flatMap(({ items }: Json) => items.map(({ sku, barcode, ...item }: Json) => item)),
    })
    expect(problemsOf(set, LABEL_SET, 'set')).toEqual([])
    expect(bytesOf(set)).toMatch(/^\s*\^XA/)
  })

  it.each(['shipmentType', 'clientShipmentId', 'carrierServiceCode', 'labelFormat', 'origin', 'destination'])(
    'without %s: 400 with errors',
    async (field) => {
      const request = { ...labelRequest(underWay('SHIPPING_COMPLETED'), 'IND-3'), [field]: undefined }
      const { status, body } = await server.request('POST', '/shipping_labels', request)
      expect(status).toBe(400)
      expect(body.errors[0].code).toMatch(/^[A-Z]{2}\d+$/)
      expect(body.errors[0].message).toContain(field)
    },
  )

  it.each([
    ['RETURN_NAME', (one: Json) => one.name],
    ['CLIENT_REFERENCE', (one: Json) => one.activeTransportation.clientReference],
  ])('an update by %s is acknowledged', async (shipmentIdType, idOf) => {
    const one = underWay('REQUESTED', 'SHIPPING_IN_PROGRESS', 'PICK_UP_IN_PROGRESS')
    const answer = await send('PUT', '/shipping_labels', {
      shopCode: one.shopCode,
      shipmentId: idOf(one),
      shipmentIdType,
      shippingLabels: [
        {
          carrierTrackingCode: 'IND123',
          additionalTrackingCodes: ['IND124'],
          carrierTrackingUrl: 'https://track.example.com/IND123',
          format: 'PDF',
          url: 'https://labels.example.com/IND123.pdf',
        },
      ],
    })
    expect(problemsOf(answer, ACKNOWLEDGEMENT, 'answer')).toEqual([])
  })

  it('405 for another method', async () => {
    expect((await server.request('DELETE', '/shipping_labels')).status).toBe(405)
  })
})

describe('POST /shipping_trackings (4.1)', () => {
  const report = (one: Json) => ({
    shopCode: one.shopCode,
    shipmentId: one.name,
    shipmentIdType: 'RETURN_NAME',
    carrierName: 'Independent',
    trackingNumber: 'IND777',
    trackingUrl: 'https://track.example.com/IND777',
    trackingStatus: 'SHIPPING_IN_PROGRESS',
    trackingStatusDescription: 'On its way',
    trackingDate: new Date().toISOString().replace(/\.\d+/, ''),
  })

  it('a complete update is acknowledged, and the active transportation has the status', async () => {
    const one = underWay('REQUESTED')
    const answer = await send('POST', '/shipping_trackings', report(one))
    expect(problemsOf(answer, ACKNOWLEDGEMENT, 'answer')).toEqual([])
    const { activeTransportation } = await get(`/returns/${one.id}`)
    expect(activeTransportation.status).toBe('SHIPPING_IN_PROGRESS')
  })

  it('a shipment that does not exist is refused', async () => {
    const request = { ...report(underWay('REQUESTED')), shipmentId: 'R#-NO-SUCH' }
    expect((await server.request('POST', '/shipping_trackings', request)).status).toBe(400)
  })
})

describe('authentication (5)', () => {
  const operations = [
    ['GET', '/returns'],
    ['GET', '/returns/1'],
    ['GET', '/returns/1/transportations'],
    ['GET', '/returns/1/transportations/1'],
    ['GET', '/returns/1/refunds'],
    ['GET', '/shipping_labels?client_shipment_id=1'],
    ['POST', '/shipping_labels'],
    ['PUT', '/shipping_labels'],
    ['POST', '/shipping_trackings'],
    ['POST', '/pudos'],
    ['POST', '/return_methods'],
  ]

  it.each(operations)('%s %s needs a valid token', async (method, path) => {
    const body = method === 'GET' ? undefined : {}
    const statuses = []
    for (const token of [null, 'a.b.c'])
      statuses.push((await server.request(method, path, body, token)).status)
    expect(statuses).toEqual([401, 401])
  })

  it('shopCode is mandatory with a token for several merchants', async () => {
    const one = underWay('SHIPPING_COMPLETED')
    const { status: labels } = await server.request('GET', '/shipping_labels?client_shipment_id=IND-1')
    const name = { shipmentId: one.name, shipmentIdType: 'RETURN_NAME' }
    const update = await server.request('PUT', '/shipping_labels', { ...name, shippingLabels: [{}] })
    const report = { ...name, trackingStatus: 'SHIPPING_IN_PROGRESS' }
    const { status: tracking } = await server.request('POST', '/shipping_trackings', report)
    expect([labels, update.status, tracking]).toEqual([400, 400, 400])
  })

  it('a shop that is not in the security context is refused', async () => {
    expect((await server.request('GET', '/returns?shop_code=NO-SUCH-SHOP')).status).toBe(400)
  })
})
