import { type ReturnMethod, returnMethodSchema } from '../../wire/methods.ts'
import type { Return } from '../../wire/returns.ts'
import {
  all,
  answers,
  assumed,
  type Check,
  haveTypes,
  listAt,
  once,
  operations,
  requires,
  spec,
  type World,
} from '../check.ts'
import { errorsOf, get, must, Skipped, toMethods, without } from '../expect.ts'

/** Places tried before a shop counts as one without methods. */
const TRIED = 8

const GET = get('/return_methods')

function requestFor({ shopCode, currency, customer, origin, ecommerceOrder, returnLineItems }: Return) {
  const { line1, city, postalCode, countryCode } = customer.address ?? origin.address ?? {}
  return {
    shopCode,
    currencyCode: currency,
    ecommerceOrder: { id: ecommerceOrder.id },
    originAddress: { line1, city, postalCode, countryCode },
    returnLineItems: returnLineItems.map(({ sku, quantity }) => ({ sku, quantity })),
    client: { id: ecommerceOrder.customerId ?? 'conformance', tier: 'STANDARD' },
  }
}

/** Some may have no methods. */
export const offers = once(async (world) => {
  const places = new Map<string, Return>()
  for (const record of await world.sample()) {
    const address = record.customer?.address ?? record.origin?.address
    const place = `${record.shopCode} ${address?.countryCode}`
    if (address && !places.has(place)) places.set(place, record)
  }
  if (places.size === 0) throw new Skipped('no return with an address')
  const made = []
  for (const record of [...places.values()].slice(0, TRIED)) {
    const request = requestFor(record)
    const answer = await world.expect(toMethods(request), '200', `the items of ${record.name}`)
    made.push({ record, request, methods: listAt(returnMethodSchema, answer.body, 'returnMethods') })
  }
  return made
})

export async function offer(world: World) {
  const found = (await offers(world)).find(({ methods }) => methods.length > 0)
  if (found === undefined) throw new Skipped('no method is offered to the customers of the newest returns')
  return found
}

const filled = <T>(names: string, value: T) =>
  Object.fromEntries(names.split(' ').map((name): [string, T] => [name, value]))

/** A request with every field of spec §4.6. */
function complete(request: ReturnType<typeof requestFor>) {
  const text = 'Conformance'
  const product = { productTags: [text], ...filled('primaryProductCategory productVendor', text) }
  const totals = 'originalUnitPrice lineTotalPrice lineTotalDiscount lineTotalPaid'
  const order = {
    ...request.ecommerceOrder,
    ...filled('orderType salesChannel status', text),
    ...filled('totalPaid totalDiscount totalShippingCost', 0),
    ...filled('tags discountCodes', [text]),
    paymentMethods: [{ method: text, amount: 0 }],
    lineItems: [
      {
        ...{ ...filled('id name sku', text), ...product, ...filled(totals, 0), quantity: 1 },
        variantOptions: [{ key: text, value: text }],
      },
    ],
    fulfillments: [
      {
        ...filled('id fulfillmentCenter shipmentCarrier shipmentServiceName', text),
        ...{ ...filled('fulfilledAt deliverAt', '2026-01-01'), fulfillmentCenterCountryCode: 'ES' },
        fulfillmentLineItems: [{ lineItemid: text, quantity: 1 }],
      },
    ],
  }
  const counts = 'totalAmountSpent totalAmountReturned quantityPlacedOrders quantityReturns'
  return {
    ...request,
    ecommerceOrder: order,
    originAddress: { ...request.originAddress, ...filled('firstName lastName line2 regionCode', text) },
    returnLineItems: request.returnLineItems.map((item) => ({
      ...{ ...item, ...product, ...filled('id name returnReasonCode', text) },
      refundTypeCode: 'ORIGINAL_PAYMENT_METHOD',
    })),
    client: { ...request.client, ...filled(counts, 0) },
  }
}

type Bend = (request: ReturnType<typeof complete>) => object

const answersTo = (change: Bend, expected: string) =>
  answers(async (world) => toMethods(change(complete((await offer(world)).request))), expected)

const offered = async (world: World) => (await offer(world)).methods

