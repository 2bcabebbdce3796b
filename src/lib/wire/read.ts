import type * as z from 'zod'

/** A departure of responses from the specification, counted over all records read. */
export interface SpecDeviation {
  /** Place in a record, list positions left out: `returns[].customer.email`. */
  path: string
  problem: 'missing' | 'unknown-value' | 'wrong-type'
  /** The unknown values seen, each once, at most ten. */
  values?: string[]
  /** Number of records concerned. */
  records: number
}

const MAX_VALUES = 10

/** Collects what departed from the specification while responses were read, to be warned about or refused. */
export class Departures {
  readonly #found = new Map<string, SpecDeviation>()

  /** Number of different departures. */
  get size(): number {
    return this.#found.size
  }

  /** Counts one record with this problem at this path, and the unknown values that it has there. */
  add(path: string, problem: SpecDeviation['problem'], ...values: string[]): void {
    const key = `${problem} ${path}`
    const departure = this.#found.get(key) ?? { path, problem, records: 0 }
    this.#found.set(key, departure)
    departure.records += 1
    if (values.length > 0) {
      departure.values = [...new Set([...(departure.values ?? []), ...values])].slice(0, MAX_VALUES)
    }
  }

  /** In the order in which they were first met. */
  entries(): SpecDeviation[] {
    return [...this.#found.values()]
  }
}

/** A response without the list that its specification promises: nothing in it can be shown. */
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
 * Reads one record leniently: the answer is `raw` itself, untouched, whatever is wrong with it, and each difference
 * from the schema goes into `departures` under `where` (`return`, `returns[]`).
 *
 * A departing record is typed as if it kept to the schema, so that a required field may be missing all the same:
 * readers show what is there and do not compute with it.
 */
export function readRecord<S extends z.ZodType>(
  schema: S,
  raw: unknown,
  where: string,
  departures: Departures,
): z.infer<S> {
  const checked = schema.safeParse(raw)
  if (!checked.success) noteIssues(checked.error.issues, raw, where, departures)
  // The only cast of a response: parsing would copy the record, and a copy could differ from what was sent.
  return raw as z.infer<S>
}

/**
 * Reads the records of a response, each as `readRecord` does: the list under `key`, or the body itself without a key.
 *
 * @throws ContainerError if there is no such list
 */
export function readList<S extends z.ZodType>(
  schema: S,
  body: unknown,
  key: string | undefined,
  departures: Departures,
): z.infer<S>[] {
  const list = key === undefined ? body : valueAt(body, [key])
  if (!Array.isArray(list)) {
    if (key === undefined) throw new ContainerError('a list', kindOf(body))
    const found = kindOf(body) === 'an object' ? `an object with ${kindOf(list)} there` : kindOf(body)
    throw new ContainerError(`an object with a list under "${key}"`, found)
  }
  return list.map((raw) => readRecord(schema, raw, `${key ?? ''}[]`, departures))
}

function noteIssues(issues: z.core.$ZodIssue[], raw: unknown, where: string, departures: Departures): void {
  // Several entries of a list may share a problem; the record has it once.
  const found = new Departures()
  for (const issue of issues) {
    const value = valueAt(raw, issue.path)
    const path = issue.path.reduce<string>(
      (parent, step) => (typeof step === 'number' ? `${parent}[]` : `${parent}.${String(step)}`),
      where,
    )
    if (value === undefined || value === null) found.add(path, 'missing')
    else if (issue.code === 'invalid_value' && typeof value === 'string')
      found.add(path, 'unknown-value', value)
    else found.add(path, 'wrong-type')
  }
  for (const { path, problem, values = [] } of found.entries()) departures.add(path, problem, ...values)
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => (isObject(value) ? Reflect.get(value, step) : undefined), root)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
