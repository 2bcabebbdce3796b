import { type ReturnMethod, returnMethodSchema } from '../../wire/methods.ts'
import type { Return } from '../../wire/returns.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec } from '../check.ts'
import { each, must, Skipped } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { errorsOf, mustAnswer } from '../probe.ts'
import { mustRequire, without } from '../required.ts'

const PATH = '/return_methods'
/** Places tried before the shop is taken for one without methods. */
const TRIED = 8

export interface Offer {
  record: Return
  request: ReturnType<typeof requestFor>
  methods: ReturnMethod[]
}

function requestFor({ shopCode, currency, customer, origin, ecommerceOrder, returnLineItems }: Return) {
  const address = customer.address ?? origin.address
  return {
    shopCode,
    currencyCode: currency,
    ecommerceOrder: { id: ecommerceOrder.id },
    originAddress: {
      line1: address?.line1,
      city: address?.city,
      postalCode: address?.postalCode,
      countryCode: address?.countryCode,
    },
    returnLineItems: returnLineItems.map(({ sku, quantity }) => ({ sku, quantity })),
    client: { id: ecommerceOrder.customerId ?? 'conformance', tier: 'STANDARD' },
  }
}

const calculate = (world: World, body: object) =>
  world.send({ method: 'POST', path: PATH, body, isRead: true })

async function differentPlaces(world: World): Promise<Return[]> {
  const places = new Map<string, Return>()
  for (const record of await world.sample()) {
    const address = record.customer?.address ?? record.origin?.address
    const place = `${record.shopCode} ${address?.countryCode}`
    if (address && !places.has(place)) places.set(place, record)
  }
  return [...places.values()].slice(0, TRIED)
}

/** Offers in the places tried; some may have no methods. */
export const offers = once(async (world: World): Promise<Offer[]> => {
  const made = []
  for (const record of await differentPlaces(world)) {
    const request = requestFor(record)
    const answer = await calculate(world, request)
    mustAnswer(answer, 200, `the items of ${record.name}`)
    made.push({ record, request, methods: listAt(returnMethodSchema, answer.body, 'returnMethods') })
  }
  if (made.length === 0) throw new Skipped('no return with an address')
  return made
})

/** @throws Skipped without an offer that has methods */
export async function offer(world: World): Promise<Offer> {
  const found = (await offers(world)).find(({ methods }) => methods.length > 0)
  if (found === undefined) throw new Skipped('no method is offered to the customers of the newest returns')
  return found
}

/** Fields that spec §4.6 requires; `ecommerceOrder` itself is optional. */
const REQUIRED = [
  'currencyCode',
  'ecommerceOrder.id',
  'originAddress',
  'originAddress.postalCode',
  'originAddress.countryCode',
  'returnLineItems',
  'returnLineItems.0.sku',
  'returnLineItems.0.quantity',
  'client',
  'client.id',
  'client.tier',
]

/** Spec §4.6, §2.7. */
export const METHOD_CHECKS: readonly Check[] = [
  operation(
    spec(
      'methods.fields',
      '§2.7, §4.6',
      'POST /return_methods answers with returnMethods, each field of its type',
      async (world) => mustFit(returnMethodSchema, (await offer(world)).methods, 'methods'),
    ),
  ),
  assumed('methods.code', '§2.7', 'Every method has a code, a service type and a fee', async (world) =>
    each((await offer(world)).methods, 'methods', ({ code, serviceType, returnFee }) =>
      code && serviceType && returnFee !== undefined && returnFee !== null
        ? undefined
        : `code ${code}, serviceType ${serviceType}, returnFee ${returnFee}`,
    ),
  ),
  spec('methods.currency', '§4.6', 'Amounts are in the currency of the request', async (world) => {
    const all = (await offers(world)).flatMap(({ request, methods }) =>
      methods.map(({ code, currencyCode }) => ({ code, currencyCode, asked: request.currencyCode })),
    )
    return each(all, 'methods', ({ code, currencyCode, asked }) =>
      currencyCode === asked ? undefined : `${code} in ${currencyCode}, asked for in ${asked}`,
    )
  }),
  assumed('methods.order', '§4.6', 'Methods come by priority, then by code', async (world) =>
    each(await offers(world), 'offers', ({ record, methods }) => {
      const key = ({ priority, code }: ReturnMethod) => [Number(priority ?? 0), code ?? ''] as const
      const sorted = methods.toSorted((a, b) => {
        const [[first, name], [second, other]] = [key(a), key(b)]
        return first - second || (name < other ? -1 : 1)
      })
      const codes = methods.map(({ code }) => code).join(', ')
      return sorted.map(({ code }) => code).join(', ') === codes ? undefined : `${record.name}: ${codes}`
    }),
  ),
  assumed(
    'methods.none',
    '§4.6',
    'Where no method fits the answer is 200 with an empty list',
    async (world) => {
      const { request } = await offer(world)
      // ISO 4217's currency for tests.
      const answer = await calculate(world, { ...request, currencyCode: 'XTS' })
      mustAnswer(answer, 200)
      const methods = listAt(returnMethodSchema, answer.body, 'returnMethods')
      return must(methods.length === 0, `${methods.length} methods in a currency that nobody has`)
    },
  ),
  spec(
    'methods.refusal',
    '§4.6, §7',
    'A request without a required field is refused with 400 and a list errors of code and message',
    async (world) => {
      const { request } = await offer(world)
      return mustRequire(REQUIRED, request, (body) => calculate(world, body))
    },
  ),
  assumed('methods.refusal-path', '§7', 'The message names the path of the field', async (world) => {
    const { request } = await offer(world)
    const { body } = await calculate(world, without(request, 'originAddress.postalCode'))
    const words = errorsOf(body)
      .map(({ message }) => message)
      .join('; ')
    must(words.includes('originAddress.postalCode'), words === '' ? 'no message' : words)
    return words
  }),
  assumed('methods.no-object', '§4.6', 'A body that is no object is refused with 400', async (world) =>
    mustAnswer(await world.send({ method: 'POST', path: PATH, body: 'text', isRead: true }), 400),
  ),
  spec('methods.get', '§7', 'GET /return_methods is answered with 405', async (world) =>
    mustAnswer(await world.get(PATH), 405),
  ),
  assumed('methods.allow', '§7', 'The 405 has a header Allow with POST', async (world) => {
    const { allow } = (await world.get(PATH)).headers
    must(/\bPOST\b/.test(allow ?? ''), `Allow: ${allow ?? 'not there'}`)
    return `Allow: ${allow}`
  }),
]
