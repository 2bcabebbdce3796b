import { type ReturnMethod, returnMethodSchema } from '../../wire/methods.ts'
import type { Return } from '../../wire/returns.ts'
import { all, type CheckedPlatform, haveTypes, listAt, once, type Runs } from '../check.ts'
import { errorsOf, get, must, need, Skipped, toMethods, without } from '../expect.ts'
import COMPLETE from './complete-request.json'

/** Most shops and countries that are asked about. */
const MAX_OFFERS = 8

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

/** Methods by shop and country; some lists may be empty. */
export const offers = once(async (platform) => {
  const samples = new Map<string, Return>()
  for (const record of await platform.sample()) {
    const address = record.customer?.address ?? record.origin?.address
    const key = `${record.shopCode} ${address?.countryCode}`
    if (address && !samples.has(key)) samples.set(key, record)
  }
  if (samples.size === 0) throw new Skipped('no return with an address')
  const made = []
  for (const record of [...samples.values()].slice(0, MAX_OFFERS)) {
    const request = requestFor(record)
    const answer = await platform.expect(toMethods(request), '200', `the items of ${record.name}`)
    made.push({ record, request, methods: listAt(returnMethodSchema, answer.body, 'returnMethods') })
  }
  return made
})

export async function offer(platform: CheckedPlatform) {
  const found = (await offers(platform)).find(({ methods }) => methods.length > 0)
  return need(found, 'no method is offered to the customers of the newest returns')
}

export function complete(request: ReturnType<typeof requestFor>) {
  return {
    ...request,
    ecommerceOrder: { ...request.ecommerceOrder, ...COMPLETE.ecommerceOrder },
    originAddress: { ...request.originAddress, ...COMPLETE.originAddress },
    returnLineItems: request.returnLineItems.map((item) => ({ ...item, ...COMPLETE.returnLineItem })),
    client: { ...request.client, ...COMPLETE.client },
  }
}

const offered = async (platform: CheckedPlatform) => (await offer(platform)).methods

const byPriority = (a: ReturnMethod, b: ReturnMethod) =>
  Number(a.priority ?? 0) - Number(b.priority ?? 0) || ((a.code ?? '') < (b.code ?? '') ? -1 : 1)
const codesOf = (methods: readonly ReturnMethod[]) => methods.map(({ code }) => code).join(', ')

export const METHOD_CHECKS: Runs = {
  'methods.fields': haveTypes(returnMethodSchema, offered, 'methods'),
  'methods.code': all(offered, 'methods', ({ code, serviceType, returnFee }) => {
    const isWhole = code && serviceType && returnFee !== undefined && returnFee !== null
    return !isWhole && `code ${code}, serviceType ${serviceType}, returnFee ${returnFee}`
  }),
  'methods.currency': all(
    async (platform) =>
      (await offers(platform)).flatMap(({ request, methods }) =>
        methods.map(({ code, currencyCode }) => ({ code, currencyCode, requested: request.currencyCode })),
      ),
    'methods',
    ({ code, currencyCode, requested }) =>
      currencyCode !== requested && `${code} in ${currencyCode}, not ${requested}`,
  ),
  'methods.order': all(offers, 'offers', ({ record, methods }) => {
    const codes = codesOf(methods)
    return codesOf(methods.toSorted(byPriority)) !== codes && `${record.name}: ${codes}`
  }),
  'methods.none': async (platform) => {
    // ISO 4217's currency for tests.
    const request = toMethods({ ...(await offer(platform)).request, currencyCode: 'XTS' })
    const { body } = await platform.expect(request, '200')
    const { length } = listAt(returnMethodSchema, body, 'returnMethods')
    return must(length === 0, `${length} methods in XTS`)
  },
  'methods.refusal-path': async (platform) => {
    const field = 'originAddress.postalCode'
    const answer = await platform.send(toMethods(without((await offer(platform)).request, field)))
    const words = errorsOf(answer).map(({ message }) => message)
    return must(words.join().includes(field), words.join('; '))
  },
  'methods.allow': async (platform) => {
    const { allow = 'not there' } = (await platform.send(get('/return_methods'))).headers
    return must(/\bPOST\b/.test(allow), `Allow: ${allow}`)
  },
}
