import type { MethodExplanation, ReturnMethod } from '../../wire/methods.ts'
import type { Call } from '../http/operation.ts'
import { theShop } from '../shop-rules.ts'
import { calculateMethods } from './calculate.ts'
import { parseMethodsRequest } from './request.ts'

interface MethodsAnswer {
  returnMethods: ReturnMethod[]
  explanations?: MethodExplanation[]
  /** Source of the rules, and the mistakes that keep a rule file from being in force. */
  rules?: { source: string; problems: readonly string[] }
}

/** `POST /return_methods` (spec §4.6). `?explain=true` is not in the specification: it adds why each is offered or not. */
export async function returnMethods(call: Call): Promise<MethodsAnswer> {
  const { store, rules: openRules } = call.platform
  const book = await openRules()
  const request = parseMethodsRequest(await call.body())
  const shop = store.read(({ shops }) => theShop(call.tokenShops, request.shopCode ?? undefined, shops))
  const { rules, source, problems } = book.rulesFor(shop)
  const found = rules ? calculateMethods(rules, request, call.now) : { returnMethods: [], explanations: [] }
  if (call.url.searchParams.get('explain') !== 'true') return { returnMethods: found.returnMethods }
  return {
    ...found,
    rules: { source, problems: problems.map(({ path, message }) => `${path}: ${message}`) },
  }
}
