import { isCountry } from '../../wire/geography.ts'
import {
  type MethodExplanation,
  type MethodsRequest,
  methodsRequestSchema,
  type ReturnMethod,
} from '../../wire/methods.ts'
import { theShop } from '../http/auth.ts'
import type { Call } from '../http/platform.ts'
import { invalid, parseBody } from '../http/received-request.ts'
import { calculateMethods } from './calculate.ts'

/** More than any order has; keeps units times fee exact. */
const MAX_UNITS = 100_000

/** Spec §4.6. @throws ApiError 400 VA01, with an entry for each problem */
export function parseMethodsRequest(text: string): MethodsRequest {
  const request = parseBody(methodsRequestSchema, text)
  const problems = requestProblems(request)
  if (problems.length > 0) throw invalid(problems)
  return request
}

/** Checks beyond the schema. */
function requestProblems(request: MethodsRequest): string[] {
  const { currencyCode, originAddress, client, ecommerceOrder } = request
  const problems: string[] = []
  if (!/^[A-Z]{3}$/.test(currencyCode)) {
    problems.push(`currencyCode: ${currencyCode} is not an ISO currency code`)
  }
  const { countryCode, postalCode } = originAddress
  if (!isCountry(countryCode)) {
    problems.push(`originAddress.countryCode: ${countryCode} is not an ISO country code`)
  }
  if (postalCode.trim() === '') problems.push('originAddress.postalCode: is missing')
  if (client.tier.trim() === '') problems.push('client.tier: is missing')
  const dates = (ecommerceOrder?.fulfillments ?? []).flatMap(({ fulfilledAt, deliverAt }, i) =>
    Object.entries({ fulfilledAt, deliverAt })
      .filter(([, date]) => date && !isDay(date))
      .map(([name]) => `ecommerceOrder.fulfillments[${i}].${name}: must be a date YYYY-MM-DD`),
  )
  return [...problems, ...itemProblems(request), ...dates]
}

function itemProblems({ returnLineItems }: MethodsRequest): string[] {
  if (returnLineItems.length === 0) return ['returnLineItems: at least one item is needed']
  const problems: string[] = []
  let units = 0
  for (const [i, { sku, quantity }] of returnLineItems.entries()) {
    const count = Number(String(quantity))
    if (sku.trim() === '') problems.push(`returnLineItems[${i}].sku: is missing`)
    if (!Number.isInteger(count) || count < 1)
      problems.push(`returnLineItems[${i}].quantity: must be a whole number from 1`)
    units += count
  }
  if (units > MAX_UNITS) problems.push(`returnLineItems: more than ${MAX_UNITS} units in all`)
  return problems
}

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  // Some engines read 30 February as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

interface MethodsAnswer {
  returnMethods: ReturnMethod[]
  explanations?: MethodExplanation[]
  /** Source of the rules, and the mistakes that keep a rule file from being in force. */
  rules?: { source: string; problems: readonly string[] }
}

/** `POST /return_methods` (spec §4.6). `?explain=true` is not in the specification: it adds why each is offered or not. */
export async function returnMethods(call: Call): Promise<MethodsAnswer> {
  const book = await call.platform.rules()
  const request = parseMethodsRequest(await call.body())
  const shop = theShop(call.tokenShops, request.shopCode)
  const { rules, source, problems } = book.rulesFor(shop)
  const found = rules ? calculateMethods(rules, request, call.now) : { returnMethods: [], explanations: [] }
  if (call.url.searchParams.get('explain') !== 'true') return { returnMethods: found.returnMethods }
  return {
    ...found,
    rules: { source, problems: problems.map(({ path, message }) => `${path}: ${message}`) },
  }
}
