import type { Fault } from './fault.ts'
import { chanceOf, type Hit } from './faults.ts'

export interface Drifted {
  document: unknown
  drift: NonNullable<Fault['drift']>
  /** Dotted path of the field, through lists. */
  field: string
}

const DRIFTS = ['renamed', 'missing', 'extra', 'retyped'] as const

/** Drifts one field, which the fault's seed chooses if it is left open; undefined without such a field. */
export function driftDocument(document: unknown, { fault, index }: Hit): Drifted | undefined {
  const drift = fault.drift ?? pick(DRIFTS, chanceOf(fault, index, 'drift'))
  const field = fault.field ?? pick(fieldsOf(document), chanceOf(fault, index, 'field'))
  if (drift === undefined || field === undefined) return undefined
  const copy: unknown = structuredClone(document)
  const path = field.split('.')
  const name = path.at(-1) ?? ''
  let isFound = false
  for (const holder of holdersOf(copy, path.slice(0, -1))) {
    if (!Object.hasOwn(holder, name)) continue
    isFound = true
    change(holder, name, drift)
  }
  return isFound ? { document: copy, drift, field } : undefined
}

function change(holder: object, name: string, drift: Drifted['drift']): void {
  const value: unknown = Reflect.get(holder, name)
  if (drift === 'extra') {
    Reflect.set(holder, `${name}V2`, value)
  } else if (drift === 'retyped') {
    Reflect.set(holder, name, retyped(value))
  } else {
    Reflect.deleteProperty(holder, name)
    if (drift === 'renamed') Reflect.set(holder, `new_${name}`, value)
  }
}

function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { value }
  if (typeof value === 'object') return Array.isArray(value) ? { items: value } : [value]
  return String(value)
}

function fieldsOf(value: unknown, path = '', found = new Set<string>()): string[] {
  if (Array.isArray(value)) {
    for (const item of value) fieldsOf(item, path, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const here = path === '' ? name : `${path}.${name}`
      found.add(here)
      fieldsOf(inner, here, found)
    }
  }
  return [...found]
}

function holdersOf(value: unknown, path: readonly string[]): object[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersOf(item, path))
  if (typeof value !== 'object' || value === null) return []
  const [name, ...rest] = path
  return name === undefined ? [value] : holdersOf(Reflect.get(value, name), rest)
}

function pick<T>(list: readonly T[], chance: number): T | undefined {
  return list[Math.floor(chance * list.length)]
}
