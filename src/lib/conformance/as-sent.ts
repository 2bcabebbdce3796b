import type * as z from 'zod'
import { isRecord } from '../wire/raw.ts'
import { Departures } from '../wire/read.ts'
import { isInteger, isNumber, isText } from '../wire/scalars.ts'
import type { Form } from '../wire/shape.ts'
import { shapeOf } from '../wire/shape-of.ts'
import { Departure, Skipped } from './observed.ts'

/** Declared as a number, used as text by the specification itself (spec §2.7). */
const NUMBER_OR_TEXT = /\.carrierService\.code$/

interface FitOptions {
  /** Fields that the specification leaves open. */
  open?: RegExp
  /** Looks for unknown values of enumerations, or for anything else; both by default. */
  values?: boolean
}

/**
 * Whether JSON has the types of its schema. Readers take a number sent as text; this does not.
 * @returns how many there were, in words
 * @throws Departure that names the wrong fields; Skipped without records
 */
export function mustFit(
  schema: z.ZodType,
  records: readonly unknown[],
  noun: string,
  { open, values }: FitOptions = {},
): string {
  if (records.length === 0) throw new Skipped(`no ${noun} to look at`)
  const [form, all] = [shapeOf(schema), new Departures()]
  for (const record of records) {
    const found = new Departures()
    look(form, record, noun, found)
    for (const { path, problem, values: unknown = [] } of found.entries()) all.add(path, problem, ...unknown)
  }
  const [first, ...others] = all
    .entries()
    .filter(({ path }) => !open?.test(path))
    .filter(({ problem }) => values === undefined || values === (problem === 'unknown-value'))
  if (first === undefined) return `${noun}: ${records.length}`
  const { path, problem, values: unknown = [], records: count } = first
  const words = [path, problem.replace('-', ' '), ...unknown, `in ${count} of ${records.length}`].join(' ')
  throw new Departure(others.length === 0 ? words : `${words}; ${others.map((each) => each.path).join(', ')}`)
}

function look(form: Form, value: unknown, path: string, found: Departures): void {
  if (value === undefined || value === null) {
    if (!form.mayBeAbsent) found.add(path, 'missing')
  } else if (form.kind === 'record' && isRecord(value)) {
    for (const field of form.fields) look(field.form, value[field.name], `${path}.${field.name}`, found)
  } else if (form.kind === 'list' && Array.isArray(value)) {
    for (const item of value) look(form.item, item, `${path}[]`, found)
  } else if (form.kind === 'choice' && typeof value === 'string') {
    if (!form.values.includes(value)) found.add(path, 'unknown-value', value)
  } else if (!isOfKind(form.kind, value, path)) {
    found.add(path, 'wrong-type', typeof value)
  }
}

function isOfKind(kind: Form['kind'], value: unknown, path: string): boolean {
  const isString = typeof value === 'string'
  if (kind === 'boolean') return typeof value === 'boolean'
  if (kind === 'number') return isNumber(value) && !isString
  if (kind === 'integer') return isInteger(value) && !isString
  if (kind === 'text' && NUMBER_OR_TEXT.test(path)) return isText(value)
  return isString && kind !== 'record' && kind !== 'list'
}