/** Fields that spec §4.6 requires; `ecommerceOrder` itself is optional. */
const REQUIRED = [
  ...['currencyCode', 'ecommerceOrder.id', 'ecommerceOrder.fulfillments.0.fulfillmentCenter'],
  ...['client', 'client.id', 'client.tier'],
  ...['originAddress', 'originAddress.postalCode', 'originAddress.countryCode'],
  ...['returnLineItems', 'returnLineItems.0.sku', 'returnLineItems.0.quantity'],
]

const byPriority = (a: ReturnMethod, b: ReturnMethod) =>
  Number(a.priority ?? 0) - Number(b.priority ?? 0) || ((a.code ?? '') < (b.code ?? '') ? -1 : 1)
const codesOf = (methods: readonly ReturnMethod[]) => methods.map(({ code }) => code).join(', ')

export const METHOD_CHECKS: readonly Check[] = [
  ...operations(
    spec(
      'methods.fields',
      '§2.7, §4.6',
      'POST /return_methods answers with returnMethods, each field of its type',
      haveTypes(returnMethodSchema, offered, 'methods'),
    ),
  ),
  assumed(
    'methods.code',
    '§2.7',
    'Every method has a code, a service type and a fee',
    all(offered, 'methods', ({ code, serviceType, returnFee }) => {
      const isWhole = code && serviceType && returnFee !== undefined && returnFee !== null
      return !isWhole && `code ${code}, serviceType ${serviceType}, returnFee ${returnFee}`
    }),
  ),
  spec(
    'methods.currency',
    '§4.6',
    'Amounts are in the currency of the request',
    all(
      async (world) =>
        (await offers(world)).flatMap(({ request, methods }) =>
          methods.map(({ code, currencyCode }) => ({ code, currencyCode, asked: request.currencyCode })),
        ),
      'methods',
      ({ code, currencyCode, asked }) => currencyCode !== asked && `${code} in ${currencyCode}, not ${asked}`,
    ),
  ),
  assumed(
    'methods.order',
    '§4.6',
    'Methods come by priority, then by code',
    all(offers, 'offers', ({ record, methods }) => {
      const codes = codesOf(methods)
      return codesOf(methods.toSorted(byPriority)) !== codes && `${record.name}: ${codes}`
    }),
  ),
  assumed(
    'methods.none',
    '§4.6',
    'Where no method fits the answer is 200 with an empty list',
    async (world) => {
      // ISO 4217's currency for tests.
      const request = toMethods({ ...(await offer(world)).request, currencyCode: 'XTS' })
      const { body } = await world.expect(request, '200')
      const { length } = listAt(returnMethodSchema, body, 'returnMethods')
      return must(length === 0, `${length} methods in XTS`)
    },
  ),
  spec(
    'methods.refusal',
    '§4.6, §7',
    'A request without a required field is refused with 400 and a list errors of code and message',
    requires(REQUIRED, async (world) => complete((await offer(world)).request), toMethods),
  ),
  spec(
    'methods.optional',
    '§4.6',
    'A request with every optional field is accepted',
    answersTo((request) => request, '200'),
  ),
  spec(
    'methods.minimal',
    '§4.6',
    'A request without an order is accepted',
    answersTo(({ ecommerceOrder, ...request }) => request, '200'),
  ),
  assumed(
    'methods.types',
    '§4.6',
    'A word in place of a number is refused with 400 VA01',
    answersTo((request) => ({ ...request, returnLineItems: [{ sku: '1', quantity: 'many' }] }), '400 VA01'),
  ),
  assumed('methods.refusal-path', '§7', 'The message names the path of the field', async (world) => {
    const field = 'originAddress.postalCode'
    const answer = await world.send(toMethods(without((await offer(world)).request, field)))
    const words = errorsOf(answer).map(({ message }) => message)
    return must(words.join().includes(field), words.join('; '))
  }),
  assumed(
    'methods.no-object',
    '§4.6',
    'A text as body is refused with 400',
    answers(toMethods('text'), '400'),
  ),
  spec('methods.get', '§7', 'GET /return_methods is answered with 405', answers(GET, '405')),
  assumed('methods.allow', '§7', 'The 405 has a header Allow with POST', async (world) => {
    const { allow = 'not there' } = (await world.send(GET)).headers
    return must(/\bPOST\b/.test(allow), `Allow: ${allow}`)
  }),
]
