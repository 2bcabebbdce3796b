import { isLosslessNumber, type LosslessNumber } from 'lossless-json'
import { asText, at, isRecord, joinParts, objectsIn } from './raw.ts'

export interface SpecDeviation {
  /** Place without list positions: `returns[].customer.email`. */
  path: string
  problem: 'missing' | 'unknown-value' | 'wrong-type' | 'not-asked-for' | 'beside-result'
  values?: string[]
  records: number
}

const MAX_VALUES = 10
/** Maximum number of remembered ids. */
const MAX_KNOWN = 100_000

export class SpecDeviations {
  readonly #found = new Map<string, SpecDeviation>()
  readonly #known = new Set<string>()

  /** True if the record was not noted before. A record without an id counts each time. */
  isNew(where: string, id: unknown) {
    const key = `${where} ${id}`
    if (id === undefined) return true
    if (this.#known.has(key)) return false
    if (this.#known.size < MAX_KNOWN) this.#known.add(key)
    return true
  }

  get size(): number {
    return this.#found.size
  }

  add(path: string, problem: SpecDeviation['problem'], ...values: string[]) {
    const key = `${problem} ${path}`
    const deviation = this.#found.get(key) ?? { path, problem, records: 0 }
    this.#found.set(key, deviation)
    deviation.records += 1
    if (values.length > 0) {
      deviation.values = [...new Set([...(deviation.values ?? []), ...values])].slice(0, MAX_VALUES)
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

/** Returns `raw` itself, and notes deviations under `where`. Required fields may be missing in spite of the type. */
export function readRecord<T>(shape: Shape<T>, raw: unknown, where: string, deviations: SpecDeviations): T {
  const found = misfits(shape, raw)
  if (found.length > 0 && deviations.isNew(where, asText(at(raw, 'id')))) note(found, where, deviations)
  // A parsed copy could differ from the answer.
  return raw as T
}

/** @throws ContainerError */
export function readList<T>(body: unknown, key: string | undefined, read: (item: unknown) => T) {
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
  deviations: SpecDeviations,
): RecordList<T> {
  noteErrors(body, deviations)
  const { items: sent, rest } = readList(body, key, (raw) => readRecord(shape, raw, `${key}[]`, deviations))
  return { records: objectsIn(sent).map((record) => fitted(shape, record)), sent, rest }
}

/** Notes errors beside a result: a part of it may be missing. */
export function noteErrors(body: unknown, deviations: SpecDeviations) {
  for (const error of objectsIn(at(body, 'errors') as object[]))
    deviations.add('errors', 'beside-result', joinParts([at(error, 'code'), at(error, 'message')], ' '))
}

function note(misfits: readonly Misfit[], where: string, deviations: SpecDeviations) {
  // A record counts a problem once.
  const found = new SpecDeviations()
  for (const { path: steps, value, isUnknownValue } of misfits) {
    const path = steps.reduce<string>(
      (parent, step) => (typeof step === 'number' ? `${parent}[]` : `${parent}.${step}`),
      where,
    )
    if (value === undefined || value === null) found.add(path, 'missing')
    else if (isUnknownValue) found.add(path, 'unknown-value', String(value))
    else found.add(path, 'wrong-type')
  }
  for (const { path, problem, values = [] } of found.entries()) deviations.add(path, problem, ...values)
}

export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Header with the id of a sandbox's data, which `reset` renews. */
export const SANDBOX_HEADER = 'x-rma-sandbox'

export const SANDBOX_TIME_HEADER = 'x-rma-sandbox-time'

export type Form = (
  | { kind: 'string' | 'key' | 'boolean' | 'number' | 'integer' | 'text' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'list'; item: Form }
  | { kind: 'record'; fields: readonly { name: string; form: Form }[] }
) & { mayBeAbsent: boolean; mayBeNull: boolean }

/** Copy of a zod schema, made by `shapeOf`, so that reading answers loads no zod. */
export type Shape<T> = Form & {
  /** Type for the compiler, absent at run time. */
  readonly type?: T
}

interface Misfit {
  path: (string | number)[]
  value: unknown
  /** True for text outside the enumeration. */
  isUnknownValue: boolean
}

/** Lists the places where a value does not fit the form. */
export function misfits(
  form: Form,
  value: unknown,
  path: Misfit['path'] = [],
  found: Misfit[] = [],
): Misfit[] {
  const look = (step: string | number, inner: Form, part: unknown) => {
    path.push(step)
    misfits(inner, part, path, found)
    path.pop()
  }
  if (form.kind === 'record' && isRecord(value)) {
    for (const { name, form: field } of form.fields) look(name, field, value[name])
  } else if (form.kind === 'list' && Array.isArray(value)) {
    for (const [at, item] of value.entries()) look(at, form.item, item)
  } else if (!fits(form, value)) {
    const isUnknownValue = form.kind === 'choice' && typeof value === 'string'
    found.push({ path: [...path], value, isUnknownValue })
  }
  return found
}

/** False for a record or list, since `misfits` descends into those that fit. */
function fits(form: Form, value: unknown) {
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

const NUMERIC_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INTEGER_TEXT = /^-?\d+$/

export type NumberValue = number | string | LosslessNumber

/** Text that some senders write as a number. */
export type TextValue = string | number | LosslessNumber

/** Decided: numeric text is accepted, and kept as sent. */
export function isNumber(value: unknown): value is NumberValue {
  return typeof value === 'string'
    ? NUMERIC_TEXT.test(value)
    : Number.isFinite(value) || isLosslessNumber(value)
}

export function isInteger(value: unknown): value is NumberValue {
  if (typeof value === 'string') return INTEGER_TEXT.test(value)
  return Number.isInteger(value) || (isLosslessNumber(value) && INTEGER_TEXT.test(value.value))
}

/** Decided: numbers are accepted. */
export function isText(value: unknown): value is TextValue {
  return typeof value === 'string' || Number.isFinite(value) || isLosslessNumber(value)
}

/**
 * Returns a record to compute with: values of another type are left out or made text. Required fields may
 * be missing, and codes unknown. A record that fits is returned itself.
 */
export function fitted<T>(shape: Shape<T>, record: T): T {
  const isOdd = misfits(shape, record).some(
    ({ path, value, isUnknownValue }) =>
      !isUnknownValue && (isPresent(value) || typeof path.at(-1) === 'number'),
  )
  return isOdd ? (fittedValue(shape, record) as T) : record
}

function isPresent(value: unknown) {
  return value !== undefined && value !== null
}

function fittedValue(form: Form, value: unknown): unknown {
  if (form.kind === 'record') return isRecord(value) ? fittedRecord(form.fields, value) : undefined
  if (form.kind === 'list') {
    if (!Array.isArray(value)) return undefined
    return value.map((item) => fittedValue(form.item, item)).filter(isPresent)
  }
  if (form.kind === 'choice' || form.kind === 'string' || form.kind === 'key') return scalarText(value)
  return misfits(form, value).length === 0 ? value : undefined
}

function fittedRecord(
  fields: readonly { name: string; form: Form }[],
  record: Record<string, unknown>,
): Record<string, unknown> {
  const copy = { ...record }
  for (const { name, form } of fields) {
    const value = record[name]
    if (isPresent(value)) copy[name] = fittedValue(form, value)
  }
  return copy
}

function scalarText(value: unknown) {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || isLosslessNumber(value)
    ? String(value)
    : undefined
}
