import type { MethodExplanation, ReturnMethod } from '../../wire/methods.ts'
import type { Call, Operation } from '../http/operation.ts'
import { theShop } from '../shop-rules.ts'

/** `POST /return_methods` (spec §4.6). */
export const METHOD_OPERATIONS: readonly Operation[] = [
  { method: 'POST', path: '/return_methods', answer: returnMethods },
]

interface MethodsAnswer {
  returnMethods: ReturnMethod[]
  explanations?: MethodExplanation[]
  /** Where the rules come from, and the mistakes for which a rule file is not in force. */
  rules?: { source: string; problems: readonly string[] }
}

/** With `?explain=true`, which the specification does not have, the answer says why each method is offered or not. */
async function returnMethods(call: Call): Promise<MethodsAnswer> {
  const { store, rules: openRules } = call.platform
  // The engine and its rules are only loaded when somebody asks.
  const [{ parseMethodsRequest }, { calculateMethods }, book] = await Promise.all([
    import('./request.ts'),
    import('./calculate.ts'),
    openRules(),
  ])
  const request = parseMethodsRequest(await call.body())
  const shop = store.read(({ shops }) => theShop(call.tokenShops, request.shopCode ?? undefined, shops))
  const { rules, source, problems } = book.rulesFor(shop)
  const found = rules ? calculateMethods(rules, request, call.now) : { returnMethods: [], explanations: [] }
  if (call.params.get('explain') !== 'true') return { returnMethods: found.returnMethods }
  return {
    ...found,
    rules: { source, problems: problems.map(({ path, message }) => `${path}: ${message}`) },
  }
}
