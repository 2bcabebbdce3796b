import { expect, it } from 'vitest'
import { methodsResponseSchema } from '../../../../src/lib/wire/methods.ts'
import { methodsRequest, type RequestParts } from '../../../helpers/methods-requests.ts'
import { type Answer, testSandbox } from '../../../helpers/sandbox-client.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

const sandbox = await testSandbox({ returns: 10 })

const post = (body: unknown, query = '') =>
  sandbox.request(`/return_methods${query}`, {
    method: 'POST',
    body,
  })
const codes = ({ body }: Answer) => valuesOf(body.returnMethods, 'code')

it('POST /return_methods answers with what the rules offer, as the specification writes it', async () => {
  const answer = await post(methodsRequest({ tier: 'gold', paid: 200 }))
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(['returnMethods'])
  expect(methodsResponseSchema.safeParse(answer.body).success).toBe(true)
  expect(codes(answer)).toEqual([
    'STORE',
    'POST_OFFICE',
    'COURIER',
    'HOME_PICKUP',
    'SUPPORT_PICKUP',
    'OWN_CARRIER',
  ])
  expect(answer.body.returnMethods[3]).toMatchObject({
    returnFee: 2.95,
    currencyCode: 'EUR',
    carrierService: { code: 'SEUR_PICKUP_24', carrierDisplayName: 'SEUR' },
    destinationLocation: { code: 'GETAFE', city: 'Getafe', regionCode: 'Madrid', latitude: '40.3057' },
  })
})

it('a request that no method fits gets 200 and an empty list', async () => {
  const answer = await post(methodsRequest({ country: 'BR', postalCode: '01310-100' }))
  expect(answer).toMatchObject({ status: 200, body: { returnMethods: [] } })
})

it('the request is answered for the day of the clock', async () => {
  expect(codes(await post(methodsRequest({ deliveredAt: '2026-03-16' })))).toContain('STORE')
  expect(codes(await post(methodsRequest({ deliveredAt: '2026-03-15' })))).toEqual(['SUPPORT_PICKUP'])
})

it('?explain=true says why, and where the rules come from', async () => {
  const { body } = await post(methodsRequest({ country: 'FR', postalCode: '75001' }), '?explain=true')
  expect(body.rules).toEqual({ source: 'built-in', problems: [] })
  expect(body.explanations[0]).toEqual({
    code: 'STORE',
    offered: false,
    reasons: [{ rule: 'services.STORE_DROPOFF.countries', text: 'Lumbre serves ES, not FR' }],
  })
})

const item = { sku: 'A', quantity: 1 }
const request = (parts: RequestParts, more = {}) => ({ ...methodsRequest(parts), ...more })

it.each([
  ['not JSON', '{', ['body: not JSON']],
  ['a list', [], ['body: ']],
  [
    'nothing',
    {},
    [
      'currencyCode: is missing',
      'originAddress: is missing',
      'returnLineItems: is missing',
      'client: is missing',
    ],
  ],
  ['no items', request({ items: [] }), ['returnLineItems: at least one item is needed']],
  ['items as an object', request({}, { returnLineItems: item }), ['returnLineItems: ']],
  [
    'an unknown country',
    request({ country: 'XQ' }),
    ['originAddress.countryCode: XQ is not an ISO country code'],
  ],
  ['a country in small letters', request({ country: 'es' }), ['originAddress.countryCode: es is not']],
  ['a currency that is none', request({ currency: 'euro' }), ['currencyCode: euro is not']],
  ['a blank tier', request({ tier: ' ' }), ['client.tier: is missing']],
  [
    "another country's postal code",
    request({ postalCode: 'ABC' }),
    ['originAddress.postalCode: ABC is not a postal code of ES'],
  ],
  [
    'negative amounts',
    request({ paid: -5, spent: '-1' }),
    ['client.totalAmountSpent: must not be negative', 'ecommerceOrder.totalPaid: must not be negative'],
  ],
  [
    'quantities',
    request({ items: [item, { quantity: 0 }, { quantity: 1.5 }, { quantity: '-1' }] }),
    [1, 2, 3].map((i) => `returnLineItems[${i}].quantity: must be`),
  ],
  [
    'a quantity that is not a number',
    request({ items: [{ quantity: 'two' }] }),
    ['returnLineItems[0].quantity: expected a number'],
  ],
  [
    'a day that there is not',
    request({ deliveredAt: '2026-02-30' }),
    ['ecommerceOrder.fulfillments[0].deliverAt: must be a date YYYY-MM-DD'],
  ],
  [
    'too many units',
    request({ items: [{ quantity: 100_001 }] }),
    ['returnLineItems: more than 100000 units'],
  ],
])('POST /return_methods rejects %s', async (_name, body, messages) => {
  const answer = await post(body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toHaveLength(messages.length)
  for (const [i, message] of messages.entries()) {
    expect(answer.body.errors[i]).toMatchObject({ code: 'VA01', message: expect.stringContaining(message) })
  }
})

it('a refusal of ten thousand items names the first ones and the number of the others', async () => {
  const items = times(10_000, () => ({ quantity: 0 }))
  const { status, body } = await post(request({ items }))
  expect(status).toBe(400)
  expect(body.errors).toHaveLength(51)
  expect(body.errors[50].message).toBe('and 9950 more')
})

it('a missing shop, or one outside the token, is refused', async () => {
  const { shopCode: _, ...none } = methodsRequest()
  expect(await post(none)).toMatchObject({ status: 400, body: { errors: [{ code: 'SC01' }] } })
  const other = await post(methodsRequest({ shopCode: 'NOWHERE' }))
  expect(other).toMatchObject({ status: 400, body: { errors: [{ code: 'SC02' }] } })
})

it('a body of 10 MB with ten thousand items of an order of as many is answered soon', async () => {
  const count = 10_000
  const lineItems = times(count, (i) => ({
    id: `l${i}`,
    sku: `S${i}`,
    name: 'x'.repeat(900),
    productTags: ['a', 'b'],
  }))
  const fulfillmentLineItems = lineItems.map(({ id }) => ({ lineItemid: id, quantity: 1 }))
  const body = JSON.stringify({
    ...methodsRequest({ items: lineItems.map(({ id, sku }) => ({ id, sku })) }),
    ecommerceOrder: {
      id: '1',
      lineItems,
      fulfillments: [{ fulfillmentCenter: 'GETAFE', deliverAt: '2026-04-10', fulfillmentLineItems }],
    },
  })
  expect(body.length).toBeGreaterThan(10_000_000)
  const before = process.cpuUsage()
  const answer = await post(body)
  // A tenth of that here; what it must not be is the square of the number of items.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
  expect(codes(answer)).toHaveLength(6)
})
