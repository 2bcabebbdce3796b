import { at, isRecord, objectsIn } from './raw.ts'
import { fitted, type Misfit, misfits, type Shape } from './shape.ts'

/** A departure of answers from the specification, counted over all records. */
export interface SpecDeviation {
  /** Place in a record, list positions left out: `returns[].customer.email`. */
  path: string
  problem: 'missing' | 'unknown-value' | 'wrong-type'
  /** Unknown values, each once, at most ten. */
  values?: string[]
  /** Records concerned. */
  records: number
}

const MAX_VALUES = 10

export class Departures {
  readonly #found = new Map<string, SpecDeviation>()

  get size(): number {
    return this.#found.size
  }

  /** Counts one record, with its unknown values. */
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

/** A response without its list: nothing can be shown. */
export class ContainerError extends Error {
  override readonly name = 'ContainerError'

  constructor(
    readonly expected: string,
    readonly found: string,
  ) {
    super(`expected ${expected}, found ${found}`)
  }
}

/**
 * The result is `raw` itself; differences from the shape go into `departures` under `where` (`return`, `returns[]`).
 * Required fields may be missing in spite of the type: readers show what is there and do not compute with it.
 */
export function readRecord<T>(shape: Shape<T>, raw: unknown, where: string, departures: Departures): T {
  const found = misfits(shape, raw)
  if (found.length > 0) note(found, where, departures)
  // The only cast of a response: a parsed copy could differ from what was sent.
  return raw as T
}

/** Items of a list, and the other fields of the object that it stands in. */
interface ItemList<T> {
  items: T[]
  rest: Record<string, unknown>
}

/** Reads each item of the list under `key`, or of the body itself without a key. @throws ContainerError without a list */
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
  /** Records to compute with: each as far as it fits its shape. Items that are no objects are left out. */
  records: T[]
  /** All items as sent, to be printed. */
  sent: T[]
  rest: Record<string, unknown>
}

/** Reads a list of records under `key`. @throws ContainerError without a list */
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
  // A record counts a problem once, however many entries have it.
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

/** `a list`, for sentences. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Headers of a sandbox's answers, failed ones too. A live platform sends neither. */

/** Id of the sandbox's data, the same until `reset` or another data file. */
export const SANDBOX_HEADER = 'X-Rma-Sandbox'

/** The sandbox's clock at the time of the answer: ISO 8601 in UTC, to the millisecond. */
export const SANDBOX_TIME_HEADER = 'X-Rma-Sandbox-Time'
