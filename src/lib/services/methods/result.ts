import type { Context } from '../../cli/context.ts'
import { counted } from '../../wire/counted.ts'
import type { MethodsRequest, ReturnMethod } from '../../wire/methods.ts'
import { at, list, objectsIn } from '../../wire/raw.ts'
import { methodExplanationsView, methodsView } from './calculate.result.ts'

interface MethodsResultFlags {
  explain?: boolean
  'include-hidden'?: boolean
}

/** JSON is the service's answer as it came; tables and CSV are sorted, and leave out what customers don't see. */
export async function renderMethods(request: MethodsRequest, flags: MethodsResultFlags, context: Context) {
  const api = await context.connection.methods()
  if (flags.explain) {
    const { sent, explanations, rest } = await api.explain(request)
    // A rule file with mistakes is not in force, which is not what its author expects.
    for (const problem of list(at(rest.rules, 'problems'))) {
      await context.warn(`the rule file is not in force: ${String(problem)}`)
    }
    const { explanations: _, ...others } = rest
    const envelope = { key: 'explanations', rest: () => ({ returnMethods: sent, ...others }) }
    return context.render({ kind: 'list', items: explanations, view: methodExplanationsView, envelope })
  }
  const { sent, rest } = await api.calculate(request)
  const { output } = await context.settings()
  const isTable = ['table', 'csv'].includes(output.value)
  const items = isTable ? await forReading(objectsIn(sent), flags, context) : sent
  const envelope = { key: 'returnMethods', rest: () => rest }
  await context.render({ kind: 'list', items, view: methodsView, envelope })
}

async function forReading(methods: readonly ReturnMethod[], flags: MethodsResultFlags, context: Context) {
  const shown = flags['include-hidden'] ? methods : methods.filter(({ visible }) => visible !== false)
  const hidden = methods.length - shown.length
  if (hidden > 0)
    await context.note(
      `${counted(hidden, 'method is', 'methods are')} hidden: --include-hidden shows ${hidden === 1 ? 'it' : 'them'}`,
    )
  return sorted(shown)
}

/** Sorted by priority, 1 first and none last, then by code. */
function sorted(methods: readonly ReturnMethod[]) {
  const rank = ({ priority }: ReturnMethod) =>
    priority === undefined || priority === null ? Number.POSITIVE_INFINITY : Number(String(priority))
  return [...methods].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)]
    if (first !== second) return first < second ? -1 : 1
    return (a.code ?? '') < (b.code ?? '') ? -1 : 1
  })
}
