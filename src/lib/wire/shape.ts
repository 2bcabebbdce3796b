import { isRecord } from './raw.ts'
import { isInteger, isNumber, isText } from './scalars.ts'

/** Description of a value, as data. */
export type Form = (
  | { kind: 'string' | 'key' | 'boolean' | 'number' | 'integer' | 'text' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'list'; item: Form }
  | { kind: 'record'; fields: readonly { name: string; form: Form }[] }
) & { mayBeAbsent: boolean; mayBeNull: boolean }

/** The form of a type, made of its zod schema by `shapeOf`: to read answers takes no zod. */
export type Shape<T> = Form & {
  /** For the compiler: no value has it. */
  readonly type?: T
}

export interface Misfit {
  path: (string | number)[]
  value: unknown
  /** Text that is none of the values listed. */
  isUnknownValue: boolean
}

interface Place {
  parent: Place | undefined
  step: string | number
}

/** Lists where a value departs from its shape, in the order of the schema's fields. */
export function misfits(form: Form, value: unknown): Misfit[] {
  const found: Misfit[] = []
  look(form, value, undefined, found)
  return found
}

function look(form: Form, value: unknown, place: Place | undefined, found: Misfit[]): void {
  if (fitsAlone(form, value)) return
  if (form.kind === 'record' && isRecord(value)) {
    for (const field of form.fields) {
      const inside = value[field.name]
      // Most values are texts, and most fields hold no others: a place is made for those that do.
      if (typeof inside === 'string' && field.form.kind === 'string') continue
      if (!fitsAlone(field.form, inside)) look(field.form, inside, { parent: place, step: field.name }, found)
    }
  } else if (form.kind === 'list' && Array.isArray(value)) {
    for (const [step, item] of value.entries()) look(form.item, item, { parent: place, step }, found)
  } else {
    const isUnknownValue = form.kind === 'choice' && typeof value === 'string'
    found.push({ path: pathOf(place), value, isUnknownValue })
  }
}

/** Whether it fits and holds no values of its own. */
function fitsAlone(form: Form, value: unknown): boolean {
  if (value === undefined) return form.mayBeAbsent
  if (value === null) return form.mayBeNull
  switch (form.kind) {
    case 'string':
      return typeof value === 'string'
    case 'key':
      return typeof value === 'string' && /\S/.test(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'number':
      return isNumber(value)
    case 'integer':
      return isInteger(value)
    case 'text':
      return isText(value)
    case 'choice':
      return typeof value === 'string' && form.values.includes(value)
    default:
      return false
  }
}

function pathOf(place: Place | undefined): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = place; at !== undefined; at = at.parent) path.unshift(at.step)
  return path
}
