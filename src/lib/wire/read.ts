import { at, isRecord, objectsIn } from './raw.ts'
import { fitted, type Misfit, misfits, type Shape } from './shape.ts'

/** Departure of answers from the specification, counted over all records. */
export interface SpecDeviation {
  /** Place without list positions: `returns[].customer.email`. */
  path: string
  problem: 'missing' | 'unknown-value' | 'wrong-type'
  values?: string[]
  records: number
}

const MAX_VALUES = 10

export class Departures {
  readonly #found = new Map<string, SpecDeviation>()

  get size(): number {
    return this.#found.size
  }

  /** Counts one record. */
  add(path: string, problem: SpecDeviation['problem'], ...values: string[]): void {
    const key = `${problem} ${path}`
    const departure = this.#found.get(key) ?? { path, problem, records: 0 }
    this.#found.set(key, departure)
    departure.records += 1
    if (values.length > 0) {
      departure.values = [...new Set([...(departure.values ?? []), ...values])].slice(0, MAX_VALUES)
    }
  }

  entries(): SpecDeviation[] {
    return [...this.#found.values()]
  }
}

export class ContainerError extends Error {
  override readonly name = 'ContainerError'

  constructor(
    readonly expected: string,
    readonly found: string,
  ) {
    super(`expected ${expected}, found ${found}`)
  }
}

/** Returns `raw` itself, and notes departures under `where`. Required fields may be missing in spite of the type. */
export function readRecord<T>(shape: Shape<T>, raw: unknown, where: string, departures: Departures): T {
  const found = misfits(shape, raw)
  if (found.length > 0) note(found, where, departures)
  // A parsed copy could differ from the answer.
  return raw as T
}

interface ItemList<T> {
  items: T[]
  rest: Record<string, unknown>
}

/**
 * Reads a list, under `key` or bare.
 * @throws ContainerError
 */
export function readList<T>(body: unknown, key: string | undefined, read: (item: unknown) => T): ItemList<T> {
  const list = key === undefined ? body : at(body, key)
  if (!Array.isArray(list)) {
    if (key === undefined) throw new ContainerError('a list', kindOf(body))
    const found = kindOf(body) === 'an object' ? `an object with ${kindOf(list)} there` : kindOf(body)
    throw new ContainerError(`an object with a list under "${key}"`, found)
  }
  const fields = Object.entries(isRecord(body) ? body : {}).filter(([name]) => name !== key)
  return { items: list.map((item) => read(item)), rest: Object.fromEntries(fields) }
}

export interface RecordList<T> {
  /** Records to compute with, as far as they fit. */
  records: T[]
  /** Items to print, as sent. */
  sent: T[]
  rest: Record<string, unknown>
}

/** @throws ContainerError */
export function readRecords<T>(
  shape: Shape<T>,
  body: unknown,
  key: string,
  departures: Departures,
): RecordList<T> {
  const { items: sent, rest } = readList(body, key, (raw) => readRecord(shape, raw, `${key}[]`, departures))
  return { records: objectsIn(sent).map((record) => fitted(shape, record)), sent, rest }
}

function note(misfits: readonly Misfit[], where: string, departures: Departures): void {
  // A record counts a problem once.
  const found = new Departures()
  for (const { path: steps, value, isUnknownValue } of misfits) {
    const path = steps.reduce<string>(
      (parent, step) => (typeof step === 'number' ? `${parent}[]` : `${parent}.${step}`),
      where,
    )
    if (value === undefined || value === null) found.add(path, 'missing')
    else if (isUnknownValue) found.add(path, 'unknown-value', String(value))
    else found.add(path, 'wrong-type')
  }
  for (const { path, problem, values = [] } of found.entries()) departures.add(path, problem, ...values)
}

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Header with the id of a sandbox's data, which `reset` renews. */
export const SANDBOX_HEADER = 'X-Rma-Sandbox'

/** Header with the time of a sandbox's clock. */
export const SANDBOX_TIME_HEADER = 'X-Rma-Sandbox-Time'
