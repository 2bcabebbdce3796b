import { at } from '../wire/raw.ts'
import { must } from './observed.ts'
import { mustHaveErrors, type ProbeAnswer, seen } from './probe.ts'

/** A request without one of its fields, given as `parcels.0.items`. */
export function without<T extends object>(request: T, path: string): T {
  const copy = structuredClone(request)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const inner = steps.reduce<unknown>(at, copy)
  if (typeof inner === 'object' && inner !== null) Reflect.deleteProperty(inner, last)
  return copy
}

/** @throws Departure unless a request is refused with 400 and errors without any of the fields */
export async function mustRequire(
  fields: readonly string[],
  request: object,
  send: (request: object) => Promise<ProbeAnswer>,
): Promise<string> {
  const wrong: string[] = []
  for (const field of fields) {
    const answer = await send(without(request, field))
    if (answer.status === 400) mustHaveErrors(answer, `a request without ${field}`)
    else wrong.push(`${seen(answer)} without ${field}`)
  }
  must(wrong.length === 0, wrong.join('; '))
  return `${fields.length} fields`
}
